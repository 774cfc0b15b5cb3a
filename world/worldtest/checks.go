package worldtest

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"throng/world"
	"throng/world/random"
	"throng/world/wire"
)

// check is one thing that must be true of a world. An error says where it is not.
type check struct {
	name  string
	vital bool // without it the others make no sense
	run   func(w world.World, seed uint64, ticks int) error
}

// checks is the suite.
var checks = []check{
	{"schema", true, checkSchema},
	{"populate", true, checkPopulate},
	{"game", true, checkGame},
	{"players", false, checkPlayers},
	{"replay", false, inGames(checkReplay)},
	{"slots", false, inGames(checkSlots)},
	{"ranges", false, inGames(checkRanges)},
	{"footprints", false, inGames(checkFootprints)},
	{"closed", false, inGames(checkClosed)},
	{"absent", false, inGames(checkAbsent)},
	{"extrapolate", false, inGames(checkExtrapolate)},
}

// inGames runs a check on a game of the players alone, and on one with strangers.
func inGames(run func(w world.World, frames []frame) error) func(world.World, uint64, int) error {
	return func(w world.World, seed uint64, ticks int) error {
		for _, strangers := range []bool{false, true} {
			frames, err := record(w, seed, ticks, strangers)
			if err == nil {
				err = run(w, frames)
			}
			if err != nil && strangers {
				return fmt.Errorf("with users who do anything: %w", err)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func checkSchema(w world.World, _ uint64, _ int) error {
	if once, again := w.Schema(), w.Schema(); once != again {
		return errors.New("two calls of Schema return different values")
	}
	if err := w.Schema().Check(); err != nil {
		return err
	}
	if d, ok := w.(world.Depicted); ok {
		l := d.Look()
		return l.Check(w.Schema())
	}
	return nil
}

func checkPopulate(w world.World, seed uint64, _ int) error {
	var states [2]*world.State
	for i := range states {
		states[i] = world.NewState(w.Schema(), seed)
		w.Populate(states[i])
	}
	if states[0].Tick() != 0 {
		return fmt.Errorf("the world begins at tick %d", states[0].Tick())
	}
	if err := difference(states[1], states[0]); err != nil {
		return fmt.Errorf("populated a second time: %w", err)
	}
	return nil
}

// checkPlayers checks that players take sensible actions, and leave what they see as it is.
func checkPlayers(w world.World, seed uint64, ticks int) error {
	g := newTrial(w, seed, false)
	for range ticks {
		before := g.State.Detach()
		g.decide()
		if err := difference(g.State, before); err != nil {
			return fmt.Errorf("tick %d: a player has changed what it sees: %w", g.State.Tick(), err)
		}
		if g.hasty {
			return fmt.Errorf("tick %d: a player acts before it is due", g.State.Tick())
		}
		for i := range g.actions {
			if err := w.Schema().CheckAction(&g.actions[i]); err != nil {
				return fmt.Errorf("tick %d: %s: %w", g.State.Tick(), action(w.Schema(), &g.actions[i]), err)
			}
		}
		g.step()
	}
	return nil
}

// checkGame checks that a game played twice is the same game.
func checkGame(w world.World, seed uint64, ticks int) error {
	first, err := record(w, seed, ticks, true)
	if err != nil {
		return err
	}
	second, err := record(w, seed, ticks, true)
	if err != nil {
		return err
	}
	for k := range first {
		if err := difference(second[k].state, first[k].state); err != nil {
			return fmt.Errorf("tick %d: played a second time: %w", k, err)
		}
		if !slices.Equal(first[k].actions, second[k].actions) {
			return fmt.Errorf("tick %d: played a second time, a player does something else in the same state: %s",
				k, firstOther(w.Schema(), second[k].actions, first[k].actions))
		}
	}
	return nil
}

func firstOther(schema *world.Schema, got, want []world.Action) string {
	for i := range got {
		if i >= len(want) || got[i] != want[i] {
			return action(schema, &got[i])
		}
	}
	return "not " + action(schema, &want[len(got)])
}

// checkReplay checks that a game goes on in the same way from any moment, however one gets back there.
func checkReplay(w world.World, frames []frame) error {
	const every, span = 5, 12
	rewound := frames[0].state.Clone()
	window := world.NewWindow(rewound) // it goes back and forth all the time
	returns := []struct {
		how  string
		back func(s *world.State) (*world.Window, error)
	}{
		{"rolled back", func(s *world.State) (*world.Window, error) {
			rewound.CopyFrom(s)
			window.Look(rewound)
			return window, nil
		}},
		{"copied", func(s *world.State) (*world.Window, error) { return world.NewWindow(s.Clone()), nil }},
		{"detached", func(s *world.State) (*world.Window, error) { return world.NewWindow(s.Detach()), nil }},
		{"encoded and decoded", func(s *world.State) (*world.Window, error) {
			c, err := recode(s)
			return world.NewWindow(c), err
		}},
	}
	for k := 0; k+1 < len(frames); k += every {
		way := returns[k/every%len(returns)]
		at, err := way.back(frames[k].state)
		if err != nil {
			return fmt.Errorf("tick %d: %w", k, err)
		}
		for j := k; j < k+span && j+1 < len(frames); j++ {
			advance(at, w, frames[j].actions)
			if err := difference(at.State(), frames[j+1].state); err != nil {
				return fmt.Errorf("tick %d: %s at tick %d and stepped again: %w", j+1, way.how, k, err)
			}
			if at.State().Hash() != frames[j+1].state.Hash() {
				return fmt.Errorf("tick %d: %s at tick %d and stepped again: equal objects, but another hash: "+
					"something was written through a pointer that is for reading", j+1, way.how, k)
			}
		}
	}
	return nil
}

// advance carries out actions and lets a tick pass.
func advance(w *world.Window, r world.Rules, actions []world.Action) {
	for i := range actions {
		w.Do(r, &actions[i])
	}
	w.Advance(r)
}

// recode sends a state over a wire, so to speak.
func recode(s *world.State) (*world.State, error) {
	r := wire.NewReader(s.Append(nil))
	return world.Decode(s.Schema(), &r)
}

// checkSlots checks that objects hold nothing that their kinds do not declare: it would be lost on the wire.
func checkSlots(w world.World, frames []frame) error {
	var unused [][]world.Variable // per kind
	for _, kind := range w.Schema().Kinds {
		unused = append(unused, undeclared(kind.Variables))
	}
	for k, f := range frames {
		for o := range f.state.All() {
			for _, v := range unused[o.Kind] {
				if n := o.Get(v.Slot); n != 0 {
					return fmt.Errorf("tick %d: %s: %s is %d, want 0", k, name(w.Schema(), o), v.Name, n)
				}
			}
		}
		c, err := recode(f.state)
		if err == nil {
			err = difference(c, f.state)
		}
		if err != nil {
			return fmt.Errorf("tick %d: encoded and decoded: %w", k, err)
		}
	}
	return nil
}

func checkRanges(w world.World, frames []frame) error {
	for k, f := range frames {
		for o := range f.state.All() {
			for _, v := range w.Schema().Kinds[o.Kind].Variables {
				if n := o.Get(v.Slot); v.Type != world.Reference && (n < v.Min || n > v.Max) {
					return fmt.Errorf("tick %d: %s: %s is %s, outside %s to %s", k, name(w.Schema(), o), v.Name,
						value(&v, n), value(&v, v.Min), value(&v, v.Max))
				}
			}
		}
	}
	return nil
}

// checkClosed checks that rules change only what is open to them, and only through pointers that are for it.
func checkClosed(w world.World, frames []frame) error {
	for k, f := range frames[:len(frames)-1] {
		open := func(o *world.Object) bool {
			r := random.Of(uint64(o.ID), uint64(k))
			return r.Below(2) == 0
		}
		before, shared := f.state.Detach(), f.state.Clone()
		after := f.state.Clone()
		window := world.NewWindow(after)
		window.Restrict(open)
		advance(window, w, f.actions)
		if err := difference(shared, before); err != nil {
			return fmt.Errorf("tick %d: a copy taken before has changed, since something was written through a pointer "+
				"that is for reading: %w", k, err)
		}
		for c := range world.Diff(before, after) {
			if c.Old != nil && !open(c.Old) {
				return fmt.Errorf("tick %d: changed, though closed: %w", k, change(w.Schema(), c.New, c.Old))
			}
		}
	}
	return nil
}

// checkAbsent checks that rules cope with any allowed action and with objects that are not there: parts of a world are run
// on their own, and users act on what has gone meanwhile.
func checkAbsent(w world.World, frames []frame) error {
	strangers := newCrowd(w, 0)
	strangers.users += 2 // and some who never come
	for k, f := range frames {
		for _, keep := range []uint64{0, 1, 2, 3, 4} { // of four objects
			part := f.state.Clone()
			for o := range f.state.All() {
				r := random.Of(uint64(o.ID), uint64(k), keep)
				if r.Below(4) >= keep {
					part.Remove(o.ID)
				}
			}
			a := strangers.action(f.state)
			if err := survives(w, part, &a); err != nil {
				return fmt.Errorf("tick %d: %s, among %d of %d objects: %w",
					k, action(w.Schema(), &a), part.Len(), f.state.Len(), err)
			}
		}
	}
	return nil
}

// survives carries out an action and lets a tick pass, and returns an error if that panics.
func survives(w world.World, s *world.State, a *world.Action) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if a.Verb != world.Enter && a.Verb != world.Leave {
		w.Reach(s, a, new(world.Footprint))
	}
	window := world.NewWindow(s)
	window.Do(w, a)
	window.Advance(w)
	return nil
}

func checkExtrapolate(w world.World, frames []frame) error {
	for k, f := range frames {
		for o := range f.state.All() {
			same := *o
			w.Extrapolate(&same, 0)
			if err := change(w.Schema(), &same, o); err != nil {
				return fmt.Errorf("tick %d: extrapolated by no time: %w", k, err)
			}
			later := *o
			w.Extrapolate(&later, w.Schema().Tick)
			if later.ID != o.ID || later.Kind != o.Kind || later.User != o.User {
				return fmt.Errorf("tick %d: extrapolated by a tick, %s becomes %s", k, name(w.Schema(), o), name(w.Schema(), &later))
			}
			again := *o
			w.Extrapolate(&again, w.Schema().Tick)
			if err := change(w.Schema(), &again, &later); err != nil {
				return fmt.Errorf("tick %d: extrapolated a second time: %w", k, err)
			}
		}
	}
	return nil
}
