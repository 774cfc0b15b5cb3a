package pong

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// serveAngle is how steep, in degrees, the ball is tossed in at most.
const serveAngle = 45

// Act sets where the user's racket should go.
func (c *court) Act(w *world.Window, a *world.Action) {
	if a.User < 1 || a.User > users {
		return
	}
	if o := w.Edit(racketOf(a.User)); o != nil {
		o.SetFixed(attrGoal, c.reachable(fixed.FromInt(a.Args[0])))
	}
}

// reachable is the height nearest to y at which a racket is still wholly between the walls.
func (c *court) reachable(y fixed.F) fixed.F {
	return y.Clamp(c.Racket/2, c.Height-c.Racket/2)
}

// Reach: moving touches nothing but the user's own racket.
func (c *court) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	if a.User >= 1 && a.User <= users && s.Get(racketOf(a.User)) != nil {
		f.Write(racketOf(a.User))
	}
}

// Step moves the ball, then the rackets, then brings the scores up to date: in the order of their IDs.
func (c *court) Step(w *world.Window) {
	for o := range w.Open() {
		switch o.Kind {
		case kindBall:
			c.moveBall(w, o)
		case kindRacket:
			o.Pos.Y = c.racketAfter(o, c.dt)
		case kindScore:
			if b := w.Get(ball); b != nil {
				o.Attr[attrPoints] = b.Attr[attrPast+opponent(o.User)-1]
			}
		}
	}
}

// moveBall moves the ball for a tick, from one crossing of a racket's line or a base line to the next.
func (c *court) moveBall(w *world.Window, o *world.Object) {
	for passed := fixed.F(0); passed < c.dt; {
		user := catcher(o)
		line := c.line(user)
		ahead := user == 1 && o.Pos.X > line || user == 2 && o.Pos.X < line
		if !ahead {
			line = c.baseline(user)
		}
		span := (line - o.Pos.X).Abs().Div(max(o.Vel.X.Abs(), 1))
		if span > c.dt-passed {
			c.fly(o, c.dt-passed)
			return
		}
		passed += span
		c.fly(o, span)
		o.Pos.X = line // rounding may have left it a little off
		if !ahead {
			o.Attr[attrPast+user-1]++
			c.toss(o, w.Random(ball, 0))
			return // it rests in the middle until the next tick
		}
		c.strike(o, w.Get(racketOf(user)), passed)
	}
}

// line is where a ball touches a user's racket.
func (c *court) line(u world.User) fixed.F {
	if u == 1 {
		return c.Inset + c.Radius
	}
	return c.Width - c.Inset - c.Radius
}

// baseline is where a ball is lost to a user.
func (c *court) baseline(u world.User) fixed.F {
	if u == 1 {
		return 0
	}
	return c.Width
}

// strike lets the ball, on a racket's line, come off the racket if that is there after the passed part of the tick.
func (c *court) strike(o, racket *world.Object, passed fixed.F) {
	if racket == nil {
		return
	}
	off := o.Pos.Y - c.racketAfter(racket, passed)
	if off.Abs() > c.Racket/2+c.Radius {
		return
	}
	out := fixed.Vec{X: -o.Vel.X, Y: o.Vel.Y}
	if off.Abs() > c.Racket/6 {
		out = c.turned(out, off < 0)
	}
	o.Vel = out.Scale(c.Gain).Limit(c.Top)
}

// turned is a velocity turned towards one of the walls, though not beyond the steepest.
func (c *court) turned(v fixed.Vec, up bool) fixed.Vec {
	// Seen as if the ball flew to the right, angles lie between -90° and 90°: int32 orders them.
	angle := int32(fixed.Atan2(v.Y, v.X.Abs()))
	if up {
		angle -= int32(c.deflection)
	} else {
		angle += int32(c.deflection)
	}
	angle = max(-int32(c.steepest), min(angle, int32(c.steepest)))
	out := fixed.Polar(v.Len(), fixed.Angle(angle))
	if v.X < 0 {
		out.X = -out.X
	}
	return out
}

// toss puts the ball into the middle and lets it fly to either side.
func (c *court) toss(o *world.Object, r random.Stream) {
	o.Pos = fixed.Vec{X: c.Width / 2, Y: c.Height / 2}
	slope := fixed.Degrees(serveAngle)
	o.Vel = fixed.Polar(c.Serve, fixed.Angle(r.Below(uint64(2*slope)+1))-slope)
	if r.Chance(fixed.One / 2) {
		o.Vel.X = -o.Vel.X
	}
}

// fly moves the ball for a time, thrown back by the walls but by nothing else.
func (c *court) fly(o *world.Object, span fixed.F) {
	o.Pos.X += o.Vel.X.Mul(span)
	// Seen through as many mirrors as there are walls on its way, the ball flies straight on.
	low, room := c.Radius, c.Height-2*c.Radius
	y := (o.Pos.Y - low + o.Vel.Y.Mul(span)) % (2 * room)
	if y < 0 {
		y += 2 * room
	}
	if y > room {
		y = 2*room - y
		o.Vel.Y = -o.Vel.Y
	}
	o.Pos.Y = low + y
}

// racketAfter is where a racket on its way will be after a time.
func (c *court) racketAfter(o *world.Object, span fixed.F) fixed.F {
	way := c.RacketSpeed.Mul(span)
	return o.Pos.Y + (o.Fixed(attrGoal)-o.Pos.Y).Clamp(-way, way)
}

// Extrapolate lets the ball fly on, thrown back by the walls, but not by rackets, of which it knows nothing; and lets a
// racket go where it was going.
func (c *court) Extrapolate(o *world.Object, dt world.Time) {
	switch o.Kind {
	case kindBall:
		c.fly(o, world.Seconds(dt))
		o.Pos.X = o.Pos.X.Clamp(0, c.Width)
	case kindRacket:
		o.Pos.Y = c.racketAfter(o, world.Seconds(dt))
	}
}
