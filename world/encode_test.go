package world

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
	"throng/world/wire"
)

// drawAnything draws an object of any numbers, in and beyond their ranges.
func drawAnything(t *rapid.T, label string) Object {
	o := Object{Kind: KindID(rapid.IntRange(0, 1).Draw(t, label+".kind"))}
	o.User = User(rapid.Uint32().Draw(t, label+".user"))
	number := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, -1, 0, math.MaxInt64}))
	for _, v := range testSchema.Kinds[o.Kind].Variables {
		o.Set(v.Slot, number.Draw(t, label+"."+v.Name))
	}
	return o
}

func drawBase(t *rapid.T) *Object {
	if rapid.Bool().Draw(t, "against nothing") {
		return nil
	}
	o := drawAnything(t, "base")
	return &o
}

func readObject(t *rapid.T, msg []byte, base *Object, p Precision) Object {
	r := wire.NewReader(msg)
	o := testSchema.ReadObject(&r, base, p)
	if err := r.Done(); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestExactObjectComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, base := drawAnything(t, "object"), drawBase(t)
		if got := readObject(t, testSchema.AppendObject(nil, &o, base, Exact), base, Exact); got != o {
			t.Fatalf("got %+v\nwant %+v", got, o)
		}
	})
}

func TestRoundedObjectComesBackWithinHalfAQuantum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, base := drawAnything(t, "object"), drawBase(t)
		got := readObject(t, testSchema.AppendObject(nil, &o, base, Rounded), base, Rounded)
		if got.Kind != o.Kind || got.User != o.User {
			t.Fatalf("got %+v\nwant %+v", got, o)
		}
		for _, v := range testSchema.Kinds[o.Kind].Variables {
			a, b := got.Get(v.Slot), o.Get(v.Slot)
			off := uint64(max(a, b)) - uint64(min(a, b))
			most := uint64(v.Quantum) / 2
			if room := min(uint64(math.MaxInt64-b), uint64(b)-1<<63); room < most {
				most = uint64(v.Quantum) // at the ends of the range only one neighbour exists
			}
			if off > most {
				t.Fatalf("%s is %d, was %d: off by %d with a quantum of %d", v.Name, a, b, off, v.Quantum)
			}
		}
		if testSchema.Round(&o); got != o {
			t.Fatalf("got %+v, but Round says\n%+v", got, o)
		}
		if testSchema.Round(&o); got != o {
			t.Fatalf("rounding twice turns %+v into\n%+v", got, o)
		}
	})
}

func TestRoundIsToTheNearestAndTiesAwayFromZero(t *testing.T) {
	const max, min = math.MaxInt64, math.MinInt64
	for _, test := range []struct{ quantum, n, want int64 }{
		{10, 4, 0}, {10, 5, 10}, {10, 14, 10}, {10, -4, 0}, {10, -5, -10}, {10, -14, -10},
		{7, 3, 0}, {7, 4, 7}, {7, -3, 0}, {7, -4, -7},
		{0, 5, 5}, {1, 5, 5},
		{1000, max, max - max%1000}, {1000, min, min - min%1000}, // beyond there is nothing
		{max, max - 1, max}, {max, max/2 + 1, max}, {max, max / 2, 0}, {max, min, -max},
	} {
		s := Schema{Kinds: []Kind{{Variables: []Variable{{Name: "n", Slot: SlotX, Quantum: test.quantum}}}}}
		var o Object
		o.Set(SlotX, test.n)
		if s.Round(&o); o.Get(SlotX) != test.want {
			t.Errorf("%d to a multiple of %d is %d, want %d", test.n, test.quantum, o.Get(SlotX), test.want)
		}
	}
}

