package optimistic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

// newRun starts a run of three nodes, in which the place of node 2 then falls vacant.
func newRun(t *testing.T, played world.Time) *mechanismtest.Rig {
	t.Helper()
	cfg := param.Default[Config]()
	rig := mechanismtest.StartRig(t, &cfg, newStrip(3, 5), 10*ms)
	rig.Play(int(played / rig.World.Schema().Tick))
	rig.Leave(2)
	return rig
}

// settled is a newcomer that has just got the world of somebody whose oldest checkpoint is at a tick.
func settled(t *testing.T, epoch uint32, first, present world.Tick) *hand {
	t.Helper()
	h := take(t, 2, nil)
	h.until(first)
	h.checkpoints.states[0].Visit(h.replica)
	h.checkpoints.states = h.checkpoints.states[:1]
	h.history.discard(first)
	s := *h.session
	s.Late, s.Epoch = true, epoch
	cfg := param.Default[Config]()
	n := newNode(&cfg, &s, s.Places[1])
	h.now = mechanism.TimeOf(present, h.length)
	if err := n.settleIn(h.now, h.appendSnapshot(nil)); err != nil {
		t.Fatal(err)
	}
	n.strangers = nil
	h.node = n
	return h
}

// A long way to the present is gone in steps.
func TestCatchingUpTakesSeveralCalls(t *testing.T) {
	const behind = 3*latejoin.TicksMax - 10
	h := settled(t, 1, 5, 5+behind)
	for want := behind - latejoin.TicksMax; want > 0; want -= latejoin.TicksMax {
		h.Wake(h.now, &h.out)
		if at, _ := h.out.Wake(); h.Ready() || h.tick != world.Tick(5+behind-want) || at > h.now {
			t.Fatalf("at tick %d of %d, to be woken at %v", h.tick, 5+behind, at)
		}
		if h.View().Tick() != 0 {
			t.Error("the view shows the past")
		}
	}
	h.Wake(h.now, &h.out)
	if !h.Ready() || h.View().Tick() != 5+behind {
		t.Errorf("at tick %d, ready: %t", h.tick, h.Ready())
	}
	if oldest := 5 + behind - h.checkpoints.oldest(); oldest < h.checkpoints.reach || oldest > 2*h.checkpoints.reach {
		t.Errorf("the oldest checkpoint is %d ticks old", oldest)
	}
}

// However old its snapshot is, a newcomer can remember everything from there to as far ahead as actions are believed.
func TestHistoryOfANewcomerIsLongEnough(t *testing.T) {
	for _, history := range []world.Time{world.Second, 8 * world.Second, 17 * world.Second, 25 * world.Second} {
		cfg := param.Default[Config]()
		cfg.History = history
		s := *session(newStrip(3, 0))
		s.Late, s.Epoch = true, 1
		n := newNode(&cfg, &s, s.Places[1])
		s.Start.SetTick(100)
		text := wire.AppendUint(s.Start.Append(nil), 0)
		if err := n.settleIn(mechanism.TimeOf(100+3*n.ahead, n.length), text); err != nil {
			t.Fatal(err)
		}
		x := news{tick: 100 + 4*n.ahead, action: write(1)}
		if !n.valid(&x) || n.valid(&news{tick: x.tick + 1, action: x.action}) {
			t.Errorf("%v: actions are not believed up to tick %d", history, x.tick)
		}
		if len(n.history.ticks) <= int(4*n.ahead) {
			t.Errorf("%v: of %d ticks %d can be remembered", history, 4*n.ahead+1, len(n.history.ticks))
		}
	}
}

// Its numbers are told apart in its epoch, too.
func TestOwnCopiesOfANewcomerAreIgnored(t *testing.T) {
	h := settled(t, 3, 5, 10)
	h.until(15)
	h.reports(h.act(1), "applied 2.1")
	h.until(20)
	h.seq[2]--
	h.reports(h.act(1), "")
	h.shows(20, 1)
}

