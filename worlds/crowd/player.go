package crowd

import (
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// How the artificial users live.
const (
	settleMax  = 20 * world.Second // how long they take at first until they get going
	lingerMin  = 10 * world.Second // how long they stand where they have arrived
	lingerMax  = 30 * world.Second
	glance     = world.Second // how often they look whether they have arrived
	silenceMin = 30 * world.Second
	silenceMax = 90 * world.Second
	fidget     = 100 * world.Millisecond // how often restless ones turn

	horizon    = 4             // how many blocks away they know what goes on
	nearby     = 3 * metre     // at this distance a square is half as attractive as the one where they are
	quietPull  = 1             // how attractive a square is where nothing goes on,
	eventPull  = 6             // where something does,
	wantedPull = 40            // and where it is what they are in the mood for
	swing      = 4             // in one of so many decisions the mood changes
	stroll     = fixed.One / 4 // which part of the way they go to a new spot on the square where they are
	ringMin    = 3 * metre     // how near they stand to what goes on, and how far
	ringMax    = 15 * metre

	turnMost fixed.Angle = 1 << 32 / 30 // by how much restless ones turn at once
)

// player is a walker's artificial user: one who strolls on a square for a while, then goes to another, preferably a near
// one where something goes on that suits their mood, and says something now and then.
//
// It knows the town, but of what goes on only what its view shows.
type player struct {
	town    *town
	user    world.User
	random  random.Stream
	started bool
	mood    int64 // the event that the user would like
	onWay   bool  // whether the user has set out and not noticed yet to have arrived
	decides world.Tick
	speaks  world.Tick
	heading fixed.Angle // where a restless user wants to go

	called      fixed.Vec  // where the user was called to,
	calledUntil world.Tick // for how long,
	setOut      bool       // and whether they have set out for it
}

var _ world.Gatherer = (*player)(nil)

// Gather implements world.Gatherer.
func (p *player) Gather(at fixed.Vec, until world.Tick) {
	p.called, p.calledUntil, p.setOut, p.decides = at, until, false, 0
}

// heed goes to where the user was called, to a spot in the crowd there, and waits.
func (p *player) heed(me *world.Object, now world.Tick, act func(world.Action)) {
	if p.setOut && (now < p.decides || me.Attr[attrDoing] != standing || me.Pos.Dist(p.called) <= ringMax) {
		return
	}
	// Whoever stands elsewhere although they have set out was held up, or has not been heard yet: they try again.
	p.setOut, p.onWay = true, true
	p.decides = now + p.ticks(glance, 3*glance)
	spot := p.called.Add(fixed.Polar(p.random.Between(0, ringMax/2), p.random.Angle()))
	act(visit(p.town.plan.bounds.Clamp(spot)))
}

// Play lets the user do what they have a mind to.
func (p *player) Play(v world.View, act func(world.Action)) {
	me := v.State.Get(walkerOf(p.user))
	if me == nil || me.Kind != kindWalker {
		return
	}
	now := v.State.Tick()
	if !p.started {
		p.start(now)
	}
	if now < p.calledUntil {
		p.heed(me, now, act)
		return
	}
	if p.town.Restless {
		p.roam(me, now, act)
		return
	}
	if now >= p.speaks {
		p.speaks = now + p.ticks(silenceMin, silenceMax)
		act(Say(p.remark(v.State, me)))
	}
	switch {
	case now < p.decides:
	case me.Attr[attrDoing] != standing:
		p.decides = now + world.TicksIn(glance, p.town.Tick)
	case p.onWay:
		p.onWay = false
		p.decides = now + p.ticks(lingerMin, lingerMax)
	default:
		p.onWay = true
		p.decides = now + world.TicksIn(v.Lag+glance, p.town.Tick)
		act(visit(p.choose(v.State, me)))
	}
}

// start spreads out in time what users do, who all begin at once.
func (p *player) start(now world.Tick) {
	p.started = true
	p.mood = p.newMood()
	p.heading = p.random.Angle()
	p.speaks = now + p.ticks(0, silenceMax)
	if !p.town.Restless {
		p.decides = now + p.ticks(0, settleMax)
	}
}

func (p *player) newMood() int64 { return fountain + int64(p.random.Below(events-fountain)) }

// ticks draws how many ticks to wait.
func (p *player) ticks(least, most world.Time) world.Tick {
	return world.TicksIn(least+world.Time(p.random.Below(uint64(most-least)+1)), p.town.Tick)
}

// visit is the action of going to a place.
func visit(at fixed.Vec) world.Action {
	return world.Action{Verb: Goto, Args: [world.MaxArgs]int64{centimetres(at.X), centimetres(at.Y)}}
}

// centimetres rounds down, so that what is within the bounds stays there.
func centimetres(f fixed.F) int64 { return f.MulInt(100).Floor() }

// choose returns where to go next.
func (p *player) choose(s *world.State, me *world.Object) fixed.Vec {
	if p.town.plan.blocks == 0 {
		return p.chooseNear(me.Pos)
	}
	if p.random.Below(swing) == 0 {
		p.mood = p.newMood()
	}
	b, event := p.chooseSquare(s, me.Pos)
	spot := within(inner(b.lot(), kerb), &p.random)
	if event != nothing {
		spot = b.lot().Centre().Add(fixed.Polar(p.random.Between(ringMin, ringMax), p.random.Angle()))
	}
	if b.lot().Contains(me.Pos) {
		return me.Pos.Lerp(spot, stroll)
	}
	return spot
}

// chooseNear returns a place on an open field, not too far away. Ways that would lead off the field are mirrored back, so
// that nobody prefers its middle.
func (p *player) chooseNear(from fixed.Vec) fixed.Vec {
	far := p.town.plan.bounds.Max
	most := min(p.town.sight, far.X/2)
	to := from.Add(fixed.Polar(p.random.Between(most/4, most), p.random.Angle()))
	return fixed.Vec{X: mirror(to.X, far.X), Y: mirror(to.Y, far.Y)}
}

func mirror(at, far fixed.F) fixed.F {
	if at > far {
		at = 2*far - at
	}
	return at.Abs()
}

// chooseSquare draws one of the squares around, the one where the user is included, each as likely as it is attractive.
func (p *player) chooseSquare(s *world.State, from fixed.Vec) (chosen block, event int64) {
	plan := &p.town.plan
	at := locate(from).block
	var sum fixed.F
	for j := max(0, at.j-horizon); j <= min(plan.blocks-1, at.j+horizon); j++ {
		for i := max(0, at.i-horizon); i <= min(plan.blocks-1, at.i+horizon); i++ {
			b := block{i, j}
			if !plan.open(b) {
				continue
			}
			on := eventAt(s, plan.placeOf(b))
			pull := p.pull(on).Div(nearby + b.lot().DistTo(from))
			sum += pull
			// Replacing the choice so far with the share that this square has in the sum yields all shares in the end.
			if p.random.Between(0, sum) < pull {
				chosen, event = b, on
			}
		}
	}
	return chosen, event
}

// pull is how attractive it is to be where something goes on.
func (p *player) pull(event int64) fixed.F {
	switch event {
	case nothing:
		return fixed.FromInt(quietPull)
	case p.mood:
		return fixed.FromInt(wantedPull)
	}
	return fixed.FromInt(eventPull)
}

// eventAt is what goes on at a square, as far as the view shows it.
func eventAt(s *world.State, place world.ID) int64 {
	if o := s.Get(place); o != nil && o.Attr[attrEvent] > nothing && o.Attr[attrEvent] < events {
		return o.Attr[attrEvent]
	}
	return nothing
}

// roam walks at full speed, ten times a second in a slightly different direction, and turns back at the edges. From
// a wall it takes any other direction.
func (p *player) roam(me *world.Object, now world.Tick, act func(world.Action)) {
	if now < p.decides {
		return
	}
	p.decides = now + world.TicksIn(fidget, p.town.Tick)
	if me.Attr[attrDoing] == standing {
		p.heading = p.random.Angle()
	}
	p.heading += fixed.Angle(p.random.Below(2*uint64(turnMost)+1)) - turnMost
	wish := fixed.Polar(p.town.Speed, p.heading)
	edge := 2 * p.town.Speed.Mul(p.town.dt)
	far := p.town.plan.bounds.Max
	wish.X = inward(wish.X, me.Pos.X, far.X, edge)
	wish.Y = inward(wish.Y, me.Pos.Y, far.Y, edge)
	p.heading = wish.Heading()
	a := world.Action{Verb: Walk}
	a.Args[0], a.Args[1] = wish.X.MulInt(100).Round(), wish.Y.MulInt(100).Round()
	limit := centimetres(p.town.Speed)
	for i := range a.Args[:2] {
		a.Args[i] = min(max(a.Args[i], -limit), limit)
	}
	act(a)
}

// inward turns one coordinate of a velocity away from an edge that is near.
func inward(velocity, at, far, edge fixed.F) fixed.F {
	switch {
	case at < edge:
		return velocity.Abs()
	case at > far-edge:
		return -velocity.Abs()
	}
	return velocity
}

// remarks are what there is to say, by what goes on at the place.
var remarks = [events][]string{
	nothing:  {"Good morning!", "Lovely weather today.", "Have you seen my sister?", "Is there a concert tonight?", "Mind the puddle!", "I am late again."},
	fountain: {"The fountain is on!", "Come, the water is cool!", "Who splashed me?", "Throw in a coin!"},
	market:   {"Fresh apples, two for one!", "How much is the cheese?", "The best bread in town!", "Mind your baskets!"},
	concert:  {"Encore!", "They play our song!", "Louder!", "Bravo!", "Come and dance!"},
}

// remark is what the user says here and now.
func (p *player) remark(s *world.State, me *world.Object) string {
	event := int64(nothing)
	if at := locate(me.Pos); p.town.plan.open(at.block) && at.onLot() {
		event = eventAt(s, p.town.plan.placeOf(at.block))
	}
	choice := remarks[event]
	return choice[p.random.Below(uint64(len(choice)))]
}
