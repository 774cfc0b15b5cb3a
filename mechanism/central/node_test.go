package central

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/viewer"
	"throng/world"
	"throng/world/fixed"
)

func TestPlaces(t *testing.T) {
	c := param.Default[Config]()
	places := c.Places(mechanismtest.Marbles(2))
	want := []mechanism.Place{{ID: 1, Role: "server"}, {ID: 2, Role: "client", User: 1}, {ID: 3, Role: "client", User: 2}}
	for i := range want {
		if places[i] != want[i] {
			t.Errorf("place %d is %+v, want %+v", i, places[i], want[i])
		}
	}
	if p := c.Admit(7); p.ID != 8 || p.User != 7 {
		t.Errorf("user 7 is admitted at %+v", p)
	}
	if _, err := c.NewNode(&mechanism.Session{World: mechanismtest.Marbles(1)}, mechanism.Place{ID: 9}); err == nil {
		t.Error("a client without a user is built")
	}
}

// late has somebody join a run under way, and hands messages between them and the server for some ticks.
func late(t *testing.T, r *mechanismtest.Rig, u world.User, epoch uint32, ticks int) *viewer.Client {
	t.Helper()
	session := *r.Session
	session.Late, session.Epoch = true, epoch
	config := authorityOf(r).config
	node, err := config.NewNode(&session, config.Admit(u))
	if err != nil {
		t.Fatal(err)
	}
	c := node.(*viewer.Client)
	talk(r, c, ticks)
	return c
}

// talk hands messages between the server and a client that is not part of the rig.
func talk(r *mechanismtest.Rig, c *viewer.Client, ticks int) {
	var out mechanism.Outbox
	id := server + mechanism.NodeID(c.User())
	var mail []mechanism.Message
	r.Observe = func(call *mechanismtest.Call) {
		for i := range call.Out.Sends() {
			if m := call.Out.Message(i, call.Node); m.To == id {
				m.Payload = append([]byte(nil), m.Payload...)
				mail = append(mail, m)
			}
		}
	}
	for range ticks {
		c.Wake(r.Now(), &out)
		for i := range out.Sends() {
			r.Give(out.Message(i, id))
		}
		out.Reset()
		r.Advance(r.World.Schema().Tick)
		for _, m := range mail {
			c.Receive(r.Now(), m, &out)
		}
		mail = mail[:0]
		out.Reset()
	}
	r.Observe = nil
}

func TestLateUserEnters(t *testing.T) {
	r := newRig(t, newWalkers(3, 3), nil)
	r.Advance(world.Second)
	c := late(t, r, 9, 0, 10)
	if !c.Ready() || c.View().Get(9) == nil || c.View().Len() != 4 {
		t.Errorf("ready: %v, sees %d things, itself: %v", c.Ready(), c.View().Len(), c.Holds(9))
	}
	if r.View(2).Get(9) == nil {
		t.Error("the others do not see who came")
	}
	var out mechanism.Outbox
	c.Leave(r.Now(), &out)
	r.Give(out.Message(0, 10))
	r.Advance(world.Second)
	if r.View(2).Get(9) != nil {
		t.Error("the others still see who left")
	}
	if authorityOf(r).members.At(10) != nil {
		t.Error("the server still knows who left")
	}
}

// In a world that cannot be entered there is no room for more users than it has.
func TestNoRoomForMore(t *testing.T) {
	r := newRig(t, mechanismtest.Marbles(2), nil)
	if c := late(t, r, 3, 0, 10); c.Ready() {
		t.Error("a third user joined two")
	}
	r = newRig(t, newWalkers(3, 3), func(c *Config) { c.Clients = 4 })
	r.Advance(world.Second)
	if c := late(t, r, 8, 0, 10); !c.Ready() {
		t.Error("a fourth client was refused where there is room for four")
	}
	if c := late(t, r, 9, 0, 10); c.Ready() {
		t.Error("a fifth client joined where there is room for four")
	}
}

// Who takes over a place is told everything, whatever its earlier holder had been told.
func TestNextHolder(t *testing.T) {
	r := newRig(t, newWalkers(3, 3), nil)
	r.Advance(world.Second)
	first := late(t, r, 9, 0, 10)
	second := late(t, r, 9, 1, 10)
	if !second.Ready() || second.View().Len() != first.View().Len() {
		t.Errorf("the second holder sees %d things, the first saw %d", second.View().Len(), first.View().Len())
	}
	// What the first says now is not heard.
	m := authorityOf(r).members.At(10)
	before := m.Heard
	talk(r, first, 3)
	if m.Heard != before || m.Identity.Epoch != 1 {
		t.Error("the server heard somebody who no longer holds the place")
	}
}

