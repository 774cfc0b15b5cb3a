package ideal

import (
	"bytes"
	"testing"

	"throng/world"
)

func TestCommandRoundTrip(t *testing.T) {
	for _, tick := range []world.Tick{0, 1, 127, 128, 1 << 30} {
		a := world.Action{User: 3, Seq: 70000, Verb: 2, Target: 1 << 60, Args: [world.MaxArgs]int64{1, -2, 0, 4}}
		gotTick, got, err := readCommand(appendCommand(nil, tick, &a))
		if err != nil || gotTick != tick || got != a {
			t.Errorf("tick %d, %v came back as tick %d, %v (%v)", tick, a, gotTick, got, err)
		}
	}
}

func FuzzReadCommand(f *testing.F) {
	f.Add(appendCommand(nil, 3, &world.Action{User: 1, Seq: 1, Args: [world.MaxArgs]int64{5}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		tick, a, err := readCommand(payload)
		if err != nil {
			return
		}
		again := appendCommand(nil, tick, &a)
		if gotTick, got, err := readCommand(again); err != nil || gotTick != tick || got != a {
			t.Errorf("%x reads as tick %d, %v, which is written as %x", payload, tick, a, again)
		}
		if len(again) > len(payload) || len(again) == len(payload) && !bytes.Equal(again, payload) {
			t.Errorf("%x is written as %x", payload, again)
		}
	})
}
