package aos_test

import (
	"context"
	"slices"
	"testing"

	"throng/internal/param"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/aos"
	"throng/mechanism/lockstep"
	"throng/world"
	"throng/worlds/rts"
)

// play runs the source's scenario with fewer users and for less time, and returns what servers and clients do.
func play(t *testing.T, users int, workload string, m mechanism.Mechanism) map[string]float64 {
	t.Helper()
	c := param.Default[rts.Config]()
	c.Users, c.Workload = users, workload
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	net, err := network.Perfect{}.New(1, len(m.Places(w)))
	if err != nil {
		t.Fatal(err)
	}
	hosts := param.Default[sim.Config]()
	hosts.Header = 0 // the source counts messages and their payloads
	run, err := sim.New(sim.Setup{World: w, Mechanism: m, Network: net, Hosts: hosts, Seed: 1, Duration: 1000 * w.Schema().Tick})
	if err != nil {
		t.Fatal(err)
	}
	probes := slices.DeleteFunc(measure.All(), func(e measure.Entry) bool {
		return e.Name != "sides" && e.Name != "effort" && e.Name != "transitions"
	})
	measured := measure.Attach(run, probes)
	if err := run.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	figures := map[string]float64{}
	for _, f := range measured.Figures() {
		figures[f.Name] = f.Value
	}
	return figures
}

// asThere is the mechanism with the source's settings, and a window that suits a short run.
func asThere(change func(*aos.Config)) *aos.Config {
	c := param.Default[aos.Config]()
	c.Turn = 50 * world.Millisecond
	c.Window = 4 * world.Second
	change(&c)
	return &c
}

// TestServersSendLessThanInLockstep: "AoS requires 30% up to 80% less upload bandwidth than EBLS" (6.2.1), here where users stay
// in their area; and clients consume "about 10% of the compute unit".
func TestServersSendLessThanInLockstep(t *testing.T) {
	ebls := param.Default[lockstep.Config]()
	ebls.Turn = 50 * world.Millisecond
	all, areas := play(t, 60, "wi", &ebls), play(t, 60, "wi", asThere(func(*aos.Config) {}))
	if a, b := areas["bytes.sent.server"], all["bytes.sent.server"]; a > b*7/10 {
		t.Errorf("servers send %.0f B/s instead of %.0f", a, b)
	}
	if a, b := areas["simulated.client"], all["simulated.client"]; a > b/5 || a == 0 {
		t.Errorf("clients simulate %.0f objects instead of %.0f", a, b)
	}
	if a, b := areas["simulated.server"], all["simulated.server"]; a > b/8 || a == 0 {
		t.Errorf("servers simulate %.0f objects instead of %.0f", a, b)
	}
}

// TestDynamicManagementPays: "the dynamic mechanism achieves significant bandwidth reduction with increasing n", the static one
// does not (6.2.2).
func TestDynamicManagementPays(t *testing.T) {
	updates := func(manage string, n int) float64 {
		return play(t, 20, "ww", asThere(func(c *aos.Config) { c.Manage, c.Areas = manage, n }))["bytes.sent.server.update"]
	}
	one := updates(aos.Dynamic, 1)
	dynamic, static := updates(aos.Dynamic, 3), updates(aos.Static, 3)
	if dynamic > one*3/4 || static < dynamic {
		t.Errorf("updates of %.0f B/s with one area, %.0f with the best three, %.0f with any three", one, dynamic, static)
	}
}

// TestNobodyMovesWhoStaysAtHome: "for WI, the number [of transitions] is zero, because the avatars of each player only move
// inside one sub-map" (6.2.2).
func TestNobodyMovesWhoStaysAtHome(t *testing.T) {
	home := play(t, 20, "wi", asThere(func(c *aos.Config) { c.Areas = 4 }))
	if n := home["promotions"]; n > 0.05 {
		t.Errorf("%.2f promotions per user and area", n)
	}
	away := play(t, 20, "ww", asThere(func(c *aos.Config) { c.Areas = 2 }))
	if away["promotions"] <= home["promotions"] {
		t.Errorf("%.2f promotions per user and area where avatars go elsewhere", away["promotions"])
	}
}

// TestDisseminationRelievesServers: the forwarding pool saves servers "about 50% to 60%" of what they send, levels of detail
// "about 15% to 30%", and both together more than either (6.2.3).
func TestDisseminationRelievesServers(t *testing.T) {
	updates := func(pool, detail bool) float64 {
		return play(t, 20, "wd", asThere(func(c *aos.Config) { c.Pool, c.Detail = pool, detail }))["bytes.sent.server.update"]
	}
	plain, pool, detail, both := updates(false, false), updates(true, false), updates(false, true), updates(true, true)
	if pool > plain*3/4 || detail > plain*9/10 || both > min(pool, detail) {
		t.Errorf("updates of %.0f B/s; with a pool %.0f, with levels of detail %.0f, with both %.0f", plain, pool, detail, both)
	}
}