func TestTooManyActions(t *testing.T) {
	r := newRig(t, mechanismtest.Marbles(2), func(c *Config) { c.Actions = 2 })
	r.Advance(world.Second)
	dropped := events{}.of(r, server)
	for range 60 {
		r.Act(1, count(1))
	}
	r.Act(2, count(1))
	r.Advance(world.Second)
	if n := dropped[mechanism.Dropped]; n < 10 || n > 60-input.ActionsMax {
		t.Errorf("%d of 60 actions at once were dropped; %d may be saved up and 2 a tick carried out", n, input.ActionsMax)
	}
	if n := len(clientOf(r, 1).Pending.Actions); n != 0 {
		t.Errorf("%d actions are never answered", n)
	}
	if got := r.View(3).Get(mechanismtest.TallyOf(r.World)); got.Attr[mechanismtest.TallySum] == 0 {
		t.Error("nothing was counted")
	}
}

// However many a user takes, those that cannot wait for an answer are dropped at once.
func TestTooManyUnanswered(t *testing.T) {
	r := newRig(t, mechanismtest.Marbles(2), nil)
	r.Advance(world.Second)
	r.Network = func(mechanism.Message) (world.Time, bool) { return 0, true }
	got := events{}.of(r, 2)
	for range input.PendingMax + 5 {
		r.Act(1, push(fixed.One, 0))
	}
	if got[mechanism.Applied] != input.PendingMax || got[mechanism.Dropped] != 5 {
		t.Errorf("%d applied and %d dropped", got[mechanism.Applied], got[mechanism.Dropped])
	}
}

// An action that the world does not know never leaves the client.
func TestSenselessAction(t *testing.T) {
	r := newRig(t, mechanismtest.Marbles(2), nil)
	r.Advance(world.Second)
	got := events{}.of(r, 2)
	r.Act(1, count(1000))
	if got[mechanism.Dropped] != 1 || len(clientOf(r, 1).Pending.Actions) != 0 {
		t.Errorf("reported %v", got)
	}
}

func TestEnterAndLeaveAreActions(t *testing.T) {
	r := newRig(t, newWalkers(3, 3), nil)
	r.Advance(world.Second)
	got := events{}.of(r, 2)
	r.Act(1, world.Action{Verb: world.Leave})
	r.Act(1, steering(fixed.One, 0)) // nobody is there to do it
	r.Advance(world.Second)
	if r.View(2).Len() != 0 || r.View(3).Get(1) != nil {
		t.Errorf("after leaving the user sees %d things and is seen: %v", r.View(2).Len(), r.View(3).Get(1) != nil)
	}
	r.Act(1, world.Action{Verb: world.Enter})
	r.Advance(world.Second)
	if r.View(2).Len() != 3 || r.View(3).Get(1) == nil {
		t.Errorf("after entering the user sees %d things and is seen: %v", r.View(2).Len(), r.View(3).Get(1) != nil)
	}
	if got[mechanism.Applied] != 2 || got[mechanism.Dropped] != 1 {
		t.Errorf("reported %v, want two actions applied and one dropped", got)
	}
}

// With nothing between them and no other's doing, the predicted view is never wrong.
func TestPredictionHolds(t *testing.T) {
	r := newRig(t, newWalkers(1, 1), nil)
	r.Advance(world.Second)
	r.Act(1, steering(fixed.One, 0))
	r.Advance(world.Second)
	got := events{}.of(r, 2)
	r.Play(100)
	r.Advance(world.Second)
	if got[mechanism.Rollback] != 0 || got[mechanism.Confirmed] < 10 || got[mechanism.Confirmed] != got[mechanism.Applied] {
		t.Errorf("reported %v", got)
	}
}

// The ghost is what the server said, while the view is ahead of it.
func TestGhost(t *testing.T) {
	r := newRig(t, newWalkers(2, 2), nil)
	c := clientOf(r, 1)
	if c.Ghost() != nil {
		t.Error("there is a ghost before the server has said anything")
	}
	r.Advance(world.Second)
	before := *r.View(2).Get(1)
	r.Act(1, steering(fixed.One, 0))
	r.World.Schema().Round(&before)
	if g := c.Ghost(); *g.Get(1) != before || g.Len() != 2 {
		t.Errorf("the ghost is at %+v, want %+v", *g.Get(1), before)
	}
	if r.View(2).Get(1).Vel.X != fixed.One {
		t.Error("the view shows no more than the ghost")
	}
	r.Advance(world.Second)
	if c.Ghost().Get(1).Vel.X != fixed.One {
		t.Error("the ghost does not follow")
	}
}

// Others' actions are observed once each, when their effects show: some time after they have arrived, where views interpolate.
func TestObservation(t *testing.T) {
	r := newRig(t, newWalkers(2, 2), nil)
	r.Advance(world.Second)
	seen := map[uint32]world.Time{}
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if c.Node == 3 && e.Name == mechanism.Applied && e.User == 1 {
				if _, twice := seen[e.Seq]; twice {
					t.Errorf("action %d was observed twice", e.Seq)
				}
				seen[e.Seq] = r.Now()
			}
		}
	}
	taken := map[uint32]world.Time{}
	for i := range 30 {
		a := r.Act(1, steering(fixed.One, fixed.FromInt(int64(i%3-1))))
		taken[a.Seq] = r.Now()
		r.Advance(70 * ms)
	}
	r.Advance(world.Second)
	for seq, at := range taken {
		if delay := seen[seq] - at; delay < 150*ms || delay > 320*ms {
			t.Errorf("action %d was observed after %v; the way takes 40 ms, the wait for an update up to 100 ms, and the view is some more behind", seq, delay)
		}
	}
}

