package loose

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

const tick = 50 * world.Millisecond

func TestConform(t *testing.T) {
	config := param.Default[Config]()
	mechanismtest.Conform(t, &config, mechanismtest.Options{
		Heartbeat: 350 * world.Millisecond,
		Agrees:    mechanismtest.Roughly,
		Heals:     true,
	})
}

func newRig(t testing.TB, config *Config, users world.User) *mechanismtest.Rig {
	t.Helper()
	r, err := mechanismtest.NewRig(config, mechanismtest.Marbles(users), 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Start()
	return r
}

// newQuiet returns a rig in which only what strays is sent.
func newQuiet(t testing.TB, users world.User) *mechanismtest.Rig {
	t.Helper()
	config := param.Default[Config]()
	config.Interval, config.Phase = world.Minute, Together
	return newRig(t, &config, users)
}

// firstSends returns when each node sends for the first time.
func firstSends(r *mechanismtest.Rig) []world.Time {
	first := make([]world.Time, len(r.Session.Places))
	r.Observe = func(c *mechanismtest.Call) {
		if c.Out.Sends() > 0 && first[c.Node-1] == 0 {
			first[c.Node-1] = r.Now()
		}
	}
	r.Advance(world.Second)
	return first
}

func push(x, y int64) world.Action {
	return world.Action{Verb: mechanismtest.Push, Args: [world.MaxArgs]int64{int64(fixed.FromInt(x)), int64(fixed.FromInt(y))}}
}

// events collects what nodes report from now on.
func events(r *mechanismtest.Rig) *[]mechanism.Event {
	var all []mechanism.Event
	r.Observe = func(c *mechanismtest.Call) { all = append(all, c.Out.Events()...) }
	return &all
}

// datagram writes an update by hand.
func datagram(r *mechanismtest.Rig, stamp world.Tick, removed []world.ID, objects ...world.Object) []byte {
	var w writer
	w.begin(stamp)
	for i := range objects {
		w.put(r.World.Schema(), &objects[i])
	}
	for _, id := range removed {
		w.remove(id)
	}
	w.end()
	return w.buf
}

func give(r *mechanismtest.Rig, from, to mechanism.NodeID, payload []byte) {
	r.Give(mechanism.Message{From: from, To: to, Class: mechanism.Update, Payload: payload})
}

func TestActionOnAnothersObjectLastsUntilTheNextUpdate(t *testing.T) {
	r := newQuiet(t, 2)
	a := push(20, 0)
	a.Target = 2
	r.Act(1, a)
	r.Advance(10 * tick)
	if n := len(r.Flights()); n != 0 {
		t.Fatalf("%d datagrams for an object that somebody else answers for", n)
	}
	if r.View(1).Get(2).Pos == r.View(2).Get(2).Pos {
		t.Fatal("the action had no effect in the actor's view")
	}
	give(r, 2, 1, datagram(r, 10, nil, *r.View(2).Get(2)))
	if r.View(1).Get(2).Pos != r.View(2).Get(2).Pos {
		t.Error("the update did not undo it")
	}
}

func TestNewObjectIsSentAtOnce(t *testing.T) {
	r := newQuiet(t, 2)
	r.Network = mechanismtest.Constant(0)
	before := r.View(2).Len()
	r.Act(1, world.Action{Verb: mechanismtest.Drop})
	r.Advance(tick)
	if r.View(2).Len() != before+1 {
		t.Error("the pebble has not reached the other view")
	}
	sent := 0
	r.Observe = func(c *mechanismtest.Call) { sent += c.Out.Sends() }
	r.Advance(5 * tick)
	if sent != 0 {
		t.Errorf("%d datagrams for a pebble that everybody knows of", sent)
	}
}

func TestRemovalIsToldInThreeFullUpdates(t *testing.T) {
	config := param.Default[Config]()
	config.Interval, config.Phase = 100*world.Millisecond, Together
	r := newRig(t, &config, 2)
	r.Act(1, world.Action{Verb: mechanismtest.Drop})
	r.Advance(tick)
	state := r.Node(1).(*node).replica.State
	for o := range state.All() {
		if o.Kind == mechanismtest.Pebble {
			state.Remove(o.ID)
			break
		}
	}
	told := 0
	r.Observe = func(c *mechanismtest.Call) {
		for i := range c.Out.Sends() {
			var u update
			if err := u.read(r.World.Schema(), 2, c.Out.Message(i, c.Node).Payload); err != nil {
				t.Fatal(err)
			}
			told += len(u.removed)
		}
	}
	r.Advance(world.Second)
	if told != removalRepeats {
		t.Errorf("it was told %d times", told)
	}
}

func TestRemovedObjectDoesNotComeBack(t *testing.T) {
	r := newQuiet(t, 3)
	r.Advance(10 * tick)
	pebble := world.Object{ID: 77, Kind: mechanismtest.Pebble, User: 1}
	pebble.Attr[mechanismtest.PebbleLeft] = 30
	give(r, 1, 2, datagram(r, 5, nil, pebble))
	if r.View(2).Get(77) == nil {
		t.Fatal("the update did not create it")
	}
	give(r, 1, 2, datagram(r, 8, []world.ID{77}))
	if r.View(2).Get(77) != nil {
		t.Fatal("the removal did not remove it")
	}
	reported := events(r)
	give(r, 1, 2, datagram(r, 7, nil, pebble))
	if r.View(2).Get(77) != nil {
		t.Error("an update sent before the removal brought it back")
	}
	if len(*reported) != 1 || (*reported)[0].Name != mechanism.Late || (*reported)[0].Value != int64(tick) {
		t.Errorf("reported %v, want late by a tick", *reported)
	}
	give(r, 1, 2, datagram(r, 9, nil, pebble))
	if r.View(2).Get(77) == nil {
		t.Error("an update sent after the removal did not bring it back")
	}
}

// If the removal overtakes everything else about the object, the object never appears.
func TestRemovalBeforeCreation(t *testing.T) {
	r := newQuiet(t, 2)
	r.Advance(10 * tick)
	give(r, 1, 2, datagram(r, 8, []world.ID{77}))
	give(r, 1, 2, datagram(r, 7, nil, world.Object{ID: 77, Kind: mechanismtest.Pebble, User: 1}))
	if r.View(2).Get(77) != nil {
		t.Error("it appeared")
	}
}

func TestUnnamedObjectIsGivenUp(t *testing.T) {
	config := param.Default[Config]()
	config.Interval = 100 * world.Millisecond
	r := newRig(t, &config, 2)
	r.Network = mechanismtest.Constant(0)
	r.Advance(tick)
	pebble := world.Object{ID: 77, Kind: mechanismtest.Pebble, User: 2}
	pebble.Attr[mechanismtest.PebbleLeft] = 30
	r.Node(1).(*node).replica.State.Put(pebble)
	r.Advance(doubtIntervals * config.Interval)
	if r.View(1).Get(77) == nil {
		t.Error("it was given up too early")
	}
	r.Advance(2 * tick)
	if r.View(1).Get(77) != nil {
		t.Error("it was not given up")
	}
}

func TestReceiveRefusesWhatMakesNoSense(t *testing.T) {
	marble := world.Object{ID: 2, Kind: mechanismtest.Marble, User: 2}
	with := func(change func(*world.Object)) world.Object {
		o := marble
		change(&o)
		return o
	}
	for _, c := range []struct {
		name   string
		stamp  world.Tick
		object world.Object
	}{
		{"a user who does not exist", 1, with(func(o *world.Object) { o.User = 4 })},
		{"a place outside the world", 1, with(func(o *world.Object) { o.Pos.X = -fixed.One })},
		{"a speed beyond the greatest", 1, with(func(o *world.Object) { o.Vel.Y = 1000 * fixed.One })},
		{"another kind than it is", 1, with(func(o *world.Object) { o.Kind = mechanismtest.Pebble })},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newQuiet(t, 3)
			r.Advance(10 * tick)
			before := r.View(3).Hash()
			reported := events(r)
			// A sound object comes first: nothing of a bad datagram may be used.
			give(r, 2, 3, datagram(r, c.stamp, nil, world.Object{ID: 1, Kind: mechanismtest.Marble, User: 1}, c.object))
			if len(*reported) != 1 || (*reported)[0].Name != mechanism.Malformed {
				t.Errorf("reported %v", *reported)
			}
			if r.View(3).Hash() != before {
				t.Error("it changed the view")
			}
		})
	}
}

