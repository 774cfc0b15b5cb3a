package sim_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/consensus"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// safety writes down what it is told of replicas.
type safety struct {
	decided, elected int
	bytes            int
}

func (s *safety) Replicated(_ *sim.Host, size int) { s.bytes += size }
func (s *safety) Decided(*sim.Host, world.Time)    { s.decided++ }
func (s *safety) Elected(*sim.Host)                { s.elected++ }

// replicate runs a plan for a first node on so many computers, all 30 ms apart.
func replicate(t *testing.T, replicas int, plan string, s *mortal, change func(*sim.Setup)) (*safety, []string) {
	t.Helper()
	s.nodes = 2
	setup := sim.Setup{World: mechanismtest.Marbles(1), Mechanism: s, Network: constant(t), Hosts: param.Default[sim.Config](), Seed: 1,
		Duration: 5 * world.Second, Replication: consensus.Replication{}}
	if change != nil {
		change(&setup)
	}
	p, err := churn.Parse(plan)
	if err != nil {
		t.Fatal(err)
	}
	stage := churn.Stage{Seed: 1, Duration: setup.Duration, Places: s.Places(nil), Replicas: map[mechanism.NodeID]int{1: replicas}}
	if setup.Timeline, err = p.Expand(stage); err != nil {
		t.Fatal(err)
	}
	r, err := sim.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	seen := &safety{}
	r.Observe(seen)
	if err := r.Go(context.Background()); err != nil {
		t.Fatal(err)
	}
	return seen, s.log
}

// What comes is done when most replicas have it, at the time at which it came; what follows leaves only then.
func TestReplicasAreWaitedFor(t *testing.T) {
	s := &mortal{}
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		switch {
		case n.id == 2 && now == 0:
			out.WakeAt(world.Second)
		case n.id == 2:
			out.Send(1, mechanism.Command, []byte("a"))
		}
	}
	s.take = func(n *node, _ world.Time, m mechanism.Message, out *mechanism.Outbox) {
		if n.id == 1 {
			out.Send(2, mechanism.Update, []byte("b"))
		}
	}
	seen, log := replicate(t, 3, "", s, nil)
	// 30 ms to the leader, 60 to the others and back, 30 to the client.
	expect(t, of("2", log), "0s 2 wake", "1s 2 wake", "1.12s 2 got b from 1")
	expect(t, of("1", log)[1:], "1.03s 1 got a from 2")
	if seen.elected != 0 || seen.decided != 2 || seen.bytes == 0 {
		t.Errorf("%+v; the first wake-up and one datagram are decided", seen)
	}
}

// Whenever a leader fails, everything that was decided is done, once and in its order.
func TestReplicasLoseNothing(t *testing.T) {
	for at := 600; at < 900; at += 7 {
		s := &mortal{}
		s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
			if n.id == 2 {
				out.WakeAt(now + 10*ms)
				out.Send(1, mechanism.Command, fmt.Append(nil, int64(now/ms)))
			}
		}
		var taken, heard []string
		s.take = func(n *node, _ world.Time, m mechanism.Message, out *mechanism.Outbox) {
			out.Charge(8) // so that a part of it waits for the processor
			if text := string(m.Payload); n.id == 1 {
				taken = append(taken, text)
				out.Send(2, mechanism.Update, m.Payload)
			} else {
				heard = append(heard, text)
			}
		}
		plan := fmt.Sprintf("at %dms: crash node 1, back after 1s; at 3s: crash node 1", at)
		seen, _ := replicate(t, 3, plan, s, func(s *sim.Setup) { s.Hosts.CPU = 1000 })
		if seen.elected != 2 {
			t.Errorf("crash at %d ms: %d elections", at, seen.elected)
		}
		if !slices.IsSortedFunc(taken, byNumber) || len(slices.Compact(slices.Clone(taken))) != len(taken) {
			t.Errorf("crash at %d ms: taken twice or out of order: %v", at, taken)
		}
		for _, text := range heard {
			if !slices.Contains(taken, text) {
				t.Errorf("crash at %d ms: %s was answered and not taken", at, text)
			}
		}
		const beginnings, underway = 3, 1 // a leader begins with an empty batch; one may wait for the processor at the end
		if len(taken) < seen.decided-beginnings-underway || seen.decided < 100 {
			t.Errorf("crash at %d ms: %d taken, %d decided", at, len(taken), seen.decided)
		}
	}
}

func byNumber(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return slices.Compare([]byte(a), []byte(b))
}

// A node without any traffic is woken again by whoever takes over.
func TestReplicasAreWoken(t *testing.T) {
	s := &mortal{}
	s.wake = func(n *node, now world.Time, out *mechanism.Outbox) {
		if n.id == 1 {
			out.WakeAt(now + world.Second)
		}
	}
	_, log := replicate(t, 3, "at 1500ms: crash node 1", s, nil)
	if woken := of("1", log); len(woken) < 5 {
		t.Errorf("woken only %q", woken)
	}
}

// Half is not most.
func TestHalfTheReplicasAreTooFew(t *testing.T) {
	_, log := replicate(t, 4, "at 1s: crash node 1; at 3s: crash node 1; at 4s: node 1 returns", &mortal{}, nil)
	if !slices.Contains(log, "1 is built under epoch 1") {
		t.Errorf("it goes on: %q", log)
	}
}
