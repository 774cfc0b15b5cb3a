package lab_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"throng/catalog"
	"throng/lab"
	"throng/lab/churn"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// aftermath is what a crash of the first server leaves, two seconds after which another takes its place with an empty memory.
type aftermath int

const (
	serverless   aftermath = iota // there is no server
	begins                        // the world begins again, and all come back to it
	goesOn                        // the others know the world, and take the newcomer in
	goesOnInPart                  // as well, but what only the server knew begins again, and it says so
	refused                       // the newcomer is: nobody can take a server's place
)

// promises are what the cards and pages say under "client dies" and "server dies". Under all mechanisms others go on without a
// client that has crashed, and it can come back.
var promises = map[string]struct {
	leaves bool // users whose clients have crashed leave the world, where users can
	server aftermath
	role   string // of servers, where they are not called that
}{
	"loose":      {true, serverless, ""},
	"optimistic": {false, serverless, ""},
	"lockstep":   {true, goesOn, ""},
	"central":    {true, begins, ""},
	"interest":   {true, refused, ""},
	"octree":     {true, goesOn, ""},
	"zonal":      {true, goesOn, "hybrid"},
	"aos":        {true, goesOnInPart, ""},
	"action":     {true, begins, ""},
	"broadcast":  {true, begins, ""},
	"ring":       {true, begins, ""},
}

// small is how each world is made small, and its users busy.
var small = map[string][]string{
	"pong":         {},
	"swarm":        {"world.bees", "4"},
	"crowd":        {"world.walkers", "5", "world.restless", "true"},
	"rts":          {"world.users", "4", "world.avatars", "6", "world.width", "160", "world.height", "64"},
	"combat":       {"world.units", "5", "world.side", "800", "world.plane-sight", "300"},
	"manhattan":    {"world.avatars", "4", "world.walls", "200"},
	"shooters":     {},
	"philosophers": {"world.count", "4"},
}

// Somebody crashes at 3 s, and what has come of it is looked at from 11 s on: six seconds after a server's return. Patience with
// clients ends at 14 s at the latest.
const (
	lookFrom  = 11 * world.Second
	lookUntil = 20 * world.Second
	answered  = 2 * world.Second // how soon an action has taken effect
)

// What each mechanism says of crashes is so in every world, and twice the same.
func TestCrashes(t *testing.T) {
	c := catalog.Default()
	for _, m := range c.Mechanisms {
		if _, ideal := m.New().(mechanism.Idealised); ideal {
			continue
		}
		promise, ok := promises[m.Name]
		if !ok {
			t.Errorf("%s: nobody has said what happens when somebody crashes", m.Name)
			continue
		}
		for _, w := range c.Worlds {
			crash := func(name, plan string, hold func(*testing.T, *scene)) {
				t.Run(m.Name+"/"+w.Name+"/"+name, func(t *testing.T) {
					first, second := act(t, m.Name, w.Name, plan), act(t, m.Name, w.Name, plan)
					hold(t, first)
					if a, b := first.String(), second.String(); a != b {
						t.Errorf("first\n%s\nthen\n%s", a, b)
					}
				})
			}
			crash("client", "at 3s: crash user 1", func(t *testing.T, s *scene) { s.clientIsGone(t, promise.leaves) })
			crash("return", "at 3s: crash user 1, back after 1s", func(t *testing.T, s *scene) { s.allAct(t, 0) })
			if promise.server != serverless {
				crash("server", "at 3s: crash "+cmp.Or(promise.role, "server")+" 1, back after 2s", func(t *testing.T, s *scene) { s.serverIsBack(t, promise.server) })
			}
		}
	}
}

// Every mechanism says in its card and on its page what a crash does.
func TestCrashesAreDocumented(t *testing.T) {
	for _, m := range catalog.Default().Mechanisms {
		for path, wanted := range map[string][]string{
			"../mechanism/" + m.Name + "/doc.go":   {"//\tclient dies ", "//\tserver dies "},
			"../docs/mechanisms/" + m.Name + ".md": {"**When a client crashes:** ", "**When a server crashes:** "},
		} {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			for _, w := range wanted {
				if !strings.Contains(string(text), w) {
					t.Errorf("%s does not say %q", path, strings.TrimSpace(w))
				}
			}
		}
	}
}

// scene is a run in which somebody crashes, and what is seen of it afterwards.
type scene struct {
	run            *sim.Run
	err            error
	restarts       int
	looked         map[world.User]world.Tick // how far users' views were when they were first looked at
	acted, applied map[world.User]int        // since then
}

