package swarm

import (
	"throng/world"
	"throng/world/fixed"
)

// How the artificial users play. Tuned for eight bees: while everybody sees everything as it is, each user acts about 1.4
// times a second, keeps its bee some 95 px from the queen's centre and crashes little more than once a minute.
const (
	patience = 300 * world.Millisecond // how long a user lets an action work before the next
	notice   = fixed.One / 2           // which part of the full acceleration the wish must differ by to be worth an action

	pull  = fixed.One / 2      // px/s² towards the queen for each px beyond the wanted distance
	calm  = fixed.One          // px/s² against each px/s relative to the queen
	ahead = 4 * fixed.One / 10 // s that a user looks ahead for what comes too near
	porch = 20 * px            // distance to a wall below which a user brakes

	marginStart = 20 * px
	marginMin   = 6 * px
	marginMax   = 300 * px
	caution     = fixed.One / 4        // what a crash adds to the margin, as a part of it
	boredom     = 5 * fixed.One / 1000 // what each second without a crash takes off it, as a part of it
)

// player is a bee's artificial user. It steers down a potential field: towards the queen up to a safe distance, away from
// whatever comes nearer than that. How much is safe it learns: every crash adds to its margin, and while all is well the
// margin shrinks.
//
// It decides for the moment at which its action will take effect: it moves everything it sees ahead to then, its own bee
// by what it has already told it.
type player struct {
	hive   *hive
	user   world.User
	margin fixed.F
	dead   bool       // whether its bee was dead when last seen
	ready  world.Tick // when it acts again at the earliest
	told   []command  // what has not taken effect yet, the oldest first
}

// command is an acceleration and the tick at which it takes effect.
type command struct {
	at           world.Tick
	acceleration fixed.Vec
}

func newPlayer(h *hive, u world.User) *player {
	return &player{hive: h, user: u, margin: marginStart}
}

// Play steers the user's bee, if that seems worth an action.
func (p *player) Play(v world.View, act func(world.Action)) {
	bee := v.State.Get(beeOf(p.user))
	if bee == nil {
		return
	}
	p.learn(bee.Attr[attrDead] != 0)
	now := v.State.Tick()
	if now < p.ready {
		return
	}
	then := now + world.TicksIn(v.Lag, p.hive.Tick)
	me := *bee
	p.foresee(&me, now, then)
	if me.Attr[attrDead] != 0 {
		return // it would not listen
	}
	wish := p.wish(v.State, &me, v.Lag)
	if wish.Within(acceleration(&me), notice.Mul(p.hive.Acceleration)) {
		return
	}
	a := world.Action{Verb: Steer, Args: [world.MaxArgs]int64{wish.X.Round(), wish.Y.Round()}}
	p.ready = now + world.TicksIn(patience, p.hive.Tick)
	p.told = append(p.told, command{then, fixed.Vec{X: fixed.FromInt(a.Args[0]), Y: fixed.FromInt(a.Args[1])}})
	act(a)
}

// learn adapts the margin to how it goes.
func (p *player) learn(dead bool) {
	switch {
	case !dead:
		p.margin = max(p.margin-p.margin.Mul(boredom.Mul(p.hive.dt)), marginMin)
	case !p.dead:
		p.margin = min(p.margin+p.margin.Mul(caution), marginMax)
	}
	p.dead = dead
}

// foresee moves the user's own bee from now to then, under what the user has told it.
func (p *player) foresee(me *world.Object, now, then world.Tick) {
	for len(p.told) > 0 && p.told[0].at < now {
		p.told = p.told[:copy(p.told, p.told[1:])]
	}
	next := 0
	for t := now; t < then; t++ {
		for ; next < len(p.told) && p.told[next].at <= t; next++ {
			if me.Attr[attrDead] == 0 {
				p.hive.accelerate(me, p.told[next].acceleration)
			}
		}
		p.hive.wake(me, t)
		p.hive.gain(me)
		p.hive.fly(me)
	}
}

// wish is the acceleration that the user would like to have, with everything else where it will be after the lag.
func (p *player) wish(s *world.State, me *world.Object, lag world.Time) fixed.Vec {
	h := p.hive
	wish := p.shyWalls(me)
	for id := queen; id <= beeOf(h.users); id++ {
		seen := s.Get(id)
		if seen == nil || id == me.ID {
			continue
		}
		o := *seen
		h.Extrapolate(&o, lag)
		if id == queen {
			wish = wish.Add(p.follow(me, &o))
		}
		wish = wish.Add(p.shy(me, &o))
	}
	return wish.Limit(h.Acceleration)
}

// follow draws the bee to its distance from the queen and to her velocity.
func (p *player) follow(me, queen *world.Object) fixed.Vec {
	h := p.hive
	way := queen.Pos.Sub(me.Pos)
	distance := max(way.Len(), 1)
	excess := distance - (h.QueenRadius + h.BeeRadius + p.margin)
	// Some of its strength the bee keeps for not running into others on the way.
	strength := excess.Mul(pull).Clamp(-h.Acceleration, 7*h.Acceleration/10)
	return way.Scale(strength.Div(distance)).Add(queen.Vel.Sub(me.Vel).Scale(calm))
}

// shy pushes the bee away from a ball that is about to be within the margin, the harder the nearer.
func (p *player) shy(me, o *world.Object) fixed.Vec {
	h := p.hive
	way := me.Pos.Sub(o.Pos).Add(me.Vel.Sub(o.Vel).Scale(ahead))
	safe := h.schema.Kinds[o.Kind].Radius + h.BeeRadius + p.margin
	if !way.LenWithin(safe) {
		return fixed.Vec{}
	}
	distance := max(way.Len(), 1)
	strength := h.Acceleration.Mul(min((safe - distance).Div(p.margin), 2*fixed.One))
	return way.Scale(strength.Div(distance))
}

// shyWalls pushes the bee away from walls that it is about to reach.
func (p *player) shyWalls(me *world.Object) fixed.Vec {
	h := p.hive
	safe := h.BeeRadius + porch
	at := me.Pos.Add(me.Vel.Scale(ahead))
	far := h.schema.Bounds.Max.Sub(at)
	push := func(low, high fixed.F) fixed.F {
		return h.Acceleration.Mul((safe-low).Div(safe).Clamp(0, fixed.One) - (safe-high).Div(safe).Clamp(0, fixed.One))
	}
	return fixed.Vec{X: push(at.X, far.X), Y: push(at.Y, far.Y)}
}
