package pong

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// worth is by how much a racket must be sent elsewhere for that to be worth an action.
const worth = 3 * px

// player is an artificial user. While the ball comes towards it, it sends its racket to where the ball would cross the
// racket's line if there were no walls; when a wall has thrown the ball back it thinks again, as people do. While the ball
// flies away it stays where it is.
//
// Its aim is not perfect, and better so: two users who always met the ball with the middle of the racket would play one
// stroke for ever. It decides for the moment at which its action will take effect.
type player struct {
	court  *court
	user   world.User
	random random.Stream
	coming bool       // whether the ball came towards it when it looked last
	aim    fixed.F    // by how much it will miss the racket's middle this time
	goal   fixed.F    // where it last sent its racket
	until  world.Tick // until when the racket may not know yet
}

func newPlayer(c *court, u world.User, r random.Stream) *player {
	return &player{court: c, user: u, random: r, until: -1}
}

// Play sends the user's racket somewhere else, if need be.
func (p *player) Play(v world.View, act func(world.Action)) {
	seen, racket := v.State.Get(ball), v.State.Get(racketOf(p.user))
	if seen == nil || racket == nil {
		return
	}
	now := v.State.Tick()
	if now > p.until {
		p.goal = racket.Fixed(attrGoal)
	}
	o := *seen
	p.court.Extrapolate(&o, v.Lag)
	y, coming := p.court.crossing(&o, p.user)
	if coming && !p.coming {
		p.aim = p.random.Between(-p.court.Racket/4, p.court.Racket/4)
	}
	p.coming = coming
	goal := p.court.reachable(y + p.aim)
	if !coming || (goal-p.goal).Abs() <= worth {
		return
	}
	p.goal, p.until = fixed.FromInt(goal.Round()), now+world.TicksIn(v.Lag, p.court.Tick)
	act(world.Action{Verb: Move, Args: [world.MaxArgs]int64{goal.Round()}})
}

// crossing is where a ball that comes towards a user would cross the line of the user's racket if there were no walls.
func (c *court) crossing(o *world.Object, u world.User) (y fixed.F, ok bool) {
	way := c.line(u) - o.Pos.X
	if catcher(o) != u || way.Sign() != o.Vel.X.Sign() {
		return 0, false
	}
	return o.Pos.Y + o.Vel.Y.Mul(way.Div(o.Vel.X)), true
}
