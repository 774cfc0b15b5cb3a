package update

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// What crosses the wire is what the schema says the wire preserves, and with the rest it is everything.
func TestUnitsRoundAsTheSchema(t *testing.T) {
	s := schema()
	shapes := shapesOf(s)
	rapid.Check(t, func(t *rapid.T) {
		o := ball(3, rapid.Int64Range(-1<<40, 1<<40).Draw(t, "x"), rapid.Int64Range(-100, 100).Draw(t, "y"))
		o.Vel.X = fixed.F(rapid.Int64Range(-1<<30, 1<<30).Draw(t, "vx"))
		var u units
		shapes[0].measure(&o, 9, u[:shapes[0].count()])
		got := world.Object{ID: 3}
		shapes[0].restore(&u, &got)
		want := o
		s.Round(&want)
		if got != want || u[0] != 9 {
			t.Fatalf("%+v became %+v, want %+v", o, got, want)
		}
		r := wire.NewReader(shapes[0].appendRest(nil, &o))
		shapes[0].readRest(&r, &got)
		if r.Done() != nil || got != o {
			t.Fatalf("with the rest it became %+v, want %+v", got, o)
		}
	})
}

func TestDeltaRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var from, to units
		for i := range from {
			from[i] = rapid.Int64().Draw(t, "from")
			to[i] = from[i]
			if rapid.Bool().Draw(t, "differs") {
				to[i] = rapid.Int64().Draw(t, "to")
			}
		}
		from[0], to[0] = int64(uint32(from[0])), int64(uint32(to[0]))
		r := wire.NewReader(appendDelta(nil, to[:], from[:]))
		got := from
		readDelta(&r, &got, len(got))
		if r.Done() != nil || got != to {
			t.Fatalf("%v to %v arrived as %v", from, to, got)
		}
	})
}

// An update is encoded once for all who have the same base, and once for each base.
func TestEncodedOnce(t *testing.T) {
	table := NewTable(schema())
	o := ball(1, 0, 0)
	table.Put(&o, 0)
	o.Pos.X += fixed.One
	table.Put(&o, 1)
	first := string(table.encode(0, 1))
	grown := len(table.codes)
	for range 100 {
		if string(table.encode(0, 1)) != first || len(table.codes) != grown {
			t.Fatal("encoded again for the same base")
		}
	}
	whole := string(table.encode(0, 0))
	if whole == first || len(table.codes) == grown {
		t.Error("the whole object is not encoded by itself")
	}
	o.Pos.X += fixed.One
	table.Put(&o, 1)
	if string(table.encode(0, 1)) == first {
		t.Error("not encoded again after a change")
	}
	table.Renew()
	if len(table.codes) != 0 {
		t.Error("a new round keeps what was encoded")
	}
	if string(table.encode(0, 0)) == whole {
		t.Error("an old encoding was given out in a new round")
	}
}

func TestVersions(t *testing.T) {
	table := NewTable(schema())
	o := ball(1, 0, 0)
	table.Put(&o, 0)
	h := &table.heads[0]
	for range kept - 1 {
		o.Pos.X += fixed.One
		table.Put(&o, 0)
	}
	if h.base(1) != 1 {
		t.Error("the oldest version that is kept is no base")
	}
	o.Pos.X += fixed.One
	table.Put(&o, 0)
	if h.base(1) != 0 || h.base(2) != 2 {
		t.Errorf("bases are %d and %d for the first two of %d versions", h.base(1), h.base(2), kept+1)
	}
	if h.base(h.version+1) != 0 {
		t.Error("a version to come is a base")
	}
	was, seen := h.version, h.altered
	o.Pos.X++
	table.Put(&o, 0)
	if h.version != was+1 || h.altered != seen {
		t.Error("a change that rounding hides is one that others see, or none at all")
	}
	o.User = 3
	table.Put(&o, 0)
	if h.base(h.version-1) != 0 || h.altered != h.version {
		t.Error("an object that changed hands has a base from before")
	}
}

// A place in the table is used again by another object, for which nothing of the first counts.
func TestPlaceIsUsedAgain(t *testing.T) {
	table := NewTable(schema())
	o := ball(1, 0, 0)
	table.Put(&o, 0)
	was := table.heads[0].version
	table.Remove(1)
	o.ID = 2
	table.Put(&o, 0)
	h := &table.heads[0]
	if len(table.heads) != 1 || h.id != 2 || h.version <= was || h.base(was) != 0 {
		t.Errorf("%d places, the first %+v after version %d", len(table.heads), *h, was)
	}
	table.Remove(7) // nobody
	if table.Len() != 1 {
		t.Errorf("%d objects, want 1", table.Len())
	}
}

// An object that becomes another kind of thing has another place, and nothing of what it was counts.
func TestPlacesAreByKind(t *testing.T) {
	table := NewTable(schema())
	o := ball(1, 0, 0)
	table.Put(&o, 0)
	o.Kind = 1
	table.Put(&o, 0)
	at, _ := table.where.Get(1)
	if table.Len() != 1 || at == 0 || table.heads[0].id != 0 || table.heads[at].kind != 1 {
		t.Errorf("%d objects, this one at %d: %+v", table.Len(), at, table.heads[at])
	}
}
