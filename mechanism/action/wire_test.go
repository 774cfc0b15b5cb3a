package action

import (
	"bytes"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
	"throng/world/wire"
)

func startOf(w world.World) *world.State {
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	return s
}

// someEntry makes up an entry among marbles.
func someEntry(r *random.Stream) mechanism.Entry {
	d := mechanism.Entry{Tick: world.Tick(r.Below(tickMax)), Action: world.Action{User: 3}}
	if r.Below(2) == 0 {
		d.Steps = 1 + int(r.Below(stepsMax))
	} else {
		d.Action = world.Action{User: 3, Seq: uint32(r.Below(1000)), Verb: mechanismtest.Count, Args: [world.MaxArgs]int64{1 + int64(r.Below(100))}}
	}
	for range r.Below(6) {
		d.Footprint.Read(world.ID(1 + r.Below(40)))
	}
	for range r.Below(4) {
		d.Footprint.Write(world.ID(1 + r.Uint64()>>r.Below(64)))
	}
	return d
}

func sameEntry(a, b *mechanism.Entry) bool {
	return bytes.Equal(appendEntry(nil, a), appendEntry(nil, b))
}

func TestEntriesComeBackAsTheyWent(t *testing.T) {
	schema := mechanismtest.Marbles(4).Schema()
	stream := random.New(1, "entries")
	var got mechanism.Entry
	for range 2000 {
		d := someEntry(&stream)
		r := wire.NewReader(appendEntry(nil, &d))
		readEntry(&r, schema, &got)
		if err := r.Done(); err != nil || !sameEntry(&d, &got) || len(got.Footprint.Reads) != len(d.Footprint.Reads) {
			t.Fatalf("%+v became %+v (%v)", d, got, err)
		}
		for _, id := range d.Footprint.Writes {
			if !got.Footprint.Reads.Has(id) {
				t.Fatalf("%d is written but not read in %+v", id, got.Footprint)
			}
		}
	}
}

func TestValuesComeBackAsTheyWent(t *testing.T) {
	start := startOf(mechanismtest.Marbles(4))
	o := *start.Get(2)
	o.Pos.X += 5 * fixed.One
	for _, v := range []world.Object{{}, o} {
		r := wire.NewReader(appendValue(nil, start, 2, &v))
		if got := readValue(&r, start, 2); got != v || r.Done() != nil {
			t.Errorf("%+v became %+v", v, got)
		}
	}
	o.Pos.X = start.Schema().Bounds.Max.X + 1
	r := wire.NewReader(appendValue(nil, start, 2, &o))
	if readValue(&r, start, 2); !r.Failed() {
		t.Error("an object beyond the world was taken")
	}
}

// TestPlacesCoverWhatTheyStandFor checks that rounding never leaves out what was in a place.
func TestPlacesCoverWhatTheyStandFor(t *testing.T) {
	g := newGeometry(newSquare(4, 687))
	stream := random.New(1, "places")
	for range 1000 {
		p := place{known: true, radius: stream.Between(0, 50*fixed.One)}
		p.centre = fixed.Vec{X: stream.Between(-900*fixed.One, 900*fixed.One), Y: stream.Between(0, 900*fixed.One)}
		r := wire.NewReader(g.append(nil, &p, true))
		got := g.read(&r, true)
		if r.Done() != nil || !got.known || !got.centre.Within(p.centre, got.radius-p.radius) || got.radius > p.radius+4<<g.grain {
			t.Fatalf("%+v became %+v", p, got)
		}
	}
	r := wire.NewReader(g.append(nil, &place{}, true))
	if got := g.read(&r, true); got.known || r.Done() != nil {
		t.Errorf("nowhere became %+v", got)
	}
}

// sampleNews is a message of everything that there is to tell.
func sampleNews(start *world.State) []byte {
	msg := wire.AppendUint([]byte{7}, 40)
	msg = membership.Identity{Epoch: 2, Life: 3}.Append(append(msg, newsWelcome))
	msg = wire.AppendUint(append(msg, newsValue), 2)
	msg = appendValue(msg, start, 2, start.Get(2))
	msg = wire.AppendInt(append(msg, newsEntry), 2)
	msg = appendEntry(msg, &mechanism.Entry{Steps: 1, Footprint: world.Footprint{Reads: world.Set{1, 2}, Writes: world.Set{2}}})
	msg = wire.AppendInt(append(msg, newsOwn), -1)
	msg = wire.AppendUint(msg, 9)
	msg = wire.AppendUint(append(msg, newsDropped), 10)
	return wire.AppendUint(append(msg, newsClaim), 41)
}

func TestNewsAreRead(t *testing.T) {
	start := startOf(mechanismtest.Marbles(4))
	var x news
	r := wire.NewReader(sampleNews(start))
	if err := x.read(&r, start); err != nil {
		t.Fatal(err)
	}
	if x.serial != 7 || x.floor != 40 || len(x.items) != 6 {
		t.Fatalf("%+v", x)
	}
	if x.items[0].who != (membership.Identity{Epoch: 2, Life: 3}) || x.items[1].object != *start.Get(2) || x.items[2].position != 42 ||
		x.items[3].position != 41 || x.items[3].number != 9 || x.items[4].number != 10 || x.items[5].position != 41 {
		t.Errorf("%+v", x.items)
	}
}

func FuzzEntry(f *testing.F) {
	schema := mechanismtest.Marbles(4).Schema()
	stream := random.New(1, "entries")
	for range 8 {
		d := someEntry(&stream)
		f.Add(appendEntry(nil, &d))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var d, again mechanism.Entry
		r := wire.NewReader(data)
		readEntry(&r, schema, &d)
		if r.Done() != nil {
			return
		}
		back := wire.NewReader(appendEntry(nil, &d))
		readEntry(&back, schema, &again)
		if back.Done() != nil || !sameEntry(&d, &again) {
			t.Errorf("%+v became %+v", d, again)
		}
	})
}

func FuzzNews(f *testing.F) {
	start := startOf(mechanismtest.Marbles(4))
	f.Add(sampleNews(start))
	var x news
	f.Fuzz(func(t *testing.T, data []byte) {
		r := wire.NewReader(data)
		if x.read(&r, start) == nil && len(x.items) > len(data) {
			t.Errorf("%d items in %d bytes", len(x.items), len(data))
		}
	})
}

// FuzzServer hands anything to a server as from a member, without a link in between.
func FuzzServer(f *testing.F) {
	d := mechanism.Entry{Action: world.Action{User: 1, Seq: 1, Verb: mechanismtest.Count, Args: [world.MaxArgs]int64{1}}}
	d.Footprint.Write(6)
	f.Add(append(appendEntry([]byte{kindSubmit, 0, 0}, &d), 0))
	f.Add(wire.AppendBytes(wire.AppendUint([]byte{kindComplete, 0, 0}, 1), []byte{0}))
	f.Add(append(membership.Identity{}.Append([]byte{kindLook}), 1, 1))
	f.Add(wire.AppendUint(membership.Identity{Life: 1}.Append([]byte{kindJoin}), 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := param.Default[Config]()
		w := mechanismtest.Marbles(4)
		n := newServer(&c, &mechanism.Session{World: w, Start: startOf(w), Places: c.Places(w)})
		var out mechanism.Outbox
		n.Deliver(0, mechanism.Message{From: 2, To: 1, Payload: append(appendEntry([]byte{kindSubmit, 0, 0}, &d), 0)}, &out)
		n.Wake(world.Second, &out)
		n.Deliver(world.Second, mechanism.Message{From: 2, To: 1, Payload: data}, &out)
		n.Wake(2*world.Second, &out)
	})
}
