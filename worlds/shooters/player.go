package shooters

import "throng/world"

// player plays one part of the scene. It goes by its own count of ticks, since what it is shown may be of an earlier one, but
// shoots only while it sees itself stand, as people would.
type player struct {
	user   world.User
	target world.ID // whom it shoots, or nobody
	round  world.Tick
	shoots world.Tick // when in the round
	now    world.Tick // in the round
}

func newPlayer(y *yard, u world.User) *player {
	p := &player{user: u, round: world.TicksIn(y.Round, y.Tick)}
	p.shoots = p.round / 2
	switch u {
	case userB:
		p.target = archerOf(userA)
		p.shoots += world.TicksIn(y.Gap, y.Tick)
	case userC:
		p.target = archerOf(userB)
	}
	return p
}

// Play rises at the beginning of a round, and shoots in the middle of it.
func (p *player) Play(v world.View, act func(world.Action)) {
	own := v.State.Get(archerOf(p.user))
	switch {
	case own == nil:
	case p.now == 0 && own.Attr[attrDown] != 0:
		act(world.Action{Verb: Rise})
	case p.now == p.shoots && p.target != 0 && own.Attr[attrDown] == 0:
		act(world.Action{Verb: Shoot, Target: p.target})
	}
	p.now = (p.now + 1) % p.round
}
