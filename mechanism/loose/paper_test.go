package loose

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// One test per claim of Adam, chapter IV.1, in the order of the text; the last is from chapter IX.

// sends lists when a node sends from now on, and what.
type sends struct {
	at      []world.Time
	objects [][]world.ID
}

func watch(t *testing.T, r *mechanismtest.Rig, id mechanism.NodeID) *sends {
	s := &sends{}
	r.Observe = func(c *mechanismtest.Call) {
		if c.Node != id || c.Out.Sends() == 0 {
			return
		}
		var u update
		if err := u.read(r.World.Schema(), r.World.Users(), c.Out.Message(0, id).Payload); err != nil {
			t.Fatal(err)
		}
		var ids []world.ID
		for _, o := range u.objects {
			ids = append(ids, o.ID)
		}
		s.at, s.objects = append(s.at, r.Now()), append(s.objects, ids)
	}
	return s
}

// IV.1: regular full updates at any given frequency.
func TestPaperRegularUpdates(t *testing.T) {
	for _, interval := range []world.Time{100 * world.Millisecond, 350 * world.Millisecond, 120 * world.Millisecond, world.Second} {
		config := param.Default[Config]()
		config.Interval = interval
		r := newRig(t, &config, 2)
		s := watch(t, r, 1)
		const span = 42 * world.Second // a multiple of all of them
		r.Advance(span)
		if got, want := len(s.at), int(span/interval); got != want {
			t.Errorf("%d full updates in %v, want %d every %v", got, span, want, interval)
		}
	}
}

// IV.1: regular updates are only sent during a tick, so that a higher frequency than the ticks' is of no use.
func TestPaperUpdatesLeaveDuringATick(t *testing.T) {
	config := param.Default[Config]()
	config.Interval = 3 * world.Millisecond
	r := newRig(t, &config, 2)
	s := watch(t, r, 1)
	r.Advance(world.Second)
	if len(s.at) != 20 {
		t.Errorf("%d updates in 20 ticks", len(s.at))
	}
	for _, at := range s.at {
		if at%tick != 0 {
			t.Errorf("an update left at %v, between two ticks", at)
		}
	}
}

// IV.1: even in a full update, only objects that this host owns are sent.
func TestPaperOnlyOwnedObjectsAreSent(t *testing.T) {
	config := param.Default[Config]()
	r := newRig(t, &config, 3)
	r.Network = mechanismtest.Constant(0)
	for id := mechanism.NodeID(1); id <= 3; id++ {
		s := watch(t, r, id)
		user := r.Session.Places[id-1].User
		r.Advance(world.Second)
		own := false
		for _, objects := range s.objects {
			for _, object := range objects {
				o := r.View(id).Get(object)
				own = own || o.User == user
				if o.User != 0 && o.User != user {
					t.Errorf("node %d sends object %d of user %d", id, object, o.User)
				}
			}
		}
		if !own {
			t.Errorf("node %d does not send its own marble", id)
		}
	}
}

// IV.1: user input changes only the player instance, not the ghost.
func TestPaperInputChangesThePlayerOnly(t *testing.T) {
	r := newQuiet(t, 2)
	n := r.Node(1).(*node)
	before := n.ghosts.list[0]
	r.Act(1, push(20, 0))
	if n.ghosts.list[0] != before {
		t.Error("the ghost has changed")
	}
	if n.View().Get(1).Vel.X != 20*fixed.One {
		t.Error("the player has not")
	}
}

// IV.1: an object that is farther from its ghost than its threshold is sent, alone, in that tick.
func TestPaperStrayingObjectIsSentAtOnce(t *testing.T) {
	config := param.Default[Config]()
	config.Interval, config.Phase = world.Minute, Together
	config.Threshold = map[string]fixed.F{"marble": 5 * fixed.One}
	r := newRig(t, &config, 2)
	s := watch(t, r, 1)
	r.Act(1, push(40, 0)) // 2, 3.9, 5.7 away after as many ticks
	r.Advance(2 * tick)
	if len(s.at) != 0 {
		t.Fatalf("sent at %v, before the threshold was crossed", s.at)
	}
	r.Advance(tick)
	if len(s.at) != 1 || len(s.objects[0]) != 1 || s.objects[0][0] != 1 {
		t.Errorf("sent at %v: objects %v; want marble 1 alone, at 150ms", s.at, s.objects)
	}
}

// IV.1: the distance is between places, Euclidean; velocity is not used.
func TestPaperDistanceIsOfPlaces(t *testing.T) {
	at := func(x, y, speed int64) *world.Object {
		return &world.Object{Pos: fixed.Vec{X: fixed.FromInt(x), Y: fixed.FromInt(y)}, Vel: fixed.Vec{X: fixed.FromInt(speed)}}
	}
	for _, c := range []struct {
		object, ghost *world.Object
		want          bool
	}{
		{at(3, 4, 0), at(0, 0, 0), false}, // 5 is not more than 5
		{at(4, 4, 0), at(0, 0, 0), true},
		{at(0, 0, 90), at(0, 0, -90), false},
	} {
		if got := strayed(c.object, c.ghost, 5*fixed.One); got != c.want {
			t.Errorf("%v and %v: %v", c.object.Pos, c.ghost.Pos, got)
		}
	}
}