func TestClockAheadIsTakenAsNow(t *testing.T) {
	r := newQuiet(t, 2)
	r.Advance(10 * tick)
	o := *r.View(2).Get(1)
	o.Vel.X = 20 * fixed.One
	give(r, 1, 2, datagram(r, 15, nil, o))
	if got := r.View(2).Get(1); got.Pos != o.Pos || got.Vel != o.Vel {
		t.Errorf("it became %v, want %v as it was sent", *got, o)
	}
}

func TestExtrapolationIsConfined(t *testing.T) {
	r := newQuiet(t, 2)
	r.Advance(20 * tick)
	o := *r.View(2).Get(1)
	o.Pos.X, o.Vel.X = fixed.One, -100*fixed.One
	give(r, 1, 2, datagram(r, 1, nil, o))
	if got := r.View(2).Get(1).Pos.X; got != 0 {
		t.Errorf("it is at %v, want the wall", got)
	}
}

// What does not fit into one datagram goes into several, each of which can be used without the others.
func TestLongUpdateIsSplit(t *testing.T) {
	r := newQuiet(t, 2)
	const pebbles = 500
	state := r.Node(1).(*node).replica.State
	for i := range pebbles {
		o := world.Object{ID: world.ID(1000 + 1000*i), Kind: mechanismtest.Pebble, User: 1}
		o.Attr[mechanismtest.PebbleLeft] = 30
		state.Put(o)
	}
	r.Advance(tick)
	for i, f := range r.Flights() {
		if len(f.Payload) > datagramMax || len(f.Payload) < datagramMax/2 && i < len(r.Flights())-1 {
			t.Errorf("datagram %d has %d bytes", i, len(f.Payload))
		}
	}
	for len(r.Flights()) > 0 {
		r.Deliver(len(r.Flights()) - 1)
	}
	if got := r.View(2).Len() - r.Session.Start.Len(); got != pebbles {
		t.Errorf("%d pebbles arrived", got)
	}
}

func TestBytes(t *testing.T) {
	small, large := newQuiet(t, 2), newQuiet(t, 200)
	a, b := small.Node(1).(mechanism.Sized).Bytes(), large.Node(1).(mechanism.Sized).Bytes()
	if a <= 0 || b <= a {
		t.Errorf("%d bytes with 2 users, %d with 200", a, b)
	}
}
