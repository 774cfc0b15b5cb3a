package update

import (
	"testing"

	"throng/world"
	"throng/world/wire"
)

// acquainted is a pair of which the receiver holds some things, by themselves and in a crowd.
func acquainted() *pair {
	p := newPair()
	for id := world.ID(1); id <= 4; id++ {
		p.put(ball(id, int64(id)<<24, 0), 0)
	}
	p.objects[2].User = viewer
	p.put(p.objects[2].Object, 1)
	p.enter(1)
	p.enter(2)
	p.gather()
	for range 4 {
		p.send()
		if err := p.flush(); err != nil {
			panic(err)
		}
	}
	return p
}

// Nothing that arrives makes a receiver panic, and what it finds impossible changes nothing.
func FuzzReceiver(f *testing.F) {
	p := acquainted()
	p.put(ball(1, 7<<24, 0), 1)
	p.put(ball(4, 7<<24, 0), 1)
	p.remove(3)
	p.sender.Watch([]world.ID{4, 5})
	p.send()
	for _, m := range p.down {
		f.Add(m)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, msg []byte) {
		p := acquainted()
		before := len(p.view)
		r := wire.NewReader(msg)
		h := ReadHeader(&r)
		if r.Failed() || p.receiver.Judge(h) != Good || p.receiver.Read(&r, h) != Good {
			if p.receiver.where.Len() != before {
				t.Error("what was refused has changed something")
			}
			return
		}
		for _, c := range p.receiver.Accept(h) {
			if c.Object.ID == 0 {
				t.Errorf("%+v is about nothing", c)
			}
		}
		p.receiver.Latest(world.NewState(p.schema, 0))
		held := 0
		for at, place := range p.receiver.places {
			if place.id == 0 {
				continue
			}
			held++
			if found, _ := p.receiver.where.Get(place.id); found != int32(at) {
				t.Errorf("object %d is found at %d, and is at %d", place.id, found, at)
			}
		}
		if held != p.receiver.where.Len() {
			t.Errorf("%d objects are held, and %d can be found", held, p.receiver.where.Len())
		}
	})
}

func TestRefusals(t *testing.T) {
	p := acquainted()
	high := p.receiver.arrivals.high
	for _, c := range []struct {
		name string
		h    Header
		want Verdict
	}{
		{"the next", Header{high + 1, p.receiver.receipt}, Good},
		{"the same again", Header{high, p.receiver.receipt}, Stale},
		{"one that was never numbered", Header{0, 0}, Impossible},
		{"one from far ahead", Header{high + window + 1, 0}, Impossible},
		{"one that knows of a receipt to come", Header{high + 1, p.receiver.receipt + 1}, Impossible},
	} {
		if got := p.receiver.Judge(c.h); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	item := func(handle, op byte) byte { return handle<<2 | op }
	for name, items := range map[string][]byte{
		"a difference to nothing":  {item(60, opDelta), 1, 2},
		"a handle below the first": {item(1, opDelta)}, // one before the first
		"no kind":                  {item(0, opWhole), 9, 77, 0, 0},
		"no ID":                    {item(0, opWhole), 0, 0, 0, 0},
		"a number that is missing": {item(0, opDelta), 2},
		"an unknown variable":      {item(0, opDelta), 0x80, 0x40, 1},
		"a preview of nobody":      {item(0, opCrowd), 31<<2 | crowdPreview, 0},
		"a preview of no crowd":    {item(60, opCrowd), 1, crowdPreview, 0},
		"a preview of the 33rd":    {item(0, opCrowd), 0x82, 1, 0},
		"a crowd of another sort":  {item(0, opCrowd), 3},
	} {
		r := wire.NewReader(items)
		if got := p.receiver.Read(&r, Header{high + 1, p.receiver.receipt}); got != Impossible {
			t.Errorf("%s: %v", name, got)
		}
	}
}