// An update against what the other side has costs only what differs, and rounding what it has already makes that less.
func TestSmallChangesAreSmall(t *testing.T) {
	base := Object{Kind: kindBird}
	base.Pos.X, base.Attr[3] = 1<<40, 500
	o := base
	if n := len(testSchema.AppendObject(nil, &o, &base, Exact)); n != 3 {
		t.Errorf("nothing new takes %d bytes", n)
	}
	o.Attr[3]++
	if n := len(testSchema.AppendObject(nil, &o, &base, Exact)); n != 4 {
		t.Errorf("one small number takes %d bytes", n)
	}
	o.Attr[3]--
	o.Pos.X++
	if n := len(testSchema.AppendObject(nil, &o, &base, Rounded)); n != 3 {
		t.Errorf("less than a quantum takes %d bytes", n)
	}
}

func TestStateComesBack(t *testing.T) {
	checkRelated(t, func(t *rapid.T, r *related) {
		i := r.pick(t, "state")
		reader := wire.NewReader(r.states[i].Append(nil))
		s, err := Decode(testSchema, &reader)
		if err != nil || reader.Done() != nil {
			t.Fatal(err, reader.Done())
		}
		checkState(t, s, r.models[i])
	})
}

func TestUndeclaredSlotsDoNotTravel(t *testing.T) {
	s := NewState(testSchema, 0)
	s.Put(Object{ID: 1, Kind: kindStone, Attr: [MaxAttributes]int64{5: 99}})
	r := wire.NewReader(s.Append(nil))
	got, err := Decode(testSchema, &r)
	if err != nil {
		t.Fatal(err)
	}
	if *got.Get(1) != (Object{ID: 1, Kind: kindStone}) {
		t.Errorf("got %+v", *got.Get(1))
	}
}

func TestMalformedStatesAreRefused(t *testing.T) {
	s, _ := flock(3)
	whole := s.Append(nil)
	for n := range whole {
		r := wire.NewReader(whole[:n])
		if _, err := Decode(testSchema, &r); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	header := wire.AppendInt(wire.AppendUint64(nil, 0), 0) // seed and tick
	for name, change := range map[string][]byte{
		"unknown operation":          {1, diffRemoved + 1},
		"change of what is missing":  {1, diffChanged, 0, 0, 0, 0},
		"removal of what is missing": {1, diffRemoved, 0},
		"unknown kind":               {1, diffAdded, 2, 0, 0, 0},
		"undeclared variable":        {1, diffAdded, byte(kindStone), 0, 1 << 2, 2, 0},
		"user beyond 32 bits":        {1, diffAdded, byte(kindStone), 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0},
		"IDs that run over":          append(wire.AppendUint([]byte{1, diffAdded, 0, 0, 0}, math.MaxUint64), diffAdded, 0, 0, 0, 0),
	} {
		t.Run(name, func(t *testing.T) {
			r := wire.NewReader(append(header[:len(header):len(header)], change...))
			if _, err := Decode(testSchema, &r); !errors.Is(err, wire.ErrMalformed) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestDiffToAnotherStateIsRefused(t *testing.T) {
	a, _ := flock(3)
	b := a.Clone()
	b.Edit(2).Attr[attrAge]++
	diff := AppendDiff(nil, a, b)
	other := NewState(testSchema, 1)
	other.Put(Object{ID: 2, Kind: kindStone}) // there, but of another kind
	for name, s := range map[string]*State{"missing": NewState(testSchema, 1), "of another kind": other} {
		t.Run(name, func(t *testing.T) {
			r := wire.NewReader(diff)
			if err := s.ApplyDiff(&r); !errors.Is(err, wire.ErrMalformed) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A rounded value may overflow only on purpose, and is refused.
func TestRoundedOverflowIsRefused(t *testing.T) {
	o := Object{Kind: kindBird}
	msg := testSchema.AppendObject(nil, &o, nil, Rounded)
	msg = append(msg[:2], 1) // the mask: x alone
	msg = wire.AppendInt(msg, math.MaxInt64)
	r := wire.NewReader(msg)
	if testSchema.ReadObject(&r, nil, Rounded); !r.Failed() {
		t.Error("read a number beyond the range")
	}
}