func act(t *testing.T, m, w, plan string) *scene {
	t.Helper()
	return actWith(t, m, w, plan)
}

// actWith plays under further settings.
func actWith(t *testing.T, m, w, plan string, settings ...string) *scene {
	t.Helper()
	s := setup(t, w, m, "constant", append(slices.Clone(small[w]), settings...)...)
	s.Duration = lookUntil
	s.Churn = catalog.Defaults(new(churn.Config))
	s.Churn.Events = plan
	run, err := lab.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	x := &scene{run: run, looked: map[world.User]world.Tick{}, acted: map[world.User]int{}, applied: map[world.User]int{}}
	run.Observe(x)
	x.err = run.Go(context.Background())
	return x
}

// Tick implements sim.TickObserver.
func (x *scene) Tick(now world.Time) {
	if now < lookFrom || len(x.looked) > 0 {
		return
	}
	for _, h := range x.run.Hosts() {
		if h.Client != nil {
			x.looked[h.Place.User] = h.View().Tick()
		}
	}
}

// Acted implements sim.ActionObserver.
func (x *scene) Acted(h *sim.Host, now world.Time, _ *world.Action) {
	if now >= lookFrom && now < lookUntil-answered {
		x.acted[h.Place.User]++
	}
}

// Event implements sim.EventObserver.
func (x *scene) Event(h *sim.Host, now world.Time, e mechanism.Event) {
	switch {
	case e.Name == mechanism.Restarted:
		x.restarts++
	case (e.Name == mechanism.Applied || e.Name == mechanism.Confirmed) && now >= lookFrom && e.User == h.Place.User:
		x.applied[e.User]++
	}
}

// clientIsGone holds that all but the first user act, and whether the latter has left.
func (x *scene) clientIsGone(t *testing.T, leaves bool) {
	x.allAct(t, 1)
	_, inhabited := x.run.Setup().World.(world.Inhabited)
	for _, h := range x.run.Hosts() {
		if h.Client == nil {
			continue
		}
		if there := world.Present(h.View(), 1); there && inhabited && leaves {
			t.Errorf("user %d still sees the one whose client has crashed", h.Place.User)
		} else if !there && !leaves {
			t.Errorf("user %d does not see the one who has stayed", h.Place.User)
		}
	}
}

// serverIsBack holds what becomes of a server's crash.
func (x *scene) serverIsBack(t *testing.T, a aftermath) {
	if a == refused {
		if x.err == nil || !strings.Contains(x.err.Error(), "cannot take its place") {
			t.Errorf("another has taken the server's place: %v", x.err)
		}
		return
	}
	x.allAct(t, 0)
	if begun := x.restarts > 0; begun != (a == begins || a == goesOnInPart) {
		t.Errorf("the world has begun again %d times", x.restarts)
	}
}

// allAct holds that users but one take part: they are in the world, time passes in their views, and what they do takes effect.
func (x *scene) allAct(t *testing.T, but world.User) {
	t.Helper()
	if x.err != nil {
		t.Fatal(x.err)
	}
	all := 0
	for _, h := range x.run.Hosts() {
		u := h.Place.User
		if u == 0 || u == but {
			continue
		}
		if h.Client == nil {
			t.Errorf("user %d has no client", u)
			continue
		}
		if a, ok := h.Node.(mechanism.Arriving); ok && !a.Ready() {
			t.Errorf("user %d does not take part", u)
		}
		if !world.Present(h.View(), u) {
			t.Errorf("user %d is not in the world", u)
		}
		if tick := h.View().Tick(); tick <= x.looked[u] {
			t.Errorf("the view of user %d stands still at %d", u, tick)
		}
		if x.acted[u] > 0 && x.applied[u] == 0 {
			t.Errorf("user %d acts %d times, and nothing takes effect", u, x.acted[u])
		}
		all += x.applied[u]
	}
	if all == 0 && !strings.HasSuffix(t.Name(), "action/pong/client") { // the ball was the crashed client's to move, so nobody need
		t.Error("nobody acts")
	}
}

// String is all that was seen.
func (x *scene) String() string {
	s := fmt.Sprint(x.err, x.restarts, x.looked, x.acted, x.applied, x.run.Lost())
	for _, h := range x.run.Hosts() {
		if h.Client != nil {
			s += fmt.Sprintf(" %x", h.View().Hash())
		}
	}
	return s
}
