package crowd

import (
	"slices"
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// schedule runs a town without users and returns when events began and ended at each square.
func schedule(g *game, span world.Time) map[world.ID][]world.Tick {
	changes := map[world.ID][]world.Tick{}
	before := g.State.Clone()
	for range g.ticks(span) {
		before.CopyFrom(g.State)
		g.Wait(1)
		for c := range world.Diff(before, g.State) {
			if c.Old.Kind == kindPlace && (c.Old.Attr[attrEvent] == nothing) != (c.New.Attr[attrEvent] == nothing) {
				changes[c.New.ID] = append(changes[c.New.ID], g.State.Tick())
			}
		}
	}
	return changes
}

func TestEventsComeAndGo(t *testing.T) {
	first := schedule(newGame(t, 1, func(*Config) {}), 60*world.Minute)
	g := newGame(t, 1, func(*Config) {})
	again := schedule(g, 60*world.Minute)
	other := schedule(newGame(t, 2, func(*Config) {}), 60*world.Minute)
	if len(first) != len(g.plan.squares) {
		t.Errorf("%d squares of %d have events within an hour", len(first), len(g.plan.squares))
	}
	same := 0
	for id, changes := range first {
		if !slices.Equal(changes, again[id]) {
			t.Errorf("square %d: %v with the same seed, before %v", id, again[id], changes)
		}
		if slices.Equal(changes, other[id]) {
			same++
		}
		for i := 1; i < len(changes); i++ {
			span := world.Time(changes[i]-changes[i-1]) * g.Tick
			if least, most := g.EventLasts/2, g.EventPause+g.EventPause/2+g.Tick; span < least || span > most {
				t.Errorf("square %d changes after %v, want %v to %v", id, span, least, most)
			}
		}
	}
	if same > 0 {
		t.Errorf("%d squares have the same events with another seed", same)
	}
}

// TestEventsDrawPeople compares how many people are on squares where something has been going on for a while with how
// many are where nothing has.
func TestEventsDrawPeople(t *testing.T) {
	g := newGame(t, 1, func(*Config) {})
	since := map[world.ID]world.Tick{}
	last := map[world.ID]int64{}
	var people, samples [2]int // without and with an event
	for range 60 {
		g.Play(t, g.ticks(10*world.Second))
		crowd := map[world.ID]int{}
		for u := world.User(1); u <= g.Users(); u++ {
			if here := locate(g.walker(u).Pos); here.onLot() {
				crowd[g.plan.placeOf(here.block)]++
			}
		}
		for _, b := range g.plan.squares {
			id := g.plan.placeOf(b)
			if event := eventAt(g.State, id); event != last[id] {
				since[id], last[id] = g.State.Tick(), event
			}
			if int(g.State.Tick()-since[id]) < g.ticks(world.Minute) {
				continue
			}
			on := int(min(last[id], 1))
			people[on] += crowd[id]
			samples[on]++
		}
	}
	without, with := float64(people[0])/float64(samples[0]), float64(people[1])/float64(samples[1])
	if with < 2*without {
		t.Errorf("%v people on a square with an event, %v on one without", with, without)
	}
}

// TestACrowdGathersAndDissolves forces a concert on a town where nothing else goes on.
func TestACrowdGathersAndDissolves(t *testing.T) {
	g := newGame(t, 1, func(c *Config) { c.EventPause, c.EventLasts = 60*world.Minute, 60*world.Minute })
	id := g.plan.placeOf(g.plan.squares[len(g.plan.squares)/2])
	set := func(o *world.Object, event int64) {
		o.Attr[attrEvent], o.Attr[attrChanges] = event, int64(g.State.Tick())+1<<20
	}
	for _, b := range g.plan.squares {
		set(g.State.Edit(g.plan.placeOf(b)), nothing)
	}
	share := func() fixed.F {
		n := int64(0)
		for u := world.User(1); u <= g.Users(); u++ {
			if g.walker(u).Pos.Within(g.State.Get(id).Pos, 20*metre) {
				n++
			}
		}
		return fixed.Ratio(n, int64(g.Users()))
	}
	g.Play(t, g.ticks(3*world.Minute))
	before := share()
	set(g.State.Edit(id), concert)
	g.Play(t, g.ticks(3*world.Minute))
	during := share()
	set(g.State.Edit(id), nothing)
	g.Play(t, g.ticks(8*world.Minute))
	after := share()
	if 2*during < 5*before || 2*after > during {
		t.Errorf("shares of the people at the concert before, during and after it: %v, %v, %v", before, during, after)
	}
}
