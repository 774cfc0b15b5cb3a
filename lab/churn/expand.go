package churn

import (
	"cmp"
	"fmt"
	"slices"

	"throng/lab/network"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Stage is the run that a plan is for.
type Stage struct {
	Seed     uint64
	Duration world.Time // what would happen later does not
	Places   []mechanism.Place
	Bounds   fixed.Box // of the world

	// Admit returns the place of a user beyond those in Places; nil where there are no such users.
	Admit func(u world.User) mechanism.Place
	// Processes are the nodes that share a process, and so a host. All others have one to themselves.
	Processes [][]mechanism.NodeID
	// Replicas says on how many computers a node is kept, where that is more than one: it goes on while most of them do.
	Replicas map[mechanism.NodeID]int
}

// spare is how many of the computers that keep a node may fail without harm to it.
func (s *Stage) spare(id mechanism.NodeID) int { return max(s.Replicas[id]-1, 0) / 2 }

// eventsMax bounds what a short text can ask for.
const eventsMax = 300_000

// Expand works out what a plan means for a run. The same plan, seed and places give the same timeline. Errors are of type
// [*Error].
func (p Plan) Expand(stage Stage) (t Timeline, err error) {
	defer rescue("", &err)
	x := newExpansion(p, stage)
	x.live()
	x.place()
	x.disturb()
	sortEvents(x.events)
	t = Timeline{Events: x.events, Hosts: x.roles(), Changes: x.changes, homes: map[mechanism.NodeID]int{}}
	for _, p := range stage.Places {
		t.replicate(p, stage.Replicas[p.ID]-1)
	}
	for _, nodes := range stage.Processes {
		for _, id := range nodes {
			t.homes[id] = int(slices.Min(nodes))
		}
	}
	for _, s := range p.Statements {
		t.Statements = append(t.Statements, s.Text)
	}
	t.Admitted = slices.Clone(x.cast.places[len(stage.Places):])
	slices.SortFunc(t.Admitted, func(a, b mechanism.Place) int { return cmp.Compare(a.ID, b.ID) })
	return t, nil
}

func sortEvents(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
}

// Note adds events for partitions that a network has anyway, for the sake of those who observe them.
func (t *Timeline) Note(cause string, changes []network.Change, duration world.Time) {
	if len(changes) == 0 {
		return
	}
	for _, c := range changes {
		if c.From <= duration {
			t.Events = append(t.Events, Event{At: c.From, Kind: Cut, Cause: len(t.Statements)})
		}
		if c.Until <= duration {
			t.Events = append(t.Events, Event{At: c.Until, Kind: Heal, Cause: len(t.Statements)})
		}
	}
	t.Statements = append(t.Statements, cause)
	sortEvents(t.Events)
}

// moment is one time at which a clause happens.
type moment struct {
	at     world.Time
	cause  int // index of the statement
	clause *Clause
	number uint64 // counts the moments of the clause
	name   string // of its random streams
	keys   [2]uint64
}

// stream returns the random numbers for one purpose of a moment.
func (m *moment) stream(seed uint64, purpose string, node mechanism.NodeID) random.Stream {
	return random.New(seed, purpose+m.name, m.keys[0], m.keys[1], m.number, uint64(node))
}

func (m *moment) fail(p *Plan, problem, remedy string) {
	panic(&Error{Statement: p.Statements[m.cause].Text, Problem: problem, Remedy: remedy})
}

// moments lists when the clauses of a plan happen, in order. Of two at the same instant the one that is written first comes
// first.
func (p *Plan) moments(stage *Stage) []moment {
	var out []moment
	twins := map[string]uint64{} // statements that are written alike have streams of their own
	for i := range p.Statements {
		s := &p.Statements[i]
		twin := twins[s.Text]
		twins[s.Text]++
		for j := range s.Clauses {
			m := moment{cause: i, clause: &s.Clauses[j], name: s.Text, keys: [2]uint64{twin, uint64(j)}}
			out = m.repeat(out, s.When, stage)
			if len(out) > eventsMax {
				m.fail(p, fmt.Sprintf("happens too often: more than %d times", eventsMax), "make it rarer or the run shorter")
			}
		}
	}
	slices.SortStableFunc(out, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return out
}

// repeat appends every moment of a clause.
func (m moment) repeat(dst []moment, w When, stage *Stage) []moment {
	gap, chance := w.Every, w.Random
	if m.clause.Rate > 0 {
		gap, chance = m.clause.Rate, true
	}
	if gap == 0 {
		if m.at = w.From; m.at <= stage.Duration {
			dst = append(dst, m)
		}
		return dst
	}
	// All clauses of a statement that happen together do so at the same moments.
	when := random.New(stage.Seed, "churn when "+m.name, m.keys[0])
	if m.clause.Rate > 0 {
		when = random.New(stage.Seed, "churn rate "+m.name, m.keys[0], m.keys[1])
	}
	end, before := min(w.To, stage.Duration), len(dst)
	for at := w.From; len(dst) <= eventsMax; {
		step := gap
		if chance {
			step = stretch(gap, when.Exponential(fixed.One))
		}
		if step > end-at {
			break
		}
		at += step
		next := m
		next.at, next.number = at, uint64(len(dst)-before)
		dst = append(dst, next)
	}
	return dst
}

// stretch returns a span of time multiplied by a number, and at least a nanosecond.
func stretch(t world.Time, by fixed.F) world.Time {
	return max(1, world.Time(fixed.F(t).Mul(by)))
}

// uniform returns a moment within a span.
func uniform(s random.Stream, span world.Time) world.Time {
	if span == 0 {
		return 0
	}
	return world.Time(s.Below(uint64(span)))
}
