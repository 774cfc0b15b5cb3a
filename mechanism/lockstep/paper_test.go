package lockstep

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
)

// One test for each claim of the source (Area of Simulation) about event-based lockstep simulation.

// Section 2.1: a turn of 100 ms is divided into four ticks of 25 ms.
func TestTurnsFallIntoTicks(t *testing.T) {
	if p := turn.NewPace(param.Default[Config]().Turn, 25*ms); p.Ticks != 4 || p.Length() != 100*ms {
		t.Errorf("a turn has %d ticks and takes %v", p.Ticks, p.Length())
	}
}

// Section 2.1: the server sorts the events received and sends them to all clients for execution: whatever came first, all
// clients carry out the same in the same order.
func TestOrderIsTheServers(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(3), nil)
	var orders [4][]world.User
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if e.Name == mechanism.Applied {
				orders[c.Node-1] = append(orders[c.Node-1], e.User)
			}
		}
	}
	r.Start()
	r.Advance(110 * ms)
	for _, u := range []world.User{3, 1, 2, 1} {
		r.Act(u, world.Action{Verb: mechanismtest.Drop})
		r.Advance(7 * ms)
	}
	r.Advance(world.Second)
	for id, got := range orders[1:] {
		if len(got) != 4 || got[0] != 1 || got[1] != 1 || got[2] != 2 || got[3] != 3 {
			t.Errorf("node %d carries out actions of users %v", id+2, got)
		}
	}
}

// Section 6.1: commands are scheduled to run two turns later.
func TestCommandsRunTwoTurnsLater(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(1), nil)
	all := watch(r)
	r.Start()
	r.Advance(520 * ms) // in turn 5
	r.Act(1, world.Action{Verb: mechanismtest.Drop})
	r.Advance(world.Second)
	if got := all[mechanism.Executed]; len(got) != 1 || serverOf(r).pace.Of(world.Tick(got[0].value)) != 7 {
		t.Errorf("executed: %v", got)
	}
}

// Section 6.2: the server sends nothing but commands, and what a client sends is less than a message per tick, receipts aside.
func TestOnlyCommandsTravel(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(4), nil)
	sent := map[mechanism.Class]int{}
	r.Observe = func(c *mechanismtest.Call) {
		for i := range c.Out.Sends() {
			if m := c.Out.Message(i, c.Node); r.Now() > 3*world.Second && c.Node != star.Server {
				sent[m.Class]++
			}
		}
	}
	r.Start()
	r.Play(460)
	if perTick := float64(sent[mechanism.Command]+sent[mechanism.Control]) / 4 / 400; perTick >= 1 || sent[mechanism.Command] == 0 {
		t.Errorf("%.2f messages per tick and client", perTick)
	}
	if sent[mechanism.Update]+sent[mechanism.Border]+sent[mechanism.Snapshot] > 0 {
		t.Errorf("clients send %v", sent)
	}
}

// Appendix C: with a delay of two turns the slowest connection makes everybody wait; with delays that follow the latencies nobody
// waits, and the less the delays have to be alike, the sooner actions take effect.
func TestDynamicDelayExecution(t *testing.T) {
	static, _ := execute(t, func(c *Config) {})
	stall0, response0 := execute(t, func(c *Config) { c.Dynamic = true })
	stall2, response2 := execute(t, func(c *Config) { c.Dynamic, c.Fairness = true, 2 })
	most, responseMost := execute(t, func(c *Config) { c.Delay = 6 })
	if static < 10*world.Second || stall0 > 0 || stall2 > 0 || most > 0 {
		t.Errorf("stalls: static %v, dynamic %v and %v, longest %v", static, stall0, stall2, most)
	}
	if response2 >= response0 || response0 >= responseMost {
		t.Errorf("responses: dynamic %v and %v, longest %v", response2, response0, responseMost)
	}
}

// execute plays with three users who are 20, 50 and 160 ms away, and returns for how long nodes stood still in all, and how long
// actions took on average.
func execute(t *testing.T, change func(*Config)) (stall, response world.Time) {
	r := rig(t, mechanismtest.Marbles(3), change)
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		return []world.Time{2: 20 * ms, 3: 50 * ms, 4: 160 * ms}[max(m.From, m.To)], false
	}
	type name struct {
		user world.User
		seq  uint32
	}
	acted, count := map[name]world.Time{}, world.Time(0)
	r.Start()
	r.Advance(10 * world.Second)
	r.Observe = func(c *mechanismtest.Call) {
		if c.Kind == mechanismtest.Act {
			acted[name{c.Action.User, c.Action.Seq}] = r.Now()
		}
		for _, e := range c.Out.Events() {
			switch at, known := acted[name{e.User, e.Seq}]; {
			case e.Name == mechanism.Stalled:
				stall += world.Time(e.Value)
			case e.Name == mechanism.Applied && known && c.Node == star.NodeOf(e.User):
				response += r.Now() - at
				count++
			}
		}
	}
	r.Play(500)
	return stall, response / max(count, 1)
}
