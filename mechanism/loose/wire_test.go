package loose

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

var schema = mechanismtest.Marbles(3).Schema()

// drawIDs draws a few IDs in order.
func drawIDs(t *rapid.T, name string, least int) []world.ID {
	ids := rapid.SliceOfNDistinct(rapid.Uint64Min(1), least, 5, rapid.ID).Draw(t, name)
	slices.Sort(ids)
	var out []world.ID
	for _, id := range ids {
		out = append(out, world.ID(id))
	}
	return out
}

func drawUpdate(t *rapid.T) update {
	u := update{stamp: world.Tick(rapid.Int64Range(0, stampMax).Draw(t, "stamp"))}
	for _, id := range drawIDs(t, "objects", 0) {
		o := world.Object{
			ID:   id,
			Kind: world.KindID(rapid.IntRange(0, 2).Draw(t, "kind")),
			User: world.User(rapid.IntRange(0, 3).Draw(t, "user")),
		}
		for _, v := range schema.Kinds[o.Kind].Variables {
			o.Set(v.Slot, rapid.Int64Range(v.Min, v.Max).Draw(t, v.Name))
		}
		schema.Round(&o)
		u.objects = append(u.objects, o)
	}
	least := 0
	if len(u.objects) == 0 {
		least = 1 // an update that says nothing is not sent
	}
	u.removed = drawIDs(t, "removed", least)
	return u
}

func write(u *update) []byte {
	var w writer
	w.begin(u.stamp)
	for i := range u.objects {
		w.put(schema, &u.objects[i])
	}
	for _, id := range u.removed {
		w.remove(id)
	}
	w.end()
	return w.buf
}

func equal(a, b *update) bool {
	return a.stamp == b.stamp && slices.Equal(a.objects, b.objects) && slices.Equal(a.removed, b.removed)
}

func TestUpdateRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawUpdate(t)
		var got update
		if err := got.read(schema, 3, write(&want)); err != nil {
			t.Fatal(err)
		}
		if !equal(&got, &want) {
			t.Errorf("%+v came back as %+v", want, got)
		}
	})
}

// Rounding may take a number over the end of its range; that is no reason to refuse it.
func TestRoundingOverTheEndIsAccepted(t *testing.T) {
	s := *schema
	s.Kinds = slices.Clone(s.Kinds)
	s.Kinds[mechanismtest.Tally].Variables = []world.Variable{{Name: "sum", Slot: world.AttrSlot(0), Max: 15, Quantum: 10}}
	o := world.Object{ID: 1, Kind: mechanismtest.Tally}
	for n, accepted := range map[int64]bool{15: true, 24: true, 26: false, -3: true, -14: true, -16: false} {
		o.Attr[0] = n
		var w writer
		w.begin(1)
		w.put(&s, &o)
		w.end()
		var u update
		if err := u.read(&s, 3, w.buf); (err == nil) != accepted {
			t.Errorf("%d: %v", n, err)
		}
	}
}

func TestConfine(t *testing.T) {
	o := world.Object{Kind: mechanismtest.Marble, Pos: fixed.Vec{X: -fixed.One, Y: 1000 * fixed.One}, Vel: fixed.Vec{X: 3 * fixed.One}}
	schema.Confine(&o)
	want := world.Object{Kind: mechanismtest.Marble, Pos: fixed.Vec{Y: schema.Bounds.Max.Y}, Vel: fixed.Vec{X: 3 * fixed.One}}
	if o != want {
		t.Errorf("%v, want %v", o, want)
	}
}

func FuzzReadUpdate(f *testing.F) {
	o := world.Object{ID: 1, Kind: mechanismtest.Marble, User: 1, Pos: fixed.Vec{X: fixed.One}}
	f.Add(write(&update{stamp: 7, objects: []world.Object{o}, removed: []world.ID{1 << 60}}))
	f.Add([]byte{0, 0, 0})
	f.Fuzz(func(t *testing.T, payload []byte) {
		var u, again update
		if u.read(schema, 3, payload) != nil || len(u.objects)+len(u.removed) == 0 || len(payload) > datagramMax {
			return
		}
		if err := again.read(schema, 3, write(&u)); err != nil || !equal(&u, &again) {
			t.Errorf("%x reads as %+v, and written again as %+v (%v)", payload, u, again, err)
		}
	})
}
