package aos

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/memo"
	"throng/world"
	"throng/world/random"
)

// witness watches a run: replicas of an area must be equal at equal ticks, and no object may be two servers' own.
type witness struct {
	t      *testing.T
	rig    *mechanismtest.Rig
	hashes map[[2]int64]uint64 // by area and tick
	seen   map[[3]int64]bool   // by node, area and tick
	checks int
}

func watch(t *testing.T, rig *mechanismtest.Rig) *witness {
	w := &witness{t: t, rig: rig, hashes: map[[2]int64]uint64{}, seen: map[[3]int64]bool{}}
	rig.Observe = func(c *mechanismtest.Call) {
		switch n := rig.Node(c.Node).(type) {
		case *server:
			w.replica(c.Node, n.replica)
			w.owned()
		case *client:
			for i := range n.regions {
				if r := n.regions[i].replica; r != nil {
					w.replica(c.Node, r)
				}
			}
		}
	}
	return w
}

func (w *witness) replica(id mechanism.NodeID, r *replica) {
	key := [2]int64{int64(r.area), int64(r.tick())}
	seen := [3]int64{int64(id), key[0], key[1]}
	if w.seen[seen] {
		return
	}
	w.seen[seen] = true
	hash := r.state().Hash()
	if was, ok := w.hashes[key]; ok {
		w.checks++
		if was != hash {
			w.t.Fatalf("%v: node %d has area %d at tick %d otherwise than others", w.rig.Now(), id, r.area, r.tick())
		}
	}
	w.hashes[key] = hash
}

// owned checks that nothing belongs to two servers, and returns what belongs to one.
func (w *witness) owned() map[world.ID]int {
	owners := map[world.ID]int{}
	for _, p := range w.rig.Session.Places {
		n, ok := w.rig.Node(p.ID).(*server)
		if !ok {
			continue
		}
		for o := range n.replica.state().All() {
			if !n.replica.owns(o) {
				continue
			}
			if other, doubled := owners[o.ID]; doubled {
				w.t.Fatalf("%v: areas %d and %d both own object %d", w.rig.Now(), other, n.area, o.ID)
			}
			owners[o.ID] = n.area
		}
	}
	return owners
}

// complete checks that nothing of the world's start is missing. What is on its way between two servers has some time to arrive.
func (w *witness) complete() {
	missing := map[world.ID]*world.Object{}
	for o := range w.rig.Session.Start.All() {
		missing[o.ID] = o
	}
	for range 40 {
		for id := range w.owned() {
			delete(missing, id)
		}
		w.rig.Advance(w.rig.World.Schema().Tick)
	}
	for _, o := range missing {
		w.t.Errorf("nobody has %s", w.rig.Session.World.Schema().Describe(o))
	}
}

// abreast checks that all replicas have come about as far as their servers.
func (w *witness) abreast() {
	ticks := map[int]world.Tick{}
	for _, p := range w.rig.Session.Places {
		switch n := w.rig.Node(p.ID).(type) {
		case *server:
			if ticks[n.area] = n.replica.tick(); n.replica.tick() < mechanism.TickAt(w.rig.Now(), n.pace.Tick)-1 {
				w.t.Errorf("area %d is at tick %d at %v", n.area, n.replica.tick(), w.rig.Now())
			}
		case *client:
			for i := range n.regions {
				if r := n.regions[i].replica; r != nil && r.tick() < ticks[i]-2*n.pace.Ticks {
					w.t.Errorf("node %d has area %d at tick %d, its server at %d", p.ID, i, r.tick(), ticks[i])
				}
			}
		}
	}
}

// rough is a network that loses and delays.
func rough(seed uint64, delay world.Time, loss uint64) func(mechanism.Message) (world.Time, bool) {
	stream := random.New(seed, "network")
	return func(mechanism.Message) (world.Time, bool) {
		return world.Time(stream.Below(uint64(delay) + 1)), stream.Below(100) < loss
	}
}

// sharing is the mechanism with replicas that share work, where there is a pool.
type sharing struct {
	*Config
	pool *memo.Pool
}

func (m sharing) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	with := *s
	with.Shared = m.pool
	return m.Config.NewNode(&with, p)
}

// variants are settings under which the properties are tested, beside the defaults.
var variants = map[string]func(*Config){
	"default":    func(*Config) {},
	"full":       func(c *Config) { c.Borders = "full" },
	"compressed": func(c *Config) { c.Borders = "compressed" },
	"unguessed":  func(c *Config) { c.Reckon, c.Updates = false, Changed },
	"dynamic":    func(c *Config) { c.Delay, c.Fairness = Dynamic, 2 },
	"two areas":  func(c *Config) { c.Areas, c.Window = 2, 2*world.Second },
	"many areas": func(c *Config) { c.Areas, c.Window, c.Hysteresis = 4, world.Second, 0 },
	"stopping":   func(c *Config) { c.Areas, c.Window, c.Live = 3, world.Second, false },
	"static":     func(c *Config) { c.Areas, c.Manage = 3, Static },
	"updates":    func(c *Config) { c.Areas = 0 },
	"pool":       func(c *Config) { c.Pool, c.Areas, c.Window = true, 2, 2*world.Second },
	"detail":     func(c *Config) { c.Detail = true },
	"both":       func(c *Config) { c.Pool, c.Detail = true, true },
	"one area":   func(c *Config) { c.Columns, c.Rows = 1, 1 },
	"fine":       func(c *Config) { c.Columns, c.Rows = 7, 6 },
}

// TestReplicasAgree plays marbles that roll across many borders, on a network that loses and reorders: whoever simulates an
// area has it as its server has it, and no marble is lost or doubled.
func TestReplicasAgree(t *testing.T) {
	for name, change := range variants {
		for _, shared := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/shared=%v", name, shared), func(t *testing.T) {
				config := param.Default[Config]()
				change(&config)
				m := sharing{Config: &config}
				if shared {
					m.pool = memo.NewPool()
				}
				rig, err := mechanismtest.NewRig(m, mechanismtest.Marbles(6), 1)
				if err != nil {
					t.Fatal(err)
				}
				w := watch(t, rig)
				rig.Network = rough(1, 120*world.Millisecond, 5)
				rig.Start()
				rig.Play(300)
				rig.Network = mechanismtest.Constant(20 * world.Millisecond)
				rig.Advance(8 * world.Second)
				w.complete()
				w.abreast()
				if w.checks == 0 && config.Areas > 0 {
					t.Error("nobody simulates what somebody else does")
				}
			})
		}
	}
}
