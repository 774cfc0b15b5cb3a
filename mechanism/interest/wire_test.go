package interest

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/wire"
)

func TestForwardRoundTrip(t *testing.T) {
	want := order{hops: 3, origin: 7, action: world.Action{User: 9, Seq: 300, Verb: 1, Target: 1 << 50, Args: [world.MaxArgs]int64{-1, 2}}}
	msg := appendForward(nil, &want)
	r := wire.NewReader(msg[1:])
	if got := readForward(&r); got != want || r.Done() != nil || msg[0] != kindForward {
		t.Errorf("%+v arrived as %+v", want, got)
	}
}

func TestPairRoundTrip(t *testing.T) {
	for _, write := range []func([]byte, world.User, uint32) []byte{appendDone, appendStay} {
		r := wire.NewReader(write(nil, 70000, 1<<31)[1:])
		if u, n := readPair(&r); u != 70000 || n != 1<<31 || r.Done() != nil {
			t.Errorf("arrived as %d, %d", u, n)
		}
	}
}

func TestMoversRoundTrip(t *testing.T) {
	want := []mover{{1 << 50, 300, 7, 9}, {2, 0, 0, 0}}
	r := wire.NewReader(wire.AppendList(nil, want, appendMover))
	if got := readMovers(&r, nil); !slices.Equal(got, want) || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", want, got)
	}
}

// FuzzServer hands a server whatever another might say over their link. It must not panic, and what is in its own area must
// stay one.
func FuzzServer(f *testing.F) {
	r := newRig(f, settled{newNomads(2, 5)}, func(c *Config) { c.Columns, c.Rows = 2, 1 })
	r.Observe = func(c *mechanismtest.Call) {
		if c.Kind == mechanismtest.Receive && c.Message.From == 2 && c.Message.To == 1 {
			f.Add(append([]byte(nil), c.Message.Payload...))
		}
	}
	r.Play(10)
	f.Add([]byte{kindForward, 0, 1, 1, 1, 0, 0, 0})
	f.Add(appendStay(nil, 1, 2))
	f.Add(appendDone(nil, 1, 2))
	f.Fuzz(func(t *testing.T, msg []byte) {
		r := newRig(t, settled{newNomads(2, 5)}, func(c *Config) { c.Columns, c.Rows = 2, 1 })
		r.Play(5)
		s := servers(r)[0]
		var out mechanism.Outbox
		s.Deliver(r.Now(), mechanism.Message{From: 2, To: 1, Payload: msg}, &out)
		r.Play(5)
		for o := range s.state.All() {
			if s.Owns(o.ID) == (s.land.AreaOf(o) != 0) {
				t.Fatalf("object %d at %v: owned %v", o.ID, o.Pos, s.Owns(o.ID))
			}
		}
	})
}

// FuzzClient hands a client whatever a network might bring as if from a server.
func FuzzClient(f *testing.F) {
	for _, interest := range []string{Multiple, Single} {
		r := newRig(f, settled{newNomads(2, 5)}, func(c *Config) { c.Interest = interest })
		r.Observe = func(c *mechanismtest.Call) {
			for i := range c.Out.Sends() {
				if m := c.Out.Message(i, c.Node); m.To == 11 {
					f.Add(append([]byte(nil), m.Payload...))
				}
			}
		}
		r.Play(5)
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		for _, interest := range []string{Multiple, Single} {
			r := newRig(t, settled{newNomads(2, 5)}, func(c *Config) { c.Interest = interest })
			r.Play(5)
			r.Give(mechanism.Message{From: 1, To: 11, Payload: msg})
			var out mechanism.Outbox
			clientOf(r, 1).Deliver(r.Now(), mechanism.Message{From: 1, To: 11, Payload: msg}, &out)
			r.Play(5)
			r.View(11).Hash()
		}
	})
}