// What happened before the newcomer came is no news in its view.
func TestTheWayToThePresentIsNotReported(t *testing.T) {
	rig := newRun(t, 2*world.Second)
	rig.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if c.Node == 2 && e.User != 0 {
				t.Errorf("%+v", e)
			}
		}
	}
	if err := rig.Join(2); err != nil {
		t.Fatal(err)
	}
	rig.Advance(world.Second)
	if !rig.Ready(2) {
		t.Error("not ready")
	}
}

func TestNothingIsSentOnceAllHaveCompared(t *testing.T) {
	rig := newRun(t, 2*world.Second)
	if err := rig.Join(2); err != nil {
		t.Fatal(err)
	}
	rig.Advance(2 * world.Second)
	rig.Observe = func(c *mechanismtest.Call) {
		if c.Out.Sends() > 0 {
			t.Errorf("at %v node %d sends a %v", rig.Now(), c.Node, c.Out.Message(0, c.Node).Class)
		}
	}
	rig.Advance(20 * world.Second)
	n := rig.Node(3).(*node)
	if n.guide.Bytes() != 0 {
		t.Errorf("%d bytes of snapshots are still held", n.guide.Bytes())
	}
}

func TestSnapshotsThatAreRefused(t *testing.T) {
	const present = 2000
	write7 := write(7)
	write7.User, write7.Seq = 1, 1
	snapshot := func(seed uint64, tick world.Tick, inputs func(dst []byte) []byte) []byte {
		w := newStrip(3, 5)
		s := world.NewState(w.Schema(), seed)
		w.Populate(s)
		s.SetTick(tick)
		return inputs(s.Append(nil))
	}
	input := func(count, ticks uint64, epoch uint32, change func(*world.Action)) func([]byte) []byte {
		return func(dst []byte) []byte {
			a := write7
			change(&a)
			dst = wire.AppendUint(dst, count)
			for range count {
				dst = wire.AppendUint(dst, ticks)
				dst = wire.AppendUint(dst, uint64(epoch))
				dst = world.AppendAction(dst, &a)
			}
			return dst
		}
	}
	same := func(*world.Action) {}
	good := snapshot(1, 1400, input(1, 0, 3, same))
	for name, text := range map[string][]byte{
		"another world":             snapshot(2, 1400, input(0, 0, 0, same)),
		"one to come":               snapshot(1, present+1, input(0, 0, 0, same)),
		"one of long ago":           snapshot(1, present-3*500-1, input(0, 0, 0, same)),
		"an action of long hence":   snapshot(1, 1400, input(1, present+501-1400, 0, same)),
		"an action of nobody":       snapshot(1, 1400, input(1, 0, 0, func(a *world.Action) { a.User = 0 })),
		"an action of somebody":     snapshot(1, 1400, input(1, 0, 0, func(a *world.Action) { a.User = 4 })),
		"an unknown verb":           snapshot(1, 1400, input(1, 0, 0, func(a *world.Action) { a.Verb = 9 })),
		"an own action":             snapshot(1, 1400, input(1, 0, 2, func(a *world.Action) { a.User = 2 })),
		"the same action twice":     snapshot(1, 1400, input(2, 0, 0, same)),
		"fewer actions than it has": snapshot(1, 1400, func(dst []byte) []byte { return append(input(1, 0, 0, same)(dst), 1) }),
		"more actions than it has":  good[:len(good)-2],
		"nothing":                   nil,
	} {
		h := take(t, 2, nil)
		s := *h.session
		s.Late, s.Epoch = true, 2
		cfg := param.Default[Config]()
		n := newNode(&cfg, &s, s.Places[1])
		now := mechanism.TimeOf(present, h.length)
		if err := n.settleIn(now, text); err == nil {
			t.Errorf("%s is accepted", name)
		}
		if n.tick != 0 || n.history.count != 0 {
			t.Errorf("%s: something is left of it", name)
		}
		if err := n.settleIn(now, good); err != nil {
			t.Errorf("after %s, a good one: %v", name, err)
		}
	}
}

