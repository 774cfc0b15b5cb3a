package central

import (
	"bytes"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/update"
	"throng/world"
	"throng/world/wire"
)

func TestJoinRoundTrip(t *testing.T) {
	for _, e := range []epoch{{}, {1, 2}, {1<<32 - 1, 1<<32 - 1}} {
		msg := appendJoin(nil, e, 70000)
		r := wire.NewReader(msg[1:])
		if got, u := readJoin(&r); got != e || u != 70000 || r.Done() != nil || msg[0] != kindJoin {
			t.Errorf("%v arrived as %v of user %d", e, got, u)
		}
		msg = appendLeave(nil, e)
		r = wire.NewReader(msg[1:])
		if got := readEpoch(&r); got != e || r.Done() != nil || msg[0] != kindLeave {
			t.Errorf("leaving in %v arrived as %v", e, got)
		}
	}
}

func TestEpochs(t *testing.T) {
	order := []epoch{{}, {0, 1}, {0, 2}, {1, 1}, {2, 0}}
	for i, a := range order {
		for j, b := range order {
			if a.after(b) != (i > j) {
				t.Errorf("%v is after %v: %v", a, b, a.after(b))
			}
			if i != j && a.tag() == b.tag() {
				t.Errorf("%v and %v have the same tag", a, b)
			}
		}
	}
}

func TestInputRoundTrip(t *testing.T) {
	receipt := update.Receipt{Number: 300, High: 7, Missing: 5}
	actions := []world.Action{{User: 3, Seq: 8, Verb: 1, Args: [world.MaxArgs]int64{1, -2}}, {User: 3, Seq: 9, Target: 1 << 60}}
	msg := appendInput(nil, epoch{5, 6}, receipt, len(actions))
	for i := range actions {
		msg = world.AppendAction(msg, &actions[i])
	}
	r := wire.NewReader(msg[1:])
	var in input
	readInput(&r, &in)
	if r.Done() != nil || in.tag != (epoch{5, 6}).tag() || in.receipt != receipt || len(in.actions) != 2 || in.actions[0] != actions[0] || in.actions[1] != actions[1] {
		t.Errorf("arrived as %+v", in)
	}
	// Actions out of order are refused.
	msg = appendInput(nil, epoch{5, 6}, receipt, 2)
	msg = world.AppendAction(msg, &actions[1])
	msg = world.AppendAction(msg, &actions[0])
	r = wire.NewReader(msg[1:])
	if readInput(&r, &in); !r.Failed() {
		t.Error("actions out of order were taken")
	}
}

func TestPrefaceRoundTrip(t *testing.T) {
	s := update.NewSender(update.NewTable(mechanismtest.Marbles(1).Schema()), nil, 1)
	msg, flags := appendPreface(nil, epoch{1, 2}, s, 1<<33, 1<<31, 1<<33-9)
	msg[flags] = flagWhole
	r := wire.NewReader(msg[1:])
	want := preface{tag: epoch{1, 2}.tag(), header: update.Header{Seq: 1}, tick: 1 << 33, whole: true, seq: 1 << 31, done: 1<<33 - 9}
	if got := readPreface(&r); got != want || r.Done() != nil || msg[0] != kindUpdate {
		t.Errorf("%+v arrived as %+v", want, got)
	}
	if len(msg) > headerMax {
		t.Errorf("a preface takes %d bytes, more than %d", len(msg), headerMax)
	}
}

func FuzzReadInput(f *testing.F) {
	a := world.Action{User: 1, Seq: 1, Args: [world.MaxArgs]int64{5}}
	f.Add(world.AppendAction(appendInput(nil, epoch{1, 1}, update.Receipt{Number: 1, High: 1}, 1)[1:], &a))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, msg []byte) {
		r := wire.NewReader(msg)
		var in input
		readInput(&r, &in)
		if r.Done() != nil {
			return
		}
		again := appendInput(nil, epoch{}, in.receipt, len(in.actions))[3:]
		for i := range in.actions {
			again = world.AppendAction(again, &in.actions[i])
		}
		if len(again) > len(msg)-2 || len(again) == len(msg)-2 && !bytes.Equal(again, msg[2:]) {
			t.Errorf("%x is written as %x", msg[2:], again)
		}
	})
}

// FuzzServer hands a server whatever a client might send, in the midst of play: it must not panic, and the other client's view
// must come out as if nothing had been said but what the first may say.
func FuzzServer(f *testing.F) {
	f.Add(appendJoin(nil, epoch{0, 2}, 1), appendLeave(nil, epoch{0, 1}))
	f.Add([]byte{kindInput, 1, 0, 9, 0, 0, 0}, []byte{0xff})
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
