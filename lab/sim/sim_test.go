package sim_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

const ms = world.Millisecond

// scripted is a mechanism whose nodes do what a test says and write down when they are called.
type scripted struct {
	nodes int
	roles []string // "node" if there are none
	log   []string
	wake  func(n *node, now world.Time, out *mechanism.Outbox)
	take  func(n *node, now world.Time, m mechanism.Message, out *mechanism.Outbox)
}

func (s *scripted) Places(world.World) []mechanism.Place {
	var places []mechanism.Place
	for i := range s.nodes {
		places = append(places, mechanism.Place{ID: mechanism.NodeID(i + 1), Role: "node"})
		if s.roles != nil {
			places[i].Role = s.roles[i]
		}
	}
	return places
}

func (s *scripted) NewNode(_ *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	return &node{script: s, id: p.ID}, nil
}

type node struct {
	script *scripted
	id     mechanism.NodeID
}

func (n *node) note(now world.Time, what string) {
	n.script.log = append(n.script.log, fmt.Sprintf("%v %d %s", now, n.id, what))
}

func (n *node) Wake(now world.Time, out *mechanism.Outbox) {
	n.note(now, "wake")
	if n.script.wake != nil {
		n.script.wake(n, now, out)
	}
}

func (n *node) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	n.note(now, fmt.Sprintf("got %s from %d", m.Payload, m.From))
	if n.script.take != nil {
		n.script.take(n, now, m, out)
	}
}

// run drives the script and returns what its nodes wrote down.
func run(t *testing.T, s *scripted, change func(*sim.Setup)) (*sim.Run, []string) {
	t.Helper()
	net, err := (&network.Constant{Delay: 30 * ms}).New(1, s.nodes)
	if err != nil {
		t.Fatal(err)
	}
	setup := sim.Setup{World: mechanismtest.Marbles(1), Mechanism: s, Network: net, Hosts: param.Default[sim.Config](), Seed: 1, Duration: world.Second}
	if change != nil {
		change(&setup)
	}
	r, err := sim.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r, s.log
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestEveryNodeIsWokenAtTheStart(t *testing.T) {
	_, log := run(t, &scripted{nodes: 2}, nil)
	expect(t, log, "0s 1 wake", "0s 2 wake")
}

// On a network without delay what the first says arrives before the second is due; it must find it awake all the same.
func TestEverybodyIsAwakeBeforeTheFirstWord(t *testing.T) {
	s := &scripted{nodes: 3}
	s.wake = func(n *node, _ world.Time, out *mechanism.Outbox) {
		if n.id == 1 {
			out.SendAll([]mechanism.NodeID{2, 3}, mechanism.Update, []byte("a"))
		}
	}
	_, log := run(t, s, func(s *sim.Setup) { s.Network = perfect(t) })
	expect(t, log, "0s 1 wake", "0s 2 wake", "0s 3 wake", "0s 2 got a from 1", "0s 3 got a from 1")
}

// A wake-up that waits for the processor does not come if the node puts it off meanwhile.
func TestAWakeUpIsPutOffWhileItWaits(t *testing.T) {
	s := &scripted{nodes: 2}
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		if now == 0 && n.id == 1 {
			out.Send(2, mechanism.Command, []byte("a"))
			out.Send(2, mechanism.Command, []byte("b"))
		}
		if now == 0 && n.id == 2 {
			out.WakeAt(50 * ms)
		}
	}
	s.take = func(_ *node, now world.Time, m mechanism.Message, out *mechanism.Outbox) {
		out.Charge(100) // 100 ms
		if string(m.Payload) == "b" {
			out.WakeAt(300 * ms)
		}
	}
	_, log := run(t, s, func(s *sim.Setup) { s.Hosts.CPU = 1000 })
	expect(t, log, "0s 1 wake", "0s 2 wake", "30ms 2 got a from 1", "130ms 2 got b from 1", "300ms 2 wake")
}

