package action

import (
	"math/bits"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// tangle is a world made to find mistakes: a few objects on a line, and actions that read and write any of them, create some
// and remove some. What becomes of an object depends on everything that its writers saw, in which order, and when; so
// whoever missed anything holds another number.
type tangle struct {
	users   world.User
	objects int
	still   bool
	apart   int64 // how far objects are from one another at the start
	health  int64 // the number that the second object has then
	way     int64 // the velocity of all
	schema  world.Schema
}

// The verbs of a tangle.
const (
	mix   world.VerbID = iota // Args: a mask of objects to read, one of those to write, a number
	spawn                     // create an object by the target
	kill                      // remove the target, if its number is even
	grab                      // mark the target and the one after it, unless one of them is marked
)

// The attributes of its objects.
const (
	number = 0
	energy = 1 // how many ticks it will change by itself
)

const modulo = 1_000_003

func newTangle(users world.User, objects int) *tangle {
	bounds := fixed.Box{Max: fixed.Vec{X: 250 * fixed.One, Y: 10 * fixed.One}}
	whole := func(name string, slot int, max int64) world.Variable {
		return world.Variable{Name: name, Slot: world.AttrSlot(slot), Max: max, Weight: 1}
	}
	arg := func(name string, slot world.Slot, max int64) world.Variable {
		return world.Variable{Name: name, Slot: slot, Max: max}
	}
	return &tangle{users: users, objects: objects, apart: 10, schema: world.Schema{
		Name:   "tangle",
		Tick:   50 * world.Millisecond,
		Bounds: bounds,
		Kinds: []world.Kind{{
			Name: "knot",
			Variables: append(append(world.Placed(bounds, 1, 1), world.Moving(bounds, 20*fixed.One, 1, 1)...),
				whole("number", number, modulo), whole("energy", energy, 9)),
		}},
		Verbs: []world.Verb{
			mix:   {Name: "mix", Args: []world.Variable{arg("reads", 0, 255), arg("writes", 1, 255), arg("n", 2, 1000)}},
			spawn: {Name: "spawn"},
			kill:  {Name: "kill"},
			grab:  {Name: "grab"},
		},
	}}
}

func (t *tangle) Schema() *world.Schema { return &t.schema }

func (t *tangle) Users() world.User { return t.users }

func (t *tangle) Limits() world.Limits {
	return world.Limits{Sight: 40 * fixed.One, Effect: 15 * fixed.One, Speed: 20 * fixed.One}
}

func (t *tangle) Populate(s *world.State) {
	for i := range t.objects {
		o := world.Object{ID: world.ID(i + 1), Pos: fixed.Vec{X: fixed.FromInt(t.apart * int64(i))}, Vel: fixed.Vec{X: fixed.FromInt(t.way)}}
		if i == 1 {
			o.Attr[number] = t.health
		}
		if i < int(t.users) {
			o.User = world.User(i + 1)
		}
		s.Put(o)
	}
}

func (t *tangle) Act(w *world.Window, a *world.Action) {
	switch a.Verb {
	case mix:
		t.mix(w, a)
	case spawn:
		if o := w.Get(a.Target); o != nil {
			n, at := o.Attr[number], o.Pos
			if child := w.Create(a.Target, 0); child != nil {
				child.Pos, child.Attr[number] = at, (n+int64(a.Seq))%modulo
			}
		}
	case grab:
		left, right := w.Edit(a.Target), w.Edit(a.Target+1)
		if left != nil && right != nil && left.Attr[number] == 0 && right.Attr[number] == 0 {
			left.Attr[number], right.Attr[number] = int64(a.User), int64(a.User)
		}
	case kill:
		if o := w.Get(a.Target); o != nil && o.Attr[number]%2 == 0 {
			w.Remove(a.Target)
		}
	}
}

func (t *tangle) mix(w *world.Window, a *world.Action) {
	sum := a.Args[2] + int64(a.User)
	for mask := uint64(a.Args[0] | a.Args[1]); mask != 0; mask &= mask - 1 {
		if o := w.Get(world.ID(bits.TrailingZeros64(mask) + 1)); o != nil {
			sum = (31*sum + o.Attr[number] + int64(o.Pos.X>>fixed.Shift)) % modulo
		}
	}
	if sum%5 == 0 {
		return // a conflict, so to speak
	}
	for mask := uint64(a.Args[1]); mask != 0; mask &= mask - 1 {
		if o := w.Edit(world.ID(bits.TrailingZeros64(mask) + 1)); o != nil {
			r := w.Random(o.ID, 0)
			o.Attr[number] = (7*o.Attr[number] + sum + int64(r.Below(100))) % modulo
			o.Attr[energy] = sum % 4
			o.Pos.X = fixed.FromInt(sum % 200)
		}
	}
}

func (t *tangle) Step(w *world.Window) {
	if t.still {
		return
	}
	for o := range w.Open() {
		if o.Attr[energy] == 0 {
			continue
		}
		o.Attr[energy]--
		for _, id := range w.Near(o.Pos, 15*fixed.One) {
			o.Attr[number] = (3*o.Attr[number] + w.Get(id).Attr[number] + int64(w.Tick())) % modulo
		}
	}
}

func (t *tangle) Extrapolate(*world.Object, world.Time) {}

func (t *tangle) Reach(_ *world.State, a *world.Action, f *world.Footprint) {
	if a.Verb != mix {
		f.Write(a.Target)
		if a.Verb == grab {
			f.Write(a.Target + 1)
		}
		return
	}
	for mask := uint64(a.Args[0]); mask != 0; mask &= mask - 1 {
		f.Read(world.ID(bits.TrailingZeros64(mask) + 1))
	}
	for mask := uint64(a.Args[1]); mask != 0; mask &= mask - 1 {
		f.Write(world.ID(bits.TrailingZeros64(mask) + 1))
	}
}

func (t *tangle) Player(_ world.User, r random.Stream) world.Player { return &tangler{t, r} }

// openTangle is a tangle whose users come and go. Each has one object, which others may tangle with.
type openTangle struct{ *tangle }

func (t openTangle) Enter(w *world.Window, u world.User) {
	if w.Get(world.ID(u)) == nil {
		w.Put(world.Object{ID: world.ID(u), User: u, Pos: fixed.Vec{X: fixed.FromInt(t.apart * int64(u))}})
	}
}

func (t openTangle) Leave(w *world.Window, u world.User) { w.Remove(world.ID(u)) }

func (t openTangle) Player(u world.User, r random.Stream) world.Player {
	return &commuter{t.tangle.Player(u, r), r}
}

// commuter now and then goes, or comes again.
type commuter struct {
	world.Player
	random random.Stream
}

func (p *commuter) Play(v world.View, act func(world.Action)) {
	switch in := v.State.Get(world.ID(v.User)) != nil; {
	case !in && p.random.Below(4) == 0:
		act(world.Action{Verb: world.Enter})
	case in && p.random.Below(40) == 0:
		act(world.Action{Verb: world.Leave})
	default:
		p.Player.Play(v, act)
	}
}

// tangler acts about every third tick.
type tangler struct {
	tangle *tangle
	random random.Stream
}

func (p *tangler) Play(v world.View, act func(world.Action)) {
	if p.random.Below(3) != 0 {
		return
	}
	switch n := p.random.Below(12); {
	case n < 8:
		act(p.mix())
	default:
		a := world.Action{Verb: spawn}
		if n >= 10 {
			a.Verb = kill
		}
		if pick := int(p.random.Below(uint64(v.State.Len() + 1))); pick > 0 {
			for o := range v.State.All() {
				if pick--; pick == 0 {
					a.Target = o.ID
				}
			}
			act(a)
		}
	}
}

func (p *tangler) mix() world.Action {
	a := world.Action{Verb: mix}
	any := uint64(1)<<p.tangle.objects - 1
	a.Args[0] = int64(p.random.Uint64() & any & p.random.Uint64())
	a.Args[1] = int64(p.random.Uint64() & any & p.random.Uint64())
	a.Args[2] = int64(p.random.Below(1000))
	return a
}
