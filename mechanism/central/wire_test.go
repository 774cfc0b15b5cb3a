package central

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/world"
)

// FuzzServer hands a server whatever a client might send, in the midst of play: it must not panic, and the other client's view
// must come out as if nothing had been said but what the first may say.
func FuzzServer(f *testing.F) {
	f.Add(input.AppendJoin(nil, membership.Identity{Life: 2}, 1), input.AppendLeave(nil, membership.Identity{Life: 1}))
	f.Add([]byte{input.KindInput, 1, 0, 9, 0, 0, 0}, []byte{0xff})
	f.Fuzz(func(t *testing.T, one, two []byte) {
		r := newRig(t, mechanismtest.Marbles(2), nil)
		r.Advance(world.Second / 2)
		for _, msg := range [][]byte{one, two} {
			r.Give(mechanism.Message{From: 2, To: server, Payload: msg})
			r.Advance(world.Second / 10)
		}
		r.Act(2, count(5))
		r.Advance(world.Second / 2)
		if got := r.View(3).Get(mechanismtest.TallyOf(r.World)).Attr[mechanismtest.TallyLast]; got != 2 && got != 1 {
			t.Errorf("the other user's action has not come through: the last to count was %d", got)
		}
	})
}

// FuzzClient hands a client whatever a network might bring as if from the server.
func FuzzClient(f *testing.F) {
	r := newRig(f, mechanismtest.Marbles(2), nil)
	r.Observe = func(c *mechanismtest.Call) {
		for i := range c.Out.Sends() {
			if m := c.Out.Message(i, c.Node); m.To == 2 {
				f.Add(append([]byte(nil), m.Payload...))
			}
		}
	}
	r.Play(20)
	f.Fuzz(func(t *testing.T, msg []byte) {
		r := newRig(t, mechanismtest.Marbles(2), nil)
		r.Advance(world.Second / 2)
		r.Give(mechanism.Message{From: server, To: 2, Payload: msg})
		r.Act(1, count(5))
		r.Advance(world.Second / 2)
		r.View(2).Hash()
	})
}
