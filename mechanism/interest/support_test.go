package interest

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

const ms = world.Millisecond

// newRig starts a run on a network that takes 20 ms.
func newRig(t testing.TB, w world.World, change func(*Config)) *mechanismtest.Rig {
	t.Helper()
	config := param.Default[Config]()
	if change != nil {
		change(&config)
	}
	return mechanismtest.StartRig(t, &config, w, 20*ms)
}

func configOf(r *mechanismtest.Rig) *Config { return r.Mechanism.(*Config) }

// servers are the servers of a run, in the order of their areas.
func servers(r *mechanismtest.Rig) []*server {
	var list []*server
	for i := range configOf(r).Len() {
		list = append(list, r.Node(mechanism.NodeID(i+1)).(*server))
	}
	return list
}

func clientOf(r *mechanismtest.Rig, u world.User) *client {
	return r.Node(configOf(r).Admit(u).ID).(*client)
}

// rough is a network that takes up to 150 ms and loses a fifth of what is sent.
func rough(seed uint64) func(mechanism.Message) (world.Time, bool) {
	return mechanismtest.Unsteady(seed, 150*ms, 20)
}

// nomads is a world of wanderers who go straight ahead, turn at the walls and take no notice of each other: each user has
// some. Users can send them elsewhere, and come and go. In fog, only those with odd IDs are seen by others.
type nomads struct {
	schema world.Schema
	users  world.User
	each   int
}

const (
	nomadSide  = 200 * fixed.One
	nomadSight = 15 * fixed.One
	nomadSpeed = 120 * fixed.One // 6 in a tick
)

// The verbs of nomads: turn the target.
const verbTurn world.VerbID = 0

func newNomads(users world.User, each int) *nomads {
	box := fixed.Box{Max: fixed.Vec{X: nomadSide, Y: nomadSide}}
	speed := func(name string, slot world.Slot) world.Variable {
		return world.Variable{Name: name, Slot: slot, Type: world.Fixed, Min: -int64(nomadSpeed), Max: int64(nomadSpeed)}
	}
	return &nomads{users: users, each: each, schema: world.Schema{
		Name: "nomads", Tick: 50 * ms, Bounds: box,
		Kinds: []world.Kind{{Name: "nomad", Variables: append(world.Placed(box, 1, fixed.One/64), world.Moving(box, nomadSpeed, 1, fixed.One/16)...)}},
		Verbs: []world.Verb{{Name: "turn", Args: []world.Variable{speed("x", 0), speed("y", 1)}}},
	}}
}

func (w *nomads) Schema() *world.Schema { return &w.schema }
func (w *nomads) Users() world.User     { return w.users }
func (w *nomads) Limits() world.Limits {
	return world.Limits{Sight: nomadSight, Effect: fixed.One, Speed: 2 * nomadSpeed}
}

func nomadOf(u world.User, i int) world.ID { return world.ID(u)*100 + world.ID(i) }

func (w *nomads) Populate(s *world.State) {
	r := random.Of(s.Seed(), 7)
	for u := world.User(1); u <= w.users; u++ {
		for i := range w.each {
			s.Put(w.nomad(u, i, &r))
		}
	}
}

func (w *nomads) nomad(u world.User, i int, r *random.Stream) world.Object {
	draw := func(most fixed.F) fixed.F { return fixed.F(r.Below(uint64(most))) }
	return world.Object{
		ID: nomadOf(u, i), User: u,
		Pos: fixed.Vec{X: draw(nomadSide), Y: draw(nomadSide)},
		Vel: fixed.Vec{X: draw(2*nomadSpeed) - nomadSpeed, Y: draw(2*nomadSpeed) - nomadSpeed},
	}
}

func (w *nomads) Act(win *world.Window, a *world.Action) {
	if o := win.Edit(a.Target); o != nil && o.User == a.User {
		o.Vel = fixed.Vec{X: fixed.F(a.Args[0]), Y: fixed.F(a.Args[1])}
	}
}

func (w *nomads) Step(win *world.Window) {
	for o := range win.Open() {
		world.Drift(o, w.schema.Tick)
		if !w.schema.Bounds.Contains(o.Pos) {
			o.Pos = w.schema.Bounds.Clamp(o.Pos)
			o.Vel = o.Vel.Neg()
		}
	}
}

func (w *nomads) Extrapolate(o *world.Object, dt world.Time) { world.Drift(o, dt) }

func (w *nomads) Reach(_ *world.State, a *world.Action, f *world.Footprint) { f.Write(a.Target) }

// Enter brings a user's nomads, Leave takes them away.
func (w *nomads) Enter(win *world.Window, u world.User) {
	r := win.Random(world.ID(u), 1)
	for i := range w.each {
		if win.Get(nomadOf(u, i)) == nil {
			win.Put(w.nomad(u, i, &r))
		}
	}
}

func (w *nomads) Leave(win *world.Window, u world.User) {
	for i := range w.each {
		win.Remove(nomadOf(u, i))
	}
}

// Player returns a user who sends one of the nomads elsewhere twice a second.
func (w *nomads) Player(u world.User, r random.Stream) world.Player {
	return &wanderer{w, u, r}
}

type wanderer struct {
	world  *nomads
	user   world.User
	random random.Stream
}

func (p *wanderer) Play(_ world.View, act func(world.Action)) {
	if p.random.Below(10) == 0 {
		o := p.world.nomad(p.user, int(p.random.Below(uint64(p.world.each))), &p.random)
		act(turn(o.ID, o.Vel))
	}
}

func turn(id world.ID, v fixed.Vec) world.Action {
	return world.Action{Verb: verbTurn, Target: id, Args: [world.MaxArgs]int64{int64(v.X), int64(v.Y)}}
}

// settled is a nomads' world whose users cannot come and go.
type settled struct{ world.World }

func (s settled) Limits() world.Limits { return s.World.(world.Limited).Limits() }

// foggy is one in which others' nomads with even IDs cannot be seen.
type foggy struct{ settled }

func (foggy) Sees(_ *world.State, u world.User, o *world.Object) bool {
	return o.User == u || o.ID%2 == 1
}
