package rts

import (
	"throng/world"
	"throng/world/fixed"
)

// The attributes that everything that walks has: where it goes or, if it stands, went last.
const (
	attrGoalX = 0
	attrGoalY = 1
)

// gait is how something walks: in a straight line to its goal, where it stops. The way takes a whole number of ticks, at just
// the speed for that, so that nothing needs deciding on it; the velocity stays as it is until something gets in the way.
type gait struct {
	dt     fixed.F // a tick, in seconds
	stride fixed.F // the way of a tick
	speed  fixed.F // per second
	bounds fixed.Box
}

// newGait returns the gait of something that covers the given way in a tick.
func newGait(stride fixed.F, tick world.Time, bounds fixed.Box) gait {
	dt := world.Seconds(tick)
	return gait{dt: dt, stride: stride, speed: stride.Div(dt) + 1, bounds: bounds}
}

func goalOf(o *world.Object) fixed.Vec {
	return fixed.Vec{X: o.Fixed(attrGoalX), Y: o.Fixed(attrGoalY)}
}

func setGoal(o *world.Object, goal fixed.Vec) {
	o.SetFixed(attrGoalX, goal.X)
	o.SetFixed(attrGoalY, goal.Y)
}

// moves reports whether an object is on its way.
func moves(o *world.Object) bool { return o.Vel != fixed.Vec{} }

// send lets an object go somewhere.
func (g *gait) send(o *world.Object, goal fixed.Vec) {
	setGoal(o, goal)
	g.aim(o)
}

// aim turns an object towards its goal.
func (g *gait) aim(o *world.Object) {
	way := goalOf(o).Sub(o.Pos)
	ticks := int64((way.Len() + g.stride - 1) / g.stride)
	if ticks == 0 {
		o.Pos, o.Vel = goalOf(o), fixed.Vec{}
		return
	}
	span := g.dt.MulInt(ticks)
	o.Vel = fixed.Vec{X: way.X.Div(span), Y: way.Y.Div(span)}.Limit(g.speed)
	if !moves(o) { // a way too short to have a velocity
		o.Pos = goalOf(o)
	}
}

// walk moves an object for a tick, and aside if something is in its way there.
func (g *gait) walk(o *world.Object, aside fixed.Vec) {
	step := o.Vel.Scale(g.dt)
	switch {
	case arrives(o, step):
		o.Pos, o.Vel = goalOf(o), fixed.Vec{}
	case aside == fixed.Vec{}:
		o.Pos = o.Pos.Add(step)
	default:
		o.Pos = g.bounds.Clamp(o.Pos.Add(step.Add(aside.Limit(g.stride)).Limit(g.stride)))
		g.aim(o)
	}
}

// arrives reports whether a step reaches the goal, or all but a 64th of a step. It goes by how far the goal is along the way:
// of an object that came rounded over a wire, the goal may lie a little beside it.
func arrives(o *world.Object, step fixed.Vec) bool {
	length := step.Dot(step)
	return goalOf(o).Sub(o.Pos).Dot(step) <= length+length/64
}

// extrapolate lets an object walk on to its goal and no further.
func extrapolate(o *world.Object, dt world.Time) {
	if dt <= 0 || !moves(o) {
		return
	}
	step := o.Vel.Scale(world.Seconds(dt))
	if arrives(o, step) {
		o.Pos, o.Vel = goalOf(o), fixed.Vec{}
	} else {
		o.Pos = o.Pos.Add(step)
	}
}