// Who may tell of which action: node 1, in its epoch 4, speaks to node 2, in its epoch 3.
func TestWhoMayTellOfActions(t *testing.T) {
	for _, c := range []struct {
		user  world.User
		old   bool
		epoch uint32
		ok    bool
	}{
		{1, false, 0, true},
		{1, true, 3, true}, // a predecessor's
		{1, true, 4, false},
		{1, true, 5, false},
		{2, true, 2, true}, // a predecessor of the receiver's
		{2, true, 3, false},
		{2, false, 0, false},
		{3, false, 0, false},
		{3, true, 0, false},
	} {
		h := settled(t, 3, 5, 10)
		h.meet(1, 4)
		h.peers[1] = link.New(param.Default[Config]().Link, 1, 4)
		x := news{tick: 7, action: write(1), old: c.old, epoch: c.epoch}
		x.action.User, x.action.Seq = c.user, 1
		got := h.message(1, x.append(nil))
		if c.ok != (h.history.count == 1) || c.ok == strings.HasPrefix(got, "malformed") {
			t.Errorf("%+v: %d are remembered, reported %q", c, h.history.count, got)
		}
	}
}

// compares lets a comparison come and returns to whom what is sent.
func (h *hand) compares(from mechanism.NodeID, c comparison) (sent []string) {
	var out mechanism.Outbox
	h.peers[from].Send(h.now, h.place.ID, mechanism.Control, c.append(nil), link.Unreliable, &out)
	h.Receive(h.now, out.Message(0, from), &h.out)
	for i := range h.out.Sends() {
		m := h.out.Message(i, h.place.ID)
		sent = append(sent, fmt.Sprintf("%d %v", m.To, m.Class))
	}
	h.events()
	return sent
}

func TestComparisonsThatAreIgnored(t *testing.T) {
	for name, c := range map[string]struct {
		c    comparison
		want []string
	}{
		"a new epoch":                 {comparison{epoch: 5}, []string{"1 command", "1 control"}},
		"the same one":                {comparison{epoch: 4}, []string{"1 command", "1 control"}},
		"an earlier epoch":            {comparison{epoch: 3}, nil},
		"an answer":                   {comparison{epoch: 4, yours: 3, answer: true}, []string{"1 command"}},
		"an answer to a predecessor":  {comparison{epoch: 4, yours: 2, answer: true}, nil},
		"where nothing is missing":    {comparison{epoch: 4, theirs: []run{{3, 1, 1}}}, []string{"1 control"}},
		"where the history is behind": {comparison{epoch: 4, first: 12}, []string{"1 control"}},
	} {
		h := settled(t, 3, 5, 10)
		h.until(10)
		h.meet(1, 4)
		h.strangers = []mechanism.NodeID{1}
		h.compareAt = world.Never
		h.act(1)
		h.now += world.Second
		if got := h.compares(1, c.c); !slices.Equal(got, c.want) {
			t.Errorf("%s: sent %q, not %q", name, got, c.want)
		}
		if got := h.compares(1, c.c); len(got) > 0 && !c.c.answer {
			t.Errorf("%s, again at once: sent %q", name, got)
		}
		if c.c.answer && c.want != nil && len(h.strangers) > 0 {
			t.Errorf("%s: it is asked for again", name)
		}
	}
}

// A newcomer can be told of an action that is older than what numbers tell apart, if it lacked it.
func TestOldGapIsFilled(t *testing.T) {
	h := settled(t, 1, 5, 10)
	const missing = 3
	for seq := uint32(1); seq < missing+seenSize+10; seq++ {
		if seq != missing {
			x := news{tick: world.Tick(6 + seq/perTickMax), action: write(1)}
			x.action.User, x.action.Seq = 1, seq
			h.enter(&x)
		}
	}
	count := h.history.count
	x := news{tick: 6, action: write(2)}
	x.action.User, x.action.Seq = 1, missing
	h.message(1, x.append(nil))
	if h.history.count != count+1 {
		t.Error("the gap is still there")
	}
}

