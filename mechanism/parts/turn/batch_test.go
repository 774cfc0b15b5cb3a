package turn

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/wire"
)

// count is an action among marbles.
func count(u world.User, seq uint32, n int64) world.Action {
	return world.Action{User: u, Seq: seq, Verb: mechanismtest.Count, Args: [world.MaxArgs]int64{n}}
}

func encode(actions ...world.Action) []byte {
	var b Batch
	for i := range actions {
		b.Add(&actions[i])
	}
	return b.Append(nil)
}

func decode(batch []byte) (actions []world.Action) {
	var r Reader
	r.Open(batch)
	for a := r.Next(); a != nil; a = r.Next() {
		actions = append(actions, *a)
	}
	return actions
}

func TestEqualTurnsAreEqualBytes(t *testing.T) {
	schema := mechanismtest.Marbles(9).Schema()
	action := rapid.Custom(func(t *rapid.T) world.Action {
		return count(world.User(rapid.IntRange(1, 9).Draw(t, "user")), rapid.Uint32Range(0, 5).Draw(t, "seq"), 7)
	})
	rapid.Check(t, func(t *rapid.T) {
		actions := rapid.SliceOf(action).Draw(t, "actions")
		one := encode(actions...)
		other := encode(rapid.Permutation(actions).Draw(t, "in another order")...)
		if !bytes.Equal(one, other) {
			t.Fatalf("%x is not %x", one, other)
		}
		if err := Check(schema, one); err != nil {
			t.Fatal(err)
		}
		again := decode(one)
		for i := 1; i < len(again); i++ {
			if !again[i-1].Before(&again[i]) {
				t.Fatalf("%v comes before %v", again[i-1], again[i])
			}
		}
		for _, a := range actions {
			found := false
			for _, b := range again {
				found = found || a == b
			}
			if !found {
				t.Fatalf("%v is lost", a)
			}
		}
	})
}

func TestBatchIsPlayedInItsOrder(t *testing.T) {
	w := mechanismtest.Marbles(3)
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	var r Reader
	r.Play(world.NewWindow(s), w, encode(count(3, 1, 5), count(1, 2, 1), count(1, 1, 2)))
	tally := s.Get(5)
	if tally.Attr[mechanismtest.TallyLast] != 3 || tally.Attr[mechanismtest.TallySum] == 0 {
		t.Errorf("the last to count was not user 3, or nobody did: %+v", tally)
	}
}

func TestBatchIsBounded(t *testing.T) {
	var b Batch
	for i := range ActionsMax {
		a := count(1, uint32(i), 1)
		if !b.Add(&a) {
			t.Fatalf("there is no room for action %d", i)
		}
	}
	a := count(1, ActionsMax, 1)
	if b.Add(&a) || b.Len() != ActionsMax {
		t.Errorf("there is room for %d actions", b.Len())
	}
	b.Drop(1)
	if b.Len() != 0 {
		t.Errorf("%d actions of somebody who is gone", b.Len())
	}
}

func TestCheckRefuses(t *testing.T) {
	schema := mechanismtest.Marbles(2).Schema()
	good := encode(count(1, 1, 1), count(2, 1, 1))
	one, next := encode(count(1, 1, 1))[1:], encode(count(1, 2, 1))[1:]
	same := bytes.Clone(one)
	same[0] = 0 // of the same user as the one before
	for name, batch := range map[string][]byte{
		"nothing":        nil,
		"half of it":     good[:len(good)-1],
		"more than said": append(bytes.Clone(good), one...),
		"out of order":   append(append([]byte{2}, next...), same...),
		"twice":          append(append([]byte{2}, one...), same...),
		"nobody's":       encode(count(0, 1, 1)),
		"out of range":   encode(count(1, 1, 1000)),
		"too many":       wire.AppendUint(nil, ActionsMax+1),
		"too long":       make([]byte, BytesMax+1),
	} {
		if err := Check(schema, batch); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Check(schema, good); err != nil {
		t.Error(err)
	}
}

// FuzzCheck lets anything be a turn. What is accepted comes back as the same bytes.
func FuzzCheck(f *testing.F) {
	w := mechanismtest.Marbles(3)
	f.Add(encode())
	f.Add(encode(count(1, 1, 1), count(2, 9, 100)))
	f.Fuzz(func(t *testing.T, batch []byte) {
		if Check(w.Schema(), batch) != nil {
			return
		}
		s := world.NewState(w.Schema(), 1)
		w.Populate(s)
		var r Reader
		r.Play(world.NewWindow(s), w, batch)
		actions := decode(batch)
		if again := decode(encode(actions...)); len(again) != len(actions) {
			t.Fatalf("%d actions are %d when encoded again", len(actions), len(again))
		}
	})
}

func TestReadingDoesNotAllocate(t *testing.T) {
	batch := encode(count(1, 1, 1), count(1, 2, 1), count(2, 1, 1))
	schema := mechanismtest.Marbles(3).Schema()
	var r Reader
	if n := testing.AllocsPerRun(100, func() {
		if Check(schema, batch) != nil {
			t.Error("it is refused")
		}
		r.Open(batch)
		for r.Next() != nil {
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCheck(b *testing.B) {
	schema := mechanismtest.Marbles(40).Schema()
	var batch Batch
	for u := range world.User(40) {
		a := count(u+1, 1000, 50)
		batch.Add(&a)
	}
	text := batch.Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := Check(schema, text); err != nil {
			b.Fatal(err)
		}
	}
}