func TestHeartbeat(t *testing.T) {
	r := newRig(t, newWalkers(2, 2), func(c *Config) { c.Timeout = 2 * world.Second })
	r.Advance(20 * world.Second)
	if n := authorityOf(r).members.Len(); n != 2 {
		t.Errorf("%d clients are left after a long rest", n)
	}
	if e := clientOf(r, 1).Identity; e.Life != 1 {
		t.Errorf("a client joined %d times", e.Life)
	}
}

func TestServerThatForgot(t *testing.T) {
	r := newRig(t, newWalkers(2, 2), func(c *Config) { c.Timeout = 2 * world.Second })
	r.Advance(world.Second)
	n := authorityOf(r)
	n.dismiss(r.Now(), n.members.At(2))
	r.Advance(5 * world.Second)
	if !clientOf(r, 1).Ready() || r.View(2).Get(1) == nil || r.View(2).Get(2) == nil {
		t.Error("a client that the server has forgotten does not come back")
	}
}

// Actions that wait for the next tick are carried out there, in the order of their arrival, also if a client has left.
func TestExecuteAtTick(t *testing.T) {
	r := newRig(t, mechanismtest.Marbles(2), func(c *Config) { c.Execute = AtTick })
	r.Advance(world.Second)
	n := authorityOf(r)
	for _, u := range []world.User{2, 1} {
		r.Act(u, count(int64(u)))
		r.Advance(5 * ms)
	}
	r.Advance(17 * ms)
	sum := func() int64 { return n.replica.State.Get(mechanismtest.TallyOf(r.World)).Attr[mechanismtest.TallySum] }
	if len(n.queue) != 2 || sum() != 0 {
		t.Errorf("%d actions wait, the sum is %d", len(n.queue), sum())
	}
	n.forget(r.Now(), n.members.At(2))
	r.Advance(50 * ms)
	if len(n.queue) != 0 || sum() != 2 {
		t.Errorf("%d actions wait, the sum is %d; want that of the one who is still there", len(n.queue), sum())
	}
}

func TestLightClient(t *testing.T) {
	w := newWalkers(3, 3)
	r := newRig(t, w, nil)
	config := authorityOf(r).config
	light := config.NewLight(r.Session, config.Admit(9)).(*Light)
	var out mechanism.Outbox
	var mail []mechanism.Message
	r.Observe = func(call *mechanismtest.Call) {
		for i := range call.Out.Sends() {
			if m := call.Out.Message(i, call.Node); m.To == 10 {
				m.Payload = append([]byte(nil), m.Payload...)
				mail = append(mail, m)
			}
		}
	}
	wake, seq := world.Time(0), uint32(0)
	finish := func() {
		for i := range out.Sends() {
			r.Give(out.Message(i, 10))
		}
		if at, asked := out.Wake(); asked {
			wake = at
		}
		out.Reset()
	}
	for range 500 {
		if wake <= r.Now() {
			light.Wake(r.Now(), &out)
			finish()
		}
		if r.Now()%(100*ms) == 0 && light.Ready() {
			seq++
			a := steering(fixed.One, 0)
			a.User, a.Seq = 9, seq
			light.Act(r.Now(), a, &out)
			finish()
		}
		r.Advance(20 * ms)
		for _, m := range mail {
			light.Receive(r.Now(), m, &out)
			finish()
		}
		mail = mail[:0]
	}
	m := authorityOf(r).members.At(10)
	if m == nil || m.Executed < 90 || m.Executed+2 < seq || len(light.Pending.Actions) > 2 {
		t.Errorf("the server has carried out %+v of %d actions", m, seq)
	}
	if m.Sender.Blocked() {
		t.Error("the server waits for receipts")
	}
}

// A server that takes another's place begins the world again, at the present tick, and those who were members come back at once.
func TestServerIsReplaced(t *testing.T) {
	r := newRig(t, newWalkers(2, 2), nil)
	r.Advance(20 * world.Second)
	if err := r.Join(server); err != nil {
		t.Fatal(err)
	}
	if got, want := authorityOf(r).tick, mechanism.TickAt(r.Now(), r.World.Schema().Tick); got != want {
		t.Errorf("it begins at tick %d, want %d", got, want)
	}
	r.Advance(4 * world.Second)
	if authorityOf(r).members.Len() != 2 || !clientOf(r, 1).Ready() || r.View(2).Get(1) == nil {
		t.Errorf("%d members are back", authorityOf(r).members.Len())
	}
}
