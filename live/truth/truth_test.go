package truth_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"throng/catalog"
	"throng/live/hub"
	"throng/live/session"
	"throng/live/truth"
	"throng/mechanism"
	"throng/world"
)

// Under every mechanism that can be served, everything of the world is in the truth, and moves; it is from servers where there are any
// that decide.
func TestEveryMechanismHasATruth(t *testing.T) {
	c := catalog.Default()
	owners := map[string]bool{"loose": true, "optimistic": true, "zonal": true, "action": true, "broadcast": true, "ring": true}
	for _, m := range c.Mechanisms {
		if _, ideal := m.New().(mechanism.Idealised); ideal {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, err := hub.Start(hub.Config{Description: session.Description{
					World: session.Choice{Name: "crowd", Params: map[string]string{"walkers": "8"}}, Mechanism: session.Choice{Name: m.Name}, Seed: 1,
				}}, c)
				if err != nil {
					t.Fatal(err)
				}
				defer h.Close(context.Background(), "over")
				o := truth.New(h)
				<-time.After(3 * time.Second)
				before := map[world.ID]world.Object{}
				o.Look(func(s *world.State, b truth.Basis) {
					want := truth.Servers
					if owners[m.Name] {
						want = truth.Owners
					}
					if b != want {
						t.Errorf("it is from %s instead of %s", b, want)
					}
					for x := range s.All() {
						before[x.ID] = *x
					}
				})
				<-time.After(time.Second)
				o.Look(func(s *world.State, _ truth.Basis) {
					users, moved := map[world.User]bool{}, 0
					for x := range s.All() {
						users[x.User] = true
						if x.User != 0 && before[x.ID].Pos != x.Pos {
							moved++
						}
					}
					delete(users, 0)
					if len(users) != 8 || moved == 0 || s.Tick() == 0 {
						t.Errorf("%d users of 8, %d objects moved, at tick %d", len(users), moved, s.Tick())
					}
				})
			})
		})
	}
}

// Where only people take part whose machines are elsewhere, nobody here knows.
func TestNobodyKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, err := hub.Start(hub.Config{
			Description: session.Description{World: session.Choice{Name: "swarm"}, Mechanism: session.Choice{Name: "loose"}, Seed: 1},
			Local:       func(mechanism.Place) bool { return false },
		}, catalog.Default())
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close(context.Background(), "over")
		truth.New(h).Look(func(s *world.State, b truth.Basis) {
			if b != truth.Nobody || s.Len() != 0 {
				t.Errorf("%d objects, from %s", s.Len(), b)
			}
		})
	})
}
