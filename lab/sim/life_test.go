package sim_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// mortal is a scripted mechanism whose nodes tell which holder of their place they are, and say goodbye to node 1.
type mortal struct {
	scripted
	late func(s *mechanism.Session, p mechanism.Place) error
}

func (m *mortal) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if m.late != nil && s.Late {
		if err := m.late(s, p); err != nil {
			return nil, err
		}
	}
	n := &mortalNode{node{script: &m.scripted, id: p.ID}}
	if s.Late {
		m.log = append(m.log, fmt.Sprintf("%d is built under epoch %d", p.ID, s.Epoch))
	}
	return n, nil
}

type mortalNode struct{ node }

func (n *mortalNode) Bytes() int { return 1000 }

func (n *mortalNode) Leave(now world.Time, out *mechanism.Outbox) {
	n.note(now, "leaves")
	if n.id != 1 {
		out.Send(1, mechanism.Control, []byte("bye"))
	}
}

// lives writes down what it is told about lives.
type lives struct{ script *scripted }

func (l lives) Started(h *sim.Host, now world.Time, e *churn.Event) {
	l.script.log = append(l.script.log, fmt.Sprintf("%v %d started by %v, node %t", now, h.Place.ID, e.Kind, h.Node != nil))
}

func (l lives) Stopped(h *sim.Host, now world.Time, e *churn.Event) {
	l.script.log = append(l.script.log, fmt.Sprintf("%v %d stopped by %v, node %t", now, h.Place.ID, e.Kind, h.Node != nil))
}

// live runs a plan for nodes that are woken every 100 ms and send node 1 something at each of these times.
func live(t *testing.T, plan string, change func(*mortal, *sim.Setup)) (*sim.Run, []string) {
	t.Helper()
	m := &mortal{scripted: scripted{nodes: 3}}
	m.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		out.WakeAt((now/(100*ms) + 1) * 100 * ms)
		if n.id == 2 {
			out.SendAll([]mechanism.NodeID{1, 3}, mechanism.Update, fmt.Append(nil, int64(now/ms)))
		}
	}
	setup := sim.Setup{World: mechanismtest.Marbles(1), Mechanism: m, Network: constant(t), Hosts: param.Default[sim.Config](), Seed: 1, Duration: 500 * ms}
	if change != nil {
		change(m, &setup)
	}
	setup.Timeline = timeline(t, plan, &setup)
	r, err := sim.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	r.Observe(lives{&m.scripted})
	if err := r.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r, m.log
}

