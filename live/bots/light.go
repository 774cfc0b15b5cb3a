package bots

import (
	"throng/mechanism"
	"throng/world"
)

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
	mechanism.LightClient
	sketch *sketch
}

// View is the sketch.
func (s *sketched) View() *world.State { return s.sketch.replica.State }

// Act carries an action out in the sketch and sends it.
func (s *sketched) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	s.sketch.action = a
	s.sketch.replica.Do(&s.sketch.action)
	s.LightClient.Act(now, a, out)
}
