package bots

import (
	"throng/mechanism"
	"throng/mechanism/central"
	"throng/world"
)

// Light is a client's node reduced to what its server sees of it: it joins, sends its user's actions, and acknowledges what
// comes. It keeps no view and understands no more than it must.
type Light interface {
	mechanism.Node
	mechanism.Arriving
	Act(now world.Time, a world.Action, out *mechanism.Outbox)
}

// newLight returns a mechanism's light client, or nil where it has none.
func newLight(m mechanism.Mechanism, s *mechanism.Session, p mechanism.Place) Light {
	switch m := m.(type) {
	case *central.Config:
		return m.NewLight(s, p)
	}
	return nil
}

// intervalOf is how often a mechanism should bring each client something new, while everything moves.
func intervalOf(m mechanism.Mechanism, w world.World) world.Time {
	switch m := m.(type) {
	case *central.Config:
		if m.Rate > 0 {
			return world.Second / world.Time(m.Rate)
		}
	}
	return w.Schema().Tick
}

// sketch is a world that light users share for want of views.
type sketch struct {
	replica mechanism.Replica
	length  world.Time
	action  world.Action // here, since rules are handed a pointer to it
}

func newSketch(s *mechanism.Session, now world.Time) *sketch {
	k := &sketch{replica: mechanism.NewReplica(s.World, s.Start), length: s.World.Schema().Tick}
	k.replica.State.SetTick(mechanism.TickAt(now, k.length))
	return k
}

// advance brings the sketch to a time. What it missed by more than a few ticks, as when the process was stopped, it leaves
// out.
func (k *sketch) advance(now world.Time) {
	const most = 10
	target := mechanism.TickAt(now, k.length)
	if behind := target - most; k.replica.State.Tick() < behind {
		k.replica.State.SetTick(behind)
	}
	for k.replica.State.Tick() < target {
		k.replica.Advance()
	}
}

// sketched is a light client that shows the sketch.
type sketched struct {
	Light
	sketch *sketch
}

// View is the sketch.
func (s *sketched) View() *world.State { return s.sketch.replica.State }

// Act carries an action out in the sketch and sends it.
func (s *sketched) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	s.sketch.action = a
	s.sketch.replica.Do(&s.sketch.action)
	s.Light.Act(now, a, out)
}
