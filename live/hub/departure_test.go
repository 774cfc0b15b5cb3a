package hub_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"throng/catalog"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// inWorld reports whether a user is in the world as servers hold it or, where there are none that say, as an artificial player sees it.
func inWorld(h *hub.Hub, u world.User) (in bool) {
	for _, p := range h.Places() {
		h.Do(p.ID, func(m *mechanism.Machine) {
			if a, ok := m.Node().(mechanism.Authority); ok {
				in = in || world.Present(a.Held(), u)
			} else if v := m.View(); v != nil && m.Ready() {
				in = in || world.Present(v, u)
			}
		})
	}
	return in
}

// Whoever leaves is out of the world within a second or two, under every mechanism that lets people come and go, and their places
// are vacant.
func TestLeavingIsQuick(t *testing.T) {
	for _, m := range catalog.Default().Mechanisms {
		if _, admitting := m.New().(mechanism.Admitting); !admitting {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := startFrom(t, catalog.Default(), hub.Config{Description: session.Description{
					World:     session.Choice{Name: "crowd", Params: map[string]string{"walkers": "4", "mode": "dense"}},
					Mechanism: session.Choice{Name: m.Name},
				}})
				pass(2 * time.Second)
				const many = 40
				var pages []*page
				for i := range many {
					p, _ := open(t, h, join(t, h, fmt.Sprint(i)))
					pages = append(pages, p)
				}
				pass(3 * time.Second)
				for _, p := range pages {
					if !inWorld(h, p.seat.User()) {
						t.Fatalf("user %d never was in the world", p.seat.User())
					}
					p.runner.Stop()
					h.Leave(p.seat, "bye")
				}
				began, out := time.Now(), 0
				for out < many && time.Since(began) < time.Minute {
					pass(100 * time.Millisecond)
					out = 0
					for _, p := range pages {
						if !inWorld(h, p.seat.User()) && holding(h, p.seat.Place().ID).Holding == hub.Vacant {
							out++
						}
					}
				}
				soon := 2 * time.Second
				if passed := time.Since(began); out < many || passed > soon {
					t.Errorf("%d of %d are out after %v", out, many, passed)
				}
				stop(t, h)
			})
		})
	}
}

// Users on their way out count as seats: however fast people come and go, no more are in the world than there are seats.
func TestLeaversKeepTheirSeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", func(c *hub.Config) { c.SeatsMax = 1 })
		p, _ := visit(t, h)
		p.runner.Stop()
		h.Leave(p.seat, "bye")
		if err := h.Vacant(); err == nil {
			t.Error("there is a seat before the user is out")
		}
		pass(10 * time.Second)
		if err := h.Vacant(); err != nil {
			t.Error(err)
		}
		stop(t, h)
	})
}
