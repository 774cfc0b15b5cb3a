package worldtest

import (
	"fmt"
	"runtime/debug"
	"slices"

	"throng/world"
	"throng/world/random"
)

// trial is a game that is watched closely: what a user does at a tick takes effect in it, in the order of actions.
type trial struct {
	*Game[world.World]
	crowd   *crowd
	seqs    map[world.User]uint32
	actions []world.Action // what users do at this tick
	doing   *world.Action  // the one of them that is being carried out, for reports
	hasty   bool           // somebody has acted who was to wait
}

// newTrial starts a game. With strangers, there are also users in it who do anything that is allowed.
func newTrial(w world.World, seed uint64, strangers bool) *trial {
	g := &trial{Game: NewGame(w, seed), seqs: map[world.User]uint32{}}
	if strangers {
		g.crowd = newCrowd(w, seed)
	}
	return g
}

// decide asks everybody what they do now.
func (g *trial) decide() {
	g.actions = g.actions[:0]
	for i, p := range g.Players {
		u := world.User(i + 1)
		waits := world.Waits(p, g.State.Tick())
		p.Play(world.View{State: g.State, User: u}, func(a world.Action) {
			g.hasty = g.hasty || waits
			g.act(u, a)
		})
	}
	if g.crowd != nil {
		for range 3 {
			a := g.crowd.action(g.State)
			g.act(a.User, a)
		}
	}
	slices.SortFunc(g.actions, func(a, b world.Action) int {
		if a.Before(&b) {
			return -1
		}
		return 1
	})
}

func (g *trial) act(u world.User, a world.Action) {
	g.seqs[u]++
	a.User, a.Seq = u, g.seqs[u]
	g.actions = append(g.actions, a)
}

// step carries out what users do and lets a tick pass.
func (g *trial) step() {
	for i := range g.actions {
		g.doing = &g.actions[i]
		g.Window.Do(g.World, g.doing)
	}
	g.doing = nil
	g.Window.Advance(g.World)
}

// where says what the game is at.
func (g *trial) where() string {
	text := fmt.Sprintf("tick %d", g.State.Tick())
	if g.doing != nil {
		text += ": " + action(g.World.Schema(), g.doing)
	}
	return text
}

// frame is a moment of a game: the world at a tick, and what users do then.
type frame struct {
	state   *world.State
	actions []world.Action
}

// record plays a game and keeps all of it. The last frame has no actions.
func record(w world.World, seed uint64, ticks int, strangers bool) (frames []frame, err error) {
	g := newTrial(w, seed, strangers)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: %v\n%s", g.where(), p, debug.Stack())
		}
	}()
	for range ticks {
		g.decide()
		frames = append(frames, frame{g.State.Clone(), slices.Clone(g.actions)})
		g.step()
	}
	return append(frames, frame{state: g.State}), nil
}

// crowd are users who do anything that passes Schema.CheckAction, with targets that exist and targets that do not.
type crowd struct {
	schema    *world.Schema
	users     world.User
	inhabited bool
	random    random.Stream
}

func newCrowd(w world.World, seed uint64) *crowd {
	_, inhabited := w.(world.Inhabited)
	users := w.Users()
	if inhabited {
		users += 2 // some who are not there yet
	}
	return &crowd{schema: w.Schema(), users: users, inhabited: inhabited, random: random.New(seed, "crowd")}
}

// action makes up something to do.
func (c *crowd) action(s *world.State) world.Action {
	r := &c.random
	a := world.Action{User: world.User(1 + r.Below(uint64(max(c.users, 1)))), Seq: 1}
	if c.inhabited && r.Below(8) == 0 || len(c.schema.Verbs) == 0 {
		a.Verb = world.Enter
		if r.Below(2) == 0 {
			a.Verb = world.Leave
		}
		return a
	}
	a.Verb = world.VerbID(r.Below(uint64(len(c.schema.Verbs))))
	a.Target = c.target(s)
	for _, arg := range c.schema.Verbs[a.Verb].Args {
		a.Args[arg.Slot] = c.number(&arg, s)
	}
	return a
}

// target picks an object, or none, or one that does not exist.
func (c *crowd) target(s *world.State) world.ID {
	switch c.random.Below(8) {
	case 0:
		return 0
	case 1:
		return world.ID(c.random.Uint64())
	}
	skip := c.random.Below(uint64(max(s.Len(), 1)))
	for o := range s.All() {
		if skip == 0 {
			return o.ID
		}
		skip--
	}
	return 0
}

// number picks a value for an argument: anywhere in its range, or at an end of it.
func (c *crowd) number(v *world.Variable, s *world.State) int64 {
	if v.Type == world.Reference {
		return int64(c.target(s))
	}
	switch c.random.Below(4) {
	case 0:
		return v.Min
	case 1:
		return v.Max
	}
	return v.Min + int64(c.random.Below(uint64(v.Max-v.Min)+1))
}
