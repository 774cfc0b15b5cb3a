package interest

import (
	"fmt"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/area"
	"throng/world"
	"throng/world/fixed"
)

// custodians says for every object where it is: on the servers that own it, or on its way.
func custodians(r *mechanismtest.Rig) map[world.ID][]string {
	found := map[world.ID][]string{}
	for _, s := range servers(r) {
		for o := range s.state.All() {
			if s.Owns(o.ID) {
				found[o.ID] = append(found[o.ID], fmt.Sprint("area ", s.area))
			}
		}
		for id, f := range s.flying {
			// It is in the air until the message that hands it over has been read.
			if taker := servers(r)[f.to]; !taken(taker, s.area, f.number) {
				found[id] = append(found[id], fmt.Sprintf("from %d to %d", s.area, f.to))
			}
		}
	}
	return found
}

// taken reports whether a server has taken what another handed over under a number.
func taken(s *server, from int, number uint64) bool { return s.borders[from].Taken() >= number }

// TestEveryObjectHasOneCustodian runs nomads over borders, on networks that lose and delay, and checks after every tick that
// each is owned by one server or on its way to one.
func TestEveryObjectHasOneCustodian(t *testing.T) {
	for seed := range uint64(8) {
		w := newNomads(4, 10)
		r := newRig(t, settled{w}, func(c *Config) {
			c.Columns, c.Rows = 1+int(seed%4), 1+int(seed%3)
			c.Proxy = seed == 7
			c.Bands = area.Encodings[seed%3]
		})
		r.Network = rough(seed)
		crossed := 0
		r.Observe = func(c *mechanismtest.Call) {
			for _, e := range c.Out.Events() {
				if e.Name == mechanism.Handed {
					crossed++
				}
			}
		}
		for range 400 {
			r.Play(1)
			found := custodians(r)
			if len(found) != 40 {
				t.Fatalf("seed %d at %v: %d objects of 40", seed, r.Now(), len(found))
			}
			for id, at := range found {
				if len(at) != 1 {
					t.Fatalf("seed %d at %v: object %d is in %q", seed, r.Now(), id, at)
				}
			}
		}
		if configOf(r).Len() > 1 && crossed < 50 {
			t.Errorf("seed %d: only %d crossings", seed, crossed)
		}
	}
}

// whole puts together the world from what the servers own.
func whole(r *mechanismtest.Rig) *world.State {
	all := world.NewState(r.World.Schema(), 1)
	for _, s := range servers(r) {
		for o := range s.state.All() {
			if s.Owns(o.ID) {
				all.Put(*o)
			}
		}
	}
	return all
}

// visible says what a user should see.
func visible(w world.World, all *world.State, u world.User, o *world.Object, single bool) bool {
	if v, ok := w.(world.Veiled); ok && !v.Sees(all, u, o) {
		return false
	}
	if single {
		return true
	}
	for c := range all.All() {
		if c.User == u && c.Pos.Within(o.Pos, w.(world.Limited).Limits().Sight) {
			return true
		}
	}
	return false
}

// TestClientsSeeJustWhatIsThereOnceItRests plays over bad networks, stops all nomads, and compares what each client shows with
// what the servers have and the user can see.
func TestClientsSeeJustWhatIsThereOnceItRests(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"multiple":   func(*Config) {},
		"single":     func(c *Config) { c.Interest = Single },
		"proxy":      func(c *Config) { c.Proxy = true },
		"slow":       func(c *Config) { c.Interval = 5 },
		"reckon":     func(c *Config) { c.Others = "reckon" },
		"one server": func(c *Config) { c.Columns, c.Rows = 1, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range []world.World{settled{newNomads(6, 5)}, foggy{settled{newNomads(6, 5)}}} {
				r := newRig(t, w, change)
				r.Network = rough(3)
				r.Play(200)
				r.Network = mechanismtest.Constant(20 * ms)
				halt(r, 6, 5)
				compareViews(t, r, w, configOf(r).Interest == Single)
			}
		})
	}
}

// halt has every user stop every nomad, until all rest.
func halt(r *mechanismtest.Rig, users world.User, each int) {
	for range 3 {
		for u := world.User(1); u <= users; u++ {
			for i := range each {
				r.Act(u, turn(nomadOf(u, i), fixed.Vec{}))
				r.Advance(25 * ms)
			}
		}
		r.Advance(2 * world.Second)
	}
}

func compareViews(t *testing.T, r *mechanismtest.Rig, w world.World, single bool) {
	t.Helper()
	all := whole(r)
	for u := world.User(1); u <= w.Users(); u++ {
		view := clientOf(r, u).View()
		for o := range all.All() {
			want := *o
			w.Schema().Round(&want)
			got := view.Get(o.ID)
			switch sees := visible(w, all, u, o, single); {
			case sees && (got == nil || *got != want):
				t.Errorf("user %d sees object %d as %+v, want %+v", u, o.ID, got, want)
			case !sees && got != nil:
				t.Errorf("user %d sees object %d at %v", u, o.ID, got.Pos)
			}
		}
		for o := range view.All() {
			if all.Get(o.ID) == nil {
				t.Errorf("user %d sees object %d, which is gone", u, o.ID)
			}
		}
	}
}

// TestUsersComeAndGo has users leave and come back while their nomads are on their way between servers. What is left of those
// who are gone is nothing, and nobody has a nomad twice.
func TestUsersComeAndGo(t *testing.T) {
	const users, each = 5, 6
	for seed := range uint64(6) {
		r := newRig(t, newNomads(users, each), nil)
		r.Network = rough(seed)
		there := [users + 1]bool{}
		for round := range 40 {
			u := world.User(1 + (round*7+int(seed))%users)
			verb := world.Leave
			if there[u] = !there[u]; round < users || !there[u] {
				there[u] = false
			} else {
				verb = world.Enter
			}
			r.Act(u, world.Action{Verb: verb})
			r.Advance(world.Time(100+50*seed) * ms)
		}
		r.Advance(20 * world.Second)
		for u := world.User(1); u <= users; u++ {
			got := 0
			for i := range each {
				got += len(custodians(r)[nomadOf(u, i)])
			}
			if want := map[bool]int{true: each}[there[u]]; got != want {
				t.Errorf("seed %d: user %d has %d nomads, want %d", seed, u, got, want)
			}
		}
	}
}
