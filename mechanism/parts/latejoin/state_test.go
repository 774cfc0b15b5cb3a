package latejoin

import (
	"errors"
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// begin returns a world of marbles for two users as it begins.
func begin(seed uint64) *world.State {
	w := mechanismtest.Marbles(2)
	s := world.NewState(w.Schema(), seed)
	w.Populate(s)
	return s
}

func TestReadStateBringsBackWhatWasWritten(t *testing.T) {
	start := begin(1)
	s := start.Detach()
	s.SetTick(77)
	s.Edit(1).Pos.X += fixed.One / 3
	r := wire.NewReader(append(s.Append(nil), "rest"...))
	got, err := ReadState(&r, start, 2)
	if err != nil || got.Hash() != s.Hash() || got.Tick() != 77 || r.Len() != 4 {
		t.Errorf("it came back as another one, with %d bytes left: %v", r.Len(), err)
	}
}

func TestReadStateRefuses(t *testing.T) {
	start := begin(1)
	change := func(f func(s *world.State)) []byte {
		s := start.Detach()
		f(s)
		return s.Append(nil)
	}
	good := start.Append(nil)
	for name, text := range map[string][]byte{
		"another seed":       begin(2).Append(nil),
		"a time before all":  change(func(s *world.State) { s.SetTick(-1) }),
		"somebody unknown":   change(func(s *world.State) { s.Edit(1).User = 3 }),
		"a number too large": change(func(s *world.State) { s.Edit(1).Pos.X = 1 << 50 }),
		"a number too small": change(func(s *world.State) { s.Edit(1).Pos.Y = -1 }),
		"half of it":         good[:len(good)/2],
		"nothing":            nil,
	} {
		r := wire.NewReader(text)
		if s, err := ReadState(&r, start, 2); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// FuzzReadState reads anything. What is accepted is a state that the rules can go on with.
func FuzzReadState(f *testing.F) {
	start := begin(1)
	f.Add(start.Append(nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := wire.NewReader(text)
		s, err := ReadState(&r, start, 2)
		if err != nil {
			return
		}
		window := world.NewWindow(s)
		for range 3 {
			window.Advance(mechanismtest.Marbles(2))
		}
	})
}
