package optimistic

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
	"throng/world"
)

func TestWireRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tick := world.Tick(rapid.Int64Range(0, tickMax).Draw(t, "tick"))
		a := world.Action{
			User:   world.User(rapid.Uint32().Draw(t, "user")),
			Seq:    rapid.Uint32().Draw(t, "seq"),
			Verb:   world.VerbID(rapid.Byte().Draw(t, "verb")),
			Target: world.ID(rapid.Uint64().Draw(t, "target")),
		}
		for i := range a.Args {
			a.Args[i] = rapid.Int64().Draw(t, "arg")
		}
		gotTick, got, err := readInput(appendInput(nil, tick, &a))
		if err != nil || gotTick != tick || got != a {
			t.Fatalf("%d %+v came back as %d %+v (%v)", tick, a, gotTick, got, err)
		}
	})
}

// FuzzWire reads anything. What can be read must say the same when written again.
func FuzzWire(f *testing.F) {
	a := write(7)
	a.User, a.Seq, a.Target = 1, 300, 1<<40
	f.Add(appendInput(nil, 1000, &a))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, message []byte) {
		tick, a, err := readInput(message)
		if err != nil {
			return
		}
		again := appendInput(nil, tick, &a)
		if len(again) > len(message) || len(again) == len(message) && !bytes.Equal(again, message) {
			t.Fatalf("%x reads as %d %+v, which is written %x", message, tick, a, again)
		}
		if tick2, a2, err := readInput(again); err != nil || tick2 != tick || a2 != a {
			t.Fatalf("%d %+v came back as %d %+v (%v)", tick, a, tick2, a2, err)
		}
	})
}
