package manhattan

import (
	"throng/world"
	"throng/world/random"
)

// player is an artificial user: it moves straight on at equal intervals, whatever it sees. It goes by its own count of
// ticks, since what it is shown may be of an earlier one.
type player struct {
	every world.Tick
	wait  world.Tick // until the next move
	moves int        // how many are left; negative where there is no end
}

func newPlayer(c *city, r random.Stream) *player {
	p := &player{every: world.TicksIn(c.Every, c.Tick), moves: c.Moves}
	if c.Moves == 0 {
		p.moves = -1
	}
	p.wait = world.Tick(r.Below(uint64(p.every)))
	return p
}

// Play moves the user's avatar if it is time.
func (p *player) Play(v world.View, act func(world.Action)) {
	if p.moves == 0 || v.State.Get(avatarOf(v.User)) == nil {
		return
	}
	if p.wait > 0 {
		p.wait--
		return
	}
	p.wait = p.every - 1
	p.moves--
	act(world.Action{Verb: Move})
}