func TestTheLastWakeUpAskedForCounts(t *testing.T) {
	s := &scripted{nodes: 1}
	s.wake = func(_ *node, now world.Time, out *mechanism.Outbox) {
		switch now {
		case 0:
			out.WakeAt(100 * ms)
			out.WakeAt(200 * ms) // later instead
		case 200 * ms:
			out.WakeAt(400 * ms)
			out.WakeAt(300 * ms) // sooner instead
		case 300 * ms:
			out.WakeAt(500 * ms)
			out.WakeAt(world.Never) // not at all
		}
	}
	_, log := run(t, s, nil)
	expect(t, log, "0s 1 wake", "200ms 1 wake", "300ms 1 wake")
}

func TestAWakeUpInThePastComesAtOnce(t *testing.T) {
	s := &scripted{nodes: 1}
	s.wake = func(_ *node, now world.Time, out *mechanism.Outbox) {
		if len(s.log) < 3 {
			out.WakeAt(now - 10*ms)
		}
	}
	_, log := run(t, s, nil)
	expect(t, log, "0s 1 wake", "0s 1 wake", "0s 1 wake")
}

func TestMessagesOvertakeAWakeUpOfTheSameInstant(t *testing.T) {
	s := &scripted{nodes: 2}
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		if now != 0 {
			return
		}
		out.WakeAt(30 * ms)
		if n.id == 2 {
			out.Send(1, mechanism.Update, []byte("a"))
		}
	}
	_, log := run(t, s, nil)
	expect(t, log, "0s 1 wake", "0s 2 wake", "30ms 1 got a from 2", "30ms 1 wake", "30ms 2 wake")
}

func TestWorkDelaysWhatFollows(t *testing.T) {
	// At 1,000 operations per second the 100 that the first message costs keep the host busy for 100 ms: its answer leaves
	// then, and the other two messages and the wake-up wait, in the order they came.
	s := &scripted{nodes: 2}
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		if now == 0 && n.id == 1 {
			for _, text := range []string{"a", "b", "c"} {
				out.Send(2, mechanism.Command, []byte(text))
			}
		}
		if now == 0 && n.id == 2 {
			out.WakeAt(50 * ms)
		}
	}
	s.take = func(n *node, _ world.Time, m mechanism.Message, out *mechanism.Outbox) {
		if n.id == 2 && string(m.Payload) != "c" {
			out.Charge(100)
			out.Send(1, mechanism.Update, append([]byte("re "), m.Payload...))
		}
	}
	_, log := run(t, s, func(s *sim.Setup) { s.Hosts.CPU = 1000 })
	expect(t, log, "0s 1 wake", "0s 2 wake", "30ms 2 got a from 1", "130ms 2 got b from 1", "160ms 1 got re a from 2",
		"230ms 2 got c from 1", "230ms 2 wake", "260ms 1 got re b from 2")
}

func TestABusyHostLosesWhatItsBacklogCannotHold(t *testing.T) {
	s := &scripted{nodes: 2}
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		if now == 0 && n.id == 1 {
			for _, text := range []string{"a", "b", "c"} {
				out.Send(2, mechanism.Command, []byte(text))
			}
		}
	}
	s.take = func(_ *node, _ world.Time, _ mechanism.Message, out *mechanism.Outbox) { out.Charge(100) }
	r, log := run(t, s, func(s *sim.Setup) { s.Hosts.CPU, s.Hosts.Backlog = 1000, 1 })
	expect(t, log, "0s 1 wake", "0s 2 wake", "30ms 2 got a from 1", "130ms 2 got b from 1")
	if lost := r.Lost(); lost != (sim.Losses{Host: 1}) {
		t.Errorf("lost %+v", lost)
	}
}

