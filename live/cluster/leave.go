package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"throng/live/hub"
	"throng/live/replica"
	"throng/world/wire"
)

// MovedReason is what people are told whose process leaves the world to others: they go on through another one.
const MovedReason = "this server hands over to another; go on there"

func endedBecause(reason string) error { return fmt.Errorf("%w: %s", ErrEnded, reason) }

// EndWorld ends the world for all processes. One for which it has ended already, since its disk is full or the others have given it up, has
// no say in theirs.
func (k *Cluster) EndWorld(ctx context.Context, reason string) error {
	if k.Err() != nil {
		return nil
	}
	_, err := k.submit(ctx, appendText([]byte{commandEnd}, reason))
	if k.Err() != nil {
		return nil
	}
	return err
}

// Leave has this process leave the world, which goes on without it: others play for its artificial players, people are sent to
// other processes, and somebody else leads. If all others are about to leave as well the world ends.
func (k *Cluster) Leave(ctx context.Context, reason string) error {
	if k.Err() != nil || !k.running.Load() {
		return nil
	}
	k.leaving.Store(true)
	err := k.leave(ctx, reason)
	if k.Err() != nil { // it has ended meanwhile
		return nil
	}
	return err
}

func (k *Cluster) leave(ctx context.Context, reason string) error {
	if _, err := k.submit(ctx, wire.AppendUint([]byte{commandDrain}, uint64(k.self.number))); err != nil {
		return err
	}
	if k.last() {
		return k.EndWorld(ctx, reason)
	}
	k.settleErrands(ctx)
	if h := k.hub.Load(); h != nil {
		h.Retire(MovedReason)
	}
	if err := k.abdicate(ctx); err != nil {
		return err
	}
	if _, err := k.submit(ctx, append(wire.AppendUint([]byte{commandGone}, uint64(k.self.number)), 1)); err != nil {
		return err
	}
	return k.awaitOut(ctx)
}

// last reports whether nobody stays.
func (k *Cluster) last() bool {
	yes := true
	k.group.do(func() {
		for _, p := range k.machine.directory.processes {
			yes = yes && p.draining
		}
	})
	return yes
}

// awaitOut waits until the others can agree without this process: it must not end before.
func (k *Cluster) awaitOut(ctx context.Context) error {
	for {
		once, cancel := context.WithTimeout(ctx, 10*tickEvery)
		_, err := k.submit(once, wire.AppendUint([]byte{commandOut}, uint64(k.self.number)))
		cancel()
		if err == nil || ctx.Err() != nil || k.Err() != nil {
			return err
		}
	}
}

// settleErrands waits until what was to be done aside has been done.
func (k *Cluster) settleErrands(ctx context.Context) {
	done := make(chan struct{})
	k.aside(func() { close(done) })
	select {
	case <-done:
	case <-ctx.Done():
	}
}

var errLeads = errors.New("this process still leads")

// abdicate has another process lead.
func (k *Cluster) abdicate(ctx context.Context) error {
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for round := 0; ; round++ {
		leads := false
		k.group.do(func() {
			if leads = k.group.core.Leads(); leads && round%10 == 0 {
				k.handOver()
			}
		})
		if !leads && k.leader() != 0 {
			return nil
		}
		select {
		case <-ticker.C:
		case <-k.ended:
			return k.err
		case <-ctx.Done():
			return errLeads
		}
	}
}

// handOver has another process lead, if there is one.
func (k *Cluster) handOver() {
	if heir := k.heir(); heir != 0 {
		k.group.core.Transfer(heir)
	}
}

// heir is the member that shall lead next: of those that can be reached the first, or the first that is not about to leave too.
func (k *Cluster) heir() (heir replica.Member) {
	members := k.group.core.Members()
	for _, p := range k.machine.directory.live() {
		m := replica.NewMember(p.number, 0)
		if p.number == k.self.number || k.mesh.of(p.number) == nil || !slices.Contains(members, m) {
			continue
		}
		if heir == 0 || !p.draining {
			heir = m
		}
		if !p.draining {
			break
		}
	}
	return heir
}

// Processes are those that the world lives on now. All of them have replicas of all of its servers; one leads.
func (k *Cluster) Processes() (list []hub.Process) {
	k.group.do(func() {
		for _, p := range k.machine.directory.live() {
			q := hub.Process{Number: p.number, Name: p.name, Here: p.number == k.self.number, Gateway: p.gateway, Admin: p.admin, Draining: p.draining}
			if p.number == k.group.core.Leader().Process() {
				for _, place := range k.scene.servers {
					q.Sites = append(q.Sites, hub.Site{Place: place})
				}
			}
			list = append(list, q)
		}
	})
	return list
}