// IV.1: whenever an update is sent, for any reason, the ghost becomes like the player.
func TestPaperUpdateResetsTheGhost(t *testing.T) {
	for name, interval := range map[string]world.Time{"regular": tick, "straying": world.Minute} {
		config := param.Default[Config]()
		config.Interval, config.Phase = interval, Together
		config.Threshold = map[string]fixed.F{"marble": 0}
		r := newRig(t, &config, 2)
		n := r.Node(1).(*node)
		s := watch(t, r, 1)
		r.Act(1, push(40, 0))
		r.Advance(tick)
		if len(s.at) != 1 {
			t.Fatalf("%s: sent at %v", name, s.at)
		}
		if n.ghosts.list[0] != *n.View().Get(1) {
			t.Errorf("%s: the ghost is at %v, the player at %v", name, n.ghosts.list[0].Pos, n.View().Get(1).Pos)
		}
	}
}

// IV.1: dead reckoning takes a message's object from the time of sending to now, before it overwrites the local state.
func TestPaperDeadReckoning(t *testing.T) {
	r := newQuiet(t, 2)
	r.Advance(10 * tick)
	o := *r.View(2).Get(1)
	o.Vel.X = 20 * fixed.One // a unit per tick
	give(r, 1, 2, datagram(r, 6, nil, o))
	want := o.Pos.X + 20*fixed.One.MulInt(4).Mul(world.Seconds(tick))
	if got := r.View(2).Get(1).Pos.X; got.Mul(1000*fixed.One).Round() != want.Mul(1000*fixed.One).Round() {
		t.Errorf("after 4 ticks on the way it is at %v, want %v", got, want)
	}
}

// IV.1: the owner does not accept updates for its object; all others do, and overwrite theirs.
func TestPaperOwnerRefusesOthersAccept(t *testing.T) {
	r := newQuiet(t, 3)
	r.Advance(10 * tick)
	o := *r.View(3).Get(1)
	o.Pos.Y += 10 * fixed.One
	for id := mechanism.NodeID(1); id <= 3; id++ {
		give(r, 4-id, id, datagram(r, 10, nil, o))
	}
	if r.View(1).Get(1).Pos == o.Pos {
		t.Error("the owner has accepted an update")
	}
	if r.View(3).Get(1).Pos != o.Pos {
		t.Error("another has not")
	}
}

// IV.1: an object that belongs to nobody is passed round, switching every few seconds.
func TestPaperOwnershipRoundRobin(t *testing.T) {
	config := param.Default[Config]()
	config.Interval = 100 * world.Millisecond
	r := newRig(t, &config, 3)
	r.Network = mechanismtest.Constant(0)
	stray := mechanismtest.Stray(r.World)
	var turns []mechanism.NodeID
	r.Observe = func(c *mechanismtest.Call) {
		for i := range c.Out.Sends() {
			var u update
			if err := u.read(r.World.Schema(), 3, c.Out.Message(i, c.Node).Payload); err != nil {
				t.Fatal(err)
			}
			for _, o := range u.objects {
				if o.ID == stray && (len(turns) == 0 || turns[len(turns)-1] != c.Node) {
					turns = append(turns, c.Node)
				}
			}
		}
	}
	r.Advance(4*world.Second - 1)
	if len(turns) != 4 || turns[0] != 1 || turns[1] != 2 || turns[2] != 3 || turns[3] != 1 {
		t.Errorf("the stray marble was sent by nodes %v in turn", turns)
	}
}

// IV.1: messages for an object for which a newer one has arrived are discarded.
func TestPaperOutOfOrderIsDiscarded(t *testing.T) {
	r := newQuiet(t, 2)
	r.Advance(10 * tick)
	old, new := *r.View(2).Get(1), *r.View(2).Get(1)
	old.Pos.Y -= 10 * fixed.One
	new.Pos.Y += 10 * fixed.One
	give(r, 1, 2, datagram(r, 9, nil, new))
	reported := events(r)
	give(r, 1, 2, datagram(r, 7, nil, old))
	if got := r.View(2).Get(1).Pos; got != new.Pos {
		t.Errorf("it is at %v, want %v", got, new.Pos)
	}
	if len(*reported) != 1 || (*reported)[0].Name != mechanism.Late || (*reported)[0].Value != int64(2*tick) {
		t.Errorf("reported %v, want late by two ticks", *reported)
	}
}

// IX.12: eight hosts with an interval of 0.35 s send 20 packets a second each.
func TestPaperPacketsPerSecond(t *testing.T) {
	config := param.Default[Config]()
	r := newRig(t, &config, 8)
	sent := 0
	r.Observe = func(c *mechanismtest.Call) {
		if c.Node == 1 {
			sent += c.Out.Sends()
		}
	}
	r.Network = mechanismtest.Constant(100 * world.Millisecond)
	r.Advance(35 * world.Second)
	if sent != 35*20 {
		t.Errorf("%d packets in 35 s, want 700", sent)
	}
}