func TestLinksSendOnePacketAfterTheOther(t *testing.T) {
	// 100 bytes with the header at 8,000 bit/s take 100 ms, both up and down.
	s := &scripted{nodes: 2}
	payload := make([]byte, 72)
	copy(payload, "x")
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		if now == 0 && n.id == 1 {
			out.Send(2, mechanism.Update, payload)
			out.Send(2, mechanism.Update, payload)
			out.Send(2, mechanism.Update, payload) // 300 bytes do not fit
		}
	}
	var at []world.Time
	s.take = func(_ *node, now world.Time, _ mechanism.Message, _ *mechanism.Outbox) { at = append(at, now) }
	r, _ := run(t, s, func(s *sim.Setup) { s.Hosts.Up, s.Hosts.Down, s.Hosts.Queue = 8000, 8000, 250 })
	if !slices.Equal(at, []world.Time{230 * ms, 330 * ms}) {
		t.Errorf("arrived at %v", at)
	}
	if lost := r.Lost(); lost != (sim.Losses{Link: 1}) {
		t.Errorf("lost %+v", lost)
	}
}

func TestRolesHaveLinksAndProcessorsOfTheirOwn(t *testing.T) {
	// The server answers each of two messages after 100 ms of work; the clients' links take another 100 ms for what is sent,
	// the server's none.
	s := &scripted{nodes: 3, roles: []string{"server", "client", "client"}}
	payload := make([]byte, 72)
	copy(payload, "x")
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		if now == 0 && n.id > 1 {
			out.Send(1, mechanism.Update, payload)
		}
	}
	var at []world.Time
	s.take = func(n *node, now world.Time, m mechanism.Message, out *mechanism.Outbox) {
		at = append(at, now)
		out.Charge(100)
		if n.id == 1 {
			out.Send(m.From, mechanism.Update, payload)
		}
	}
	run(t, s, func(s *sim.Setup) {
		for path, text := range map[string]string{"server.cpu": "1000", "client.up": "8kbit/s"} {
			if err := param.Set(&s.Hosts, path, text); err != nil {
				t.Fatal(err)
			}
		}
	})
	if !slices.Equal(at, []world.Time{130 * ms, 230 * ms, 260 * ms, 360 * ms}) {
		t.Errorf("arrived at %v", at)
	}
}

// Nodes of one process share its processor and its link, and need neither the link nor the network among themselves.
func TestNodesOfAProcessShareItsHardware(t *testing.T) {
	s := &scripted{nodes: 3}
	payload := make([]byte, 72) // 100 B on the wire: 100 ms at 8 kbit/s
	copy(payload, "x")
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		if now == 0 && n.id == 1 {
			out.Send(2, mechanism.Update, payload)
		}
		if now == 0 && n.id == 3 {
			out.Send(1, mechanism.Update, payload)
			out.Send(2, mechanism.Update, payload)
		}
	}
	var got []string
	s.take = func(n *node, now world.Time, m mechanism.Message, out *mechanism.Outbox) {
		got = append(got, fmt.Sprintf("%v %d from %d", now, n.id, m.From))
		if m.From == 3 {
			out.Charge(100) // 100 ms
		}
	}
	r, _ := run(t, s, func(s *sim.Setup) {
		s.Hosts.CPU, s.Hosts.Down = 1000, 8000
		var err error
		plan := churn.Plan{}
		s.Timeline, err = plan.Expand(churn.Stage{Places: s.Mechanism.Places(s.World), Processes: [][]mechanism.NodeID{{1, 2}}})
		if err != nil {
			t.Fatal(err)
		}
	})
	// At once within the process; then 30 ms on the way and 100 ms for each on the link that both share; the second waits for
	// nothing else, since its time on the link is as long as the first one's work.
	if want := []string{"0s 2 from 1", "130ms 1 from 3", "230ms 2 from 3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.Hosts()[0].Backlog() != r.Hosts()[1].Backlog() {
		t.Error("two processors")
	}
}

func TestAStoppedRunSaysSo(t *testing.T) {
	s := &scripted{nodes: 1, wake: func(_ *node, now world.Time, out *mechanism.Outbox) { out.WakeAt(now + 1) }}
	setup := sim.Setup{World: mechanismtest.Marbles(1), Mechanism: s, Network: perfect(t), Hosts: param.Default[sim.Config](), Duration: world.Never - 1}
	r, err := sim.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.Go(ctx); err != sim.ErrStopped {
		t.Errorf("got %v", err)
	}
}

func perfect(t *testing.T) network.Model {
	m, err := network.Perfect{}.New(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
