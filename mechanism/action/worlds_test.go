package action_test

import (
	"context"
	"testing"

	"throng/internal/param"
	"throng/lab/check"
	"throng/lab/network"
	"throng/lab/serial"
	"throng/lab/sim"
	"throng/mechanism/action"
	"throng/world"
	"throng/world/worldtest"
	"throng/worlds/crowd"
	"throng/worlds/manhattan"
	"throng/worlds/pong"
	"throng/worlds/rts"
	"throng/worlds/swarm"
)

// setUp lays out a run of a world on a network that takes 60 to 180 ms and loses one datagram in fifty.
func setUp(t testing.TB, config worldtest.Config, settings map[string]string, change func(*action.Config)) sim.Setup {
	t.Helper()
	if err := param.Defaults(config); err != nil {
		t.Fatal(err)
	}
	if err := param.SetAll(config, settings); err != nil {
		t.Fatal(err)
	}
	m := param.Default[action.Config]()
	m.Link.Timeout = 400 * world.Millisecond
	change(&m)
	w := worldtest.Make[world.World](t, config)
	return sim.Setup{World: w, Mechanism: &m, Network: rough{}, Hosts: param.Default[sim.Config](), Seed: 1, Duration: 6 * world.Second, Settle: 2 * world.Second}
}

// rough is a network whose fates follow from the time and the size of a datagram.
type rough struct{}

func (rough) Fate(now world.Time, from, to uint32, size int) network.Fate {
	h := (uint64(now)^uint64(from)<<40^uint64(to)<<20^uint64(size))*0x9e3779b97f4a7c15 ^ 0x632be59bd9b4e019
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	f := network.Fate{N: 1}
	if h>>32%50 == 0 {
		f.N = 0
	}
	f.Delays[0] = 60*world.Millisecond + world.Time(h%120)*world.Millisecond
	return f
}

// TestEveryWorldFollowsTheOrder runs worlds of all sorts, with objects that move by themselves and without.
func TestEveryWorldFollowsTheOrder(t *testing.T) {
	for _, w := range []struct {
		name     string
		config   worldtest.Config
		settings map[string]string
	}{
		{"pong", new(pong.Config), nil},
		{"swarm", new(swarm.Config), nil},
		{"crowd", new(crowd.Config), map[string]string{"walkers": "30"}},
		{"manhattan", new(manhattan.Config), map[string]string{"avatars": "30", "start": "block", "every": "300ms"}},
		{"rts", new(rts.Config), map[string]string{"users": "6", "avatars": "8", "width": "100", "height": "60"}},
		{"rts in play", new(rts.Config), map[string]string{"game": "play", "width": "64", "height": "64"}},
	} {
		for _, protocol := range []string{action.Basic, action.Incomplete, action.FirstBound, action.InformationBound} {
			t.Run(w.name+"/"+protocol, func(t *testing.T) {
				setup := setUp(t, w.config, w.settings, func(c *action.Config) { c.Protocol = protocol })
				run, err := sim.New(setup)
				if err != nil {
					t.Fatal(err)
				}
				checks := check.Attach(run)
				order := serial.Watch(run)
				if err := run.Go(context.Background()); err != nil {
					t.Fatal(err)
				}
				if err := checks.Verdict(); err != nil {
					t.Error(err)
				}
				if order.Checked() == 0 {
					t.Error("nothing was compared")
				}
				t.Logf("%d compared", order.Checked())
			})
		}
	}
}