func TestRuns(t *testing.T) {
	h := newHistory(1000)
	put := func(tick world.Tick, u world.User, epoch, seq uint32) {
		h.insert(tick, &world.Action{User: u, Seq: seq}, epoch)
	}
	for _, seq := range []uint32{1, 2, 3, 7, 8} {
		put(5, 1, 0, seq)
	}
	put(6, 1, 0, 9)
	put(6, 1, 1, 10)
	put(7, 1, 1, 11)
	runs := h.runs(2)
	if want := []run{{0, 1, 3}, {0, 7, 9}, {1, 10, 11}}; !slices.Equal(runs[1], want) || runs[2] != nil {
		t.Errorf("%v, not %v", runs, want)
	}
	for epoch, seq := range map[uint32]uint32{0: 8, 1: 11} {
		if !covers(runs[1], epoch, seq) {
			t.Errorf("%d:%d is missing", epoch, seq)
		}
	}
	for epoch, seq := range map[uint32]uint32{0: 4, 1: 9} {
		if covers(runs[1], epoch, seq) {
			t.Errorf("%d:%d is there", epoch, seq)
		}
	}
	for i := range world.Tick(2 * runsMax) {
		put(10+i, 2, 0, 2*uint32(i))
	}
	if runs = h.runs(2); len(runs[2]) != runsMax || runs[2][runsMax-1].to != 2*(2*runsMax-1) {
		t.Errorf("%v", runs[2])
	}
}

// FuzzMessages lets anything come from another node, to a newcomer and to one that takes part. Life goes on.
func FuzzMessages(f *testing.F) {
	a := write(7)
	a.User, a.Seq = 3, 1
	classes := []mechanism.Class{mechanism.Command, mechanism.Control, mechanism.Snapshot}
	for _, n := range []news{{tick: 5, action: a}, {tick: 5, action: a, old: true}} {
		f.Add(uint8(0), n.append(nil))
	}
	f.Add(uint8(1), (&comparison{epoch: 1, mine: []run{{0, 1, 3}}}).append(nil))
	f.Add(uint8(1), (&comparison{epoch: 1, yours: 1, answer: true}).append(nil))
	f.Fuzz(func(t *testing.T, class uint8, payload []byte) {
		for _, late := range []bool{false, true} {
			s := *session(newStrip(3, 2))
			s.Late, s.Epoch = late, 1
			cfg := param.Default[Config]()
			n := newNode(&cfg, &s, s.Places[1])
			var out, sent mechanism.Outbox
			n.Wake(0, &out)
			link.New(cfg.Link, 3, 0).Send(0, 2, classes[int(class)%len(classes)], payload, link.Reliable, &sent)
			for range 2 {
				n.Receive(0, sent.Message(0, 3), &out)
			}
			for now := world.Time(0); now < world.Second; now += 50 * ms {
				n.Wake(now, &out)
			}
			if !n.Ready() && !late {
				t.Error("it has lost its world")
			}
		}
	})
}

// FuzzSnapshot lets anything come as a snapshot. What is accepted is a world to live in.
func FuzzSnapshot(f *testing.F) {
	s := *session(newStrip(3, 2))
	cfg := param.Default[Config]()
	guide := newNode(&cfg, &s, s.Places[0])
	f.Add(guide.appendSnapshot(nil))
	for seq := range uint32(3) {
		x := news{tick: world.Tick(10 * seq), action: write(int64(1 + seq))}
		x.action.User, x.action.Seq = world.User(1+seq), seq
		guide.enter(&x)
	}
	f.Add(guide.appendSnapshot(nil))
	s.Late, s.Epoch = true, 1
	f.Fuzz(func(t *testing.T, text []byte) {
		n := newNode(&cfg, &s, s.Places[1])
		now := 15 * n.length
		if n.settleIn(now, text) != nil {
			return
		}
		var out mechanism.Outbox
		for range 40 {
			n.Wake(now, &out)
			now += n.length
		}
		if !n.Ready() || n.View().Tick() != mechanism.TickAt(now, n.length)-1 {
			t.Errorf("ready: %t, at tick %d", n.Ready(), n.View().Tick())
		}
	})
}