func constant(t *testing.T) network.Model {
	m, err := (&network.Constant{Delay: 30 * ms}).New(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func timeline(t *testing.T, plan string, s *sim.Setup) churn.Timeline {
	t.Helper()
	p, err := churn.Parse(plan)
	if err != nil {
		t.Fatal(err)
	}
	stage := churn.Stage{Seed: 1, Duration: s.Duration, Places: s.Mechanism.Places(s.World)}
	if stage.Processes, err = churn.Processes(s.Hosts.Together, stage.Places); err != nil {
		t.Fatal(err)
	}
	timeline, err := p.Expand(stage)
	if err != nil {
		t.Fatal(err)
	}
	return timeline
}

// of keeps the lines about one node, and about what is built.
func of(id string, log []string) (kept []string) {
	for _, line := range log {
		words := strings.Fields(line)
		if words[0] == id || words[1] == id {
			kept = append(kept, line)
		}
	}
	return kept
}

func TestCrashedNodeReturnsWithNothing(t *testing.T) {
	r, log := live(t, "at 120ms: crash node 3, back after 130ms", nil)
	expect(t, of("3", log), "0s 3 wake", "30ms 3 got 0 from 2", "100ms 3 wake", "120ms 3 stopped by crash, node true", "3 is built under epoch 1",
		"250ms 3 started by return, node true", "250ms 3 wake", "300ms 3 wake", "330ms 3 got 300 from 2", "400ms 3 wake", "430ms 3 got 400 from 2", "500ms 3 wake")
	if lost := r.Lost(); lost != (sim.Losses{Nobody: 2}) { // what was sent at 100 and 200 ms
		t.Errorf("lost %+v", lost)
	}
	if here, away := r.Hosts()[1].Absent(), r.Hosts()[2].Absent(); here != 0 || away != 130*ms {
		t.Errorf("absent for %v and %v", here, away)
	}
}

// Absence counts from when measuring begins, to the end of the run.
func TestAbsence(t *testing.T) {
	for plan, want := range map[string]world.Time{"at 120ms: crash node 3": 300 * ms, "at 320ms: crash node 3": 180 * ms, "at 120ms: crash node 3, back after 20ms": 0,
		"at 320ms: crash node 3, back after 20ms with memory": 0} {
		r, _ := live(t, plan, func(_ *mortal, s *sim.Setup) { s.Warmup = 200 * ms })
		if got := r.Hosts()[2].Absent(); got != want {
			t.Errorf("%s: absent for %v, want %v", plan, got, want)
		}
	}
}

// A datagram that arrives at the instant of a crash is lost; one that arrives at the instant of a return is seen, after the
// first wake-up.
func TestChangesComeBeforeWhatArrives(t *testing.T) {
	_, log := live(t, "at 130ms: crash node 3, back after 100ms", nil)
	expect(t, of("3", log)[3:8], "130ms 3 stopped by crash, node true", "3 is built under epoch 1", "230ms 3 started by return, node true",
		"230ms 3 wake", "230ms 3 got 200 from 2")
}

func TestLeavingNodeSaysGoodbye(t *testing.T) {
	r, log := live(t, "at 120ms: node 3 leaves", nil)
	expect(t, of("3", log), "0s 3 wake", "30ms 3 got 0 from 2", "100ms 3 wake", "120ms 3 leaves", "120ms 3 stopped by leave, node true")
	if !slices.Contains(log, "150ms 1 got bye from 3") {
		t.Errorf("nobody heard of it: %q", log)
	}
	if h := r.Hosts()[2]; h.Node != nil || h.Client != nil || h.View() != nil {
		t.Error("somebody is still there")
	}
}

// A node that is drained stands still while its 1,000 bytes are on their way over the slower one of two links, and goes on
// elsewhere; where that takes too long it begins anew there.
func TestDrainedNodeGoesOnElsewhere(t *testing.T) {
	slow := func(_ *mortal, s *sim.Setup) { s.Hosts.Up, s.Hosts.Down = 160_000, 80_000 }
	r, log := live(t, "at 120ms: drain node 3 within 100ms", slow)
	expect(t, of("3", log)[3:6], "120ms 3 stopped by move, node true", "220ms 3 started by move, node true", "220ms 3 wake")
	if h := r.Hosts()[2]; h.Node == nil || h.Frozen() || r.Lost().Nobody != 1 { // what was sent at 100 ms
		t.Errorf("lost %+v: %q", r.Lost(), log)
	}
	_, log = live(t, "at 120ms: drain node 3 within 99ms", slow)
	expect(t, of("3", log)[3:7], "120ms 3 stopped by return, node true", "3 is built under epoch 1", "120ms 3 started by return, node true", "120ms 3 wake")
}

func TestFrozenNodeGoesOnAsItWas(t *testing.T) {
	_, log := live(t, "at 120ms: crash node 3, back after 230ms with memory", nil)
	expect(t, of("3", log)[2:], "100ms 3 wake", "120ms 3 stopped by freeze, node true", "350ms 3 started by thaw, node true", "350ms 3 wake",
		"400ms 3 wake", "430ms 3 got 400 from 2", "500ms 3 wake")
}

// What is on its way to the old host does not find the new one.
func TestReplacedNodeIsElsewhere(t *testing.T) {
	r, log := live(t, "at 110ms: replace node 3 after 10ms", nil)
	expect(t, of("3", log)[2:6], "100ms 3 wake", "110ms 3 stopped by crash, node true", "3 is built under epoch 1", "120ms 3 started by return, node true")
	if slices.Contains(log, "130ms 3 got 100 from 2") || !slices.Contains(log, "230ms 3 got 200 from 2") || r.Lost().Nobody != 1 {
		t.Errorf("lost %+v: %q", r.Lost(), log)
	}
}

// The nodes of a process share its processor and crash as one. What they tell each other never leaves it.
func TestProcess(t *testing.T) {
	together := func(m *mortal, s *sim.Setup) { s.Hosts.Together = "nodes 2-3" }
	_, log := live(t, "at 120ms: crash process 1, back after 1s", together)
	expect(t, log, "0s 1 wake", "0s 2 wake", "0s 3 wake", "0s 3 got 0 from 2", "30ms 1 got 0 from 2", "100ms 1 wake", "100ms 2 wake", "100ms 3 got 100 from 2", "100ms 3 wake",
		"120ms 2 stopped by crash, node true", "120ms 3 stopped by crash, node true",
		"130ms 1 got 100 from 2", "200ms 1 wake", "300ms 1 wake", "400ms 1 wake", "500ms 1 wake")

	_, log = live(t, "at 400ms: heal", func(m *mortal, s *sim.Setup) {
		together(m, s)
		s.Hosts.CPU = 1000
		wake := m.wake
		m.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
			if wake(n, now, out); n.id == 2 {
				out.Charge(20)
			}
		}
	})
	if of("3", log)[0] != "20ms 3 wake" {
		t.Errorf("node 3 does not wait for node 2: %q", log)
	}
}

// What waits for a busy processor is lost with the node that it was for.
func TestCrashLosesWhatWaits(t *testing.T) {
	r, log := live(t, "at 150ms: crash node 3, back after 1ms", func(m *mortal, s *sim.Setup) {
		s.Hosts.CPU = 1000
		m.take = func(n *node, now world.Time, _ mechanism.Message, out *mechanism.Outbox) {
			if n.id == 3 && now < 100*ms {
				out.Charge(150) // until 180 ms; the wake-up of 100 ms and the datagram of 130 ms wait
			}
		}
	})
	expect(t, of("3", log)[:6], "0s 3 wake", "30ms 3 got 0 from 2", "150ms 3 stopped by crash, node true", "3 is built under epoch 1",
		"151ms 3 started by return, node true", "180ms 3 wake")
	if r.Lost().Nobody != 1 {
		t.Errorf("lost %+v", r.Lost())
	}
}

func TestLimitsOfLinks(t *testing.T) {
	_, log := live(t, "at 150ms: limit up of node 2 to 8kbit/s, for 100ms", nil)
	// 31 bytes with the header take 31 ms at 8 kbit/s, one after the other.
	for _, want := range []string{"130ms 1 got 100 from 2", "261ms 1 got 200 from 2", "330ms 1 got 300 from 2"} {
		if !slices.Contains(log, want) {
			t.Errorf("%q is not in %q", want, log)
		}
	}
}

// A mechanism that cannot have a node begin anew says so, and so does the run.
func TestNodeThatCannotReturn(t *testing.T) {
	m := &mortal{scripted: scripted{nodes: 2}, late: func(*mechanism.Session, mechanism.Place) error { return fmt.Errorf("no glue") }}
	s := sim.Setup{World: mechanismtest.Marbles(1), Mechanism: m, Network: constant(t), Hosts: param.Default[sim.Config](), Duration: 500 * ms}
	s.Timeline = timeline(t, "at 120ms: crash node 2, back after 100ms", &s)
	r, err := sim.New(s)
	if err != nil {
		t.Fatal(err)
	}
	want := `at 220ms, "at 120ms: crash node 2, back after 100ms": node 2 (node): no glue`
	if err := r.Go(context.Background()); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
