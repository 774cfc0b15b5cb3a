package combat

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// player is an artificial user: it goes from place to place, turns to enemies that it sees, and fires at those that are near.
type player struct {
	battle *battle
	user   world.User
	random random.Stream
	goal   fixed.Vec  // where it goes
	called fixed.Vec  // where it is called to
	until  world.Tick // until then
	next   world.Tick // when it looks again
	ready  world.Tick // when it fires again
	x, y   int64      // what it steers
}

var _ world.Gatherer = (*player)(nil)

func newPlayer(b *battle, u world.User, r random.Stream) *player {
	p := &player{battle: b, user: u, random: r}
	p.goal = b.place(&p.random)
	p.next = world.Tick(p.random.Below(4))
	return p
}

// Gather calls the player to a place, or a spot near it.
func (p *player) Gather(at fixed.Vec, until world.Tick) {
	p.called, p.until = at, until
	if spread := p.battle.Spread; spread > 0 {
		for { // anywhere in the circle with the same chance
			aside := fixed.Vec{X: p.random.Between(-spread, spread), Y: p.random.Between(-spread, spread)}
			if aside.LenWithin(spread) {
				p.called = p.battle.schema.Bounds.Clamp(at.Add(aside))
				return
			}
		}
	}
}

const (
	near    = 30 * metre              // as good as there
	look    = 200 * world.Millisecond // how often it looks
	trigger = 900 * world.Millisecond // how often it fires at most
	worth   = 60                      // thousandths by which it must steer otherwise
	firing  = 300 * metre             // from how far it fires
)

// Play looks around a few times a second, and steers and fires accordingly.
func (p *player) Play(v world.View, act func(world.Action)) {
	own := v.State.Get(unitOf(p.user))
	now := v.State.Tick()
	if own == nil || own.Attr[attrRises] != 0 || now < p.next {
		return
	}
	p.next = now + world.TicksIn(look, p.battle.Tick)
	enemy := p.nearest(v.State, own)
	to := p.way(own, now)
	if enemy != nil && now >= p.until {
		to = enemy.Pos.Sub(own.Pos)
		if own.Kind == kindTank && to.LenWithin(firing/3) { // near enough
			to = fixed.Vec{X: -to.Y, Y: to.X}
		}
	}
	p.steer(to.Unit(), act)
	if enemy != nil && !p.battle.Peace && now >= p.ready && enemy.Pos.Within(own.Pos, firing) {
		p.ready = now + world.TicksIn(trigger, p.battle.Tick)
		p.fire(own, enemy, act)
	}
}

// way is the way to where the player goes.
func (p *player) way(own *world.Object, now world.Tick) fixed.Vec {
	if now < p.until {
		return p.called.Sub(own.Pos)
	}
	if own.Pos.Within(p.goal, near/3+own.Vel.Len()/2) {
		p.goal = p.battle.place(&p.random)
		if p.battle.Walk == walkBorder { // a few paces on, on the one side or the other
			p.goal.Y = (own.Pos.Y + p.random.Between(-2*near, 2*near)).Clamp(0, p.battle.Side)
		}
	}
	return p.goal.Sub(own.Pos)
}

// steer steers in a direction, if that is news.
func (p *player) steer(way fixed.Vec, act func(world.Action)) {
	x, y := way.X.MulInt(full-1).Round(), way.Y.MulInt(full-1).Round()
	if abs(x-p.x)+abs(y-p.y) >= worth {
		p.x, p.y = x, y
		act(world.Action{Verb: Steer, Args: [world.MaxArgs]int64{x, y}})
	}
}

func abs(n int64) int64 { return max(n, -n) }

// nearest is the nearest enemy in sight that is up, or nil.
func (p *player) nearest(s *world.State, own *world.Object) (found *world.Object) {
	if p.battle.Peace {
		return nil
	}
	best := p.battle.Limits().Sight
	for o := range s.All() {
		if o.Kind == kindMissile || o.User == p.user || o.Attr[attrRises] != 0 || !o.Pos.Within(own.Pos, best) || !p.battle.Sees(s, p.user, o) {
			continue
		}
		found, best = o, o.Pos.Dist(own.Pos)
	}
	return found
}

// fire fires at where an enemy will be.
func (p *player) fire(own, enemy *world.Object, act func(world.Action)) {
	flight := enemy.Pos.Dist(own.Pos).Div(classes[kindMissile].speed)
	at := p.battle.schema.Bounds.Clamp(enemy.Pos.Add(enemy.Vel.Scale(flight)))
	act(world.Action{Verb: Fire, Args: [world.MaxArgs]int64{at.X.Floor(), at.Y.Floor()}})
}
