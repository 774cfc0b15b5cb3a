package input

import (
	"bytes"
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

func TestJoinRoundTrip(t *testing.T) {
	for _, e := range []membership.Identity{{}, {Epoch: 1, Life: 2}, {Epoch: 1<<32 - 1, Life: 1<<32 - 1}} {
		msg := AppendJoin(nil, e, 70000)
		r := wire.NewReader(msg[1:])
		if got, u := ReadJoin(&r); got != e || u != 70000 || r.Done() != nil || msg[0] != KindJoin {
			t.Errorf("%v arrived as %v of user %d", e, got, u)
		}
		msg = AppendLeave(nil, e)
		r = wire.NewReader(msg[1:])
		if got := membership.ReadIdentity(&r); got != e || r.Done() != nil || msg[0] != KindLeave {
			t.Errorf("leaving in %v arrived as %v", e, got)
		}
		msg = AppendUnknown(nil, e.Tag())
		r = wire.NewReader(msg[1:])
		if got := membership.ReadTag(&r); got != e.Tag() || r.Done() != nil || msg[0] != KindUnknown {
			t.Errorf("tag %x arrived as %x", e.Tag(), got)
		}
	}
}

func TestInputRoundTrip(t *testing.T) {
	receipt := update.Receipt{Number: 300, High: 7, Missing: 5}
	actions := []world.Action{{User: 3, Seq: 8, Verb: 1, Args: [world.MaxArgs]int64{1, -2}}, {User: 3, Seq: 9, Target: 1 << 60}}
	msg := AppendInput(nil, membership.Identity{Epoch: 5, Life: 6}, receipt, len(actions))
	for i := range actions {
		msg = world.AppendAction(msg, &actions[i])
	}
	r := wire.NewReader(msg[1:])
	var in Packet
	ReadInput(&r, &in)
	if r.Done() != nil || in.Tag != (membership.Identity{Epoch: 5, Life: 6}).Tag() || in.Receipt != receipt || len(in.Actions) != 2 || in.Actions[0] != actions[0] || in.Actions[1] != actions[1] {
		t.Errorf("arrived as %+v", in)
	}
	// Actions out of order are refused.
	msg = AppendInput(nil, membership.Identity{Epoch: 5, Life: 6}, receipt, 2)
	msg = world.AppendAction(msg, &actions[1])
	msg = world.AppendAction(msg, &actions[0])
	r = wire.NewReader(msg[1:])
	if ReadInput(&r, &in); !r.Failed() {
		t.Error("actions out of order were taken")
	}
}

func TestPrefaceRoundTrip(t *testing.T) {
	s := update.NewSender(update.NewTable(mechanismtest.Marbles(1).Schema()), nil, 1)
	msg, flags := appendPreface(nil, membership.Identity{Epoch: 1, Life: 2}, s, 1<<33, 1<<31, 1<<33-9)
	msg[flags] = flagWhole | pace.LevelMax<<levelShift
	r := wire.NewReader(msg[1:])
	want := Preface{Tag: membership.Identity{Epoch: 1, Life: 2}.Tag(), Header: update.Header{Seq: 1}, Tick: 1 << 33, Whole: true, Seq: 1 << 31, Done: 1<<33 - 9, Level: pace.LevelMax}
	if got := ReadPreface(&r); got != want || r.Done() != nil || msg[0] != KindUpdate {
		t.Errorf("%+v arrived as %+v", want, got)
	}
	msg[flags] = (pace.LevelMax + 1) << levelShift
	r = wire.NewReader(msg[1:])
	if ReadPreface(&r); !r.Failed() {
		t.Error("a level that there is not was taken")
	}
	if len(msg) > HeaderMax {
		t.Errorf("a preface takes %d bytes, more than %d", len(msg), HeaderMax)
	}
}

func FuzzReadInput(f *testing.F) {
	a := world.Action{User: 1, Seq: 1, Args: [world.MaxArgs]int64{5}}
	f.Add(world.AppendAction(AppendInput(nil, membership.Identity{Epoch: 1, Life: 1}, update.Receipt{Number: 1, High: 1}, 1)[1:], &a))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, msg []byte) {
		r := wire.NewReader(msg)
		var in Packet
		ReadInput(&r, &in)
		if r.Done() != nil {
			return
		}
		again := AppendInput(nil, membership.Identity{}, in.Receipt, len(in.Actions))[3:]
		for i := range in.Actions {
			again = world.AppendAction(again, &in.Actions[i])
		}
		if len(again) > len(msg)-2 || len(again) == len(msg)-2 && !bytes.Equal(again, msg[2:]) {
			t.Errorf("%x is written as %x", msg[2:], again)
		}
	})
}

func TestPlaceRoundTrip(t *testing.T) {
	i := membership.Identity{Epoch: 3, Life: 9}
	msg := AppendSeek(nil, i, 70000, 12)
	r := wire.NewReader(msg[1:])
	if got, u, lost := ReadSeek(&r); msg[0] != KindSeek || got != i || u != 70000 || lost != 12 || r.Done() != nil {
		t.Errorf("arrived as %v, %d, %d", got, u, lost)
	}
	msg = AppendPlace(nil, KindMove, i.Tag(), 300)
	r = wire.NewReader(msg[1:])
	if tag, server := ReadPlace(&r); msg[0] != KindMove || tag != i.Tag() || server != 300 || r.Done() != nil {
		t.Errorf("arrived as %d, %d", tag, server)
	}
}
