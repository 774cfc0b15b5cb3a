package philosophers

import "throng/world"

// player reaches for the forks at the beginning of every round, as all others do, and puts them down later if it has got
// them. It goes by its own count of ticks, since what it is shown may be of an earlier one.
type player struct {
	user       world.User
	every, eat world.Tick
	now        world.Tick // in the round
}

func newPlayer(t *table, u world.User) *player {
	return &player{user: u, every: world.TicksIn(t.Every, t.Tick), eat: world.TicksIn(t.Eat, t.Tick)}
}

// Play grabs or releases, if it is time.
func (p *player) Play(v world.View, act func(world.Action)) {
	own := v.State.Get(philosopherOf(p.user))
	switch {
	case own == nil:
	case p.now == 0 && own.Attr[attrEating] == 0:
		act(world.Action{Verb: Grab})
	case p.now == p.eat && own.Attr[attrEating] != 0:
		act(world.Action{Verb: Release})
	}
	p.now = (p.now + 1) % p.every
}
