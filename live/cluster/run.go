package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"throng/live/hub"
	"throng/live/replica"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Configure has a hub be this process's part of the world. Its servers run in the group.
func (k *Cluster) Configure(c *hub.Config) error {
	c.Description = k.scene.description
	c.Clock, c.Fallback, c.Present, c.Servers, c.Load = k.clock, k, k.present, hub.DefaultServers, &k.load
	c.Grace = time.Duration(k.machine.directory.founding.grace)
	mine := map[mechanism.NodeID]bool{}
	if k.founded {
		for _, h := range k.machine.directory.held(k.self.number) {
			mine[h.node] = true
		}
	}
	c.Local = func(p mechanism.Place) bool { return mine[p.ID] }
	c.Elsewhere = k.inspect
	k.report, k.woken, k.failed = c.Event, c.Woken, c.Panicked
	var err error
	c.FirstUser, c.LastUser, err = k.machine.directory.span(k.self.number)
	return err
}

// Run has a hub, which was configured and started, take part. It returns when the world runs, and this process is part of it.
func (k *Cluster) Run(ctx context.Context, h *hub.Hub) error {
	k.hub.Store(h)
	k.running.Store(true)
	k.work.Go(k.group.run)
	k.work.Go(k.watchGroup)
	if k.slot != nil && k.slot.identity != nil {
		if err := k.comeBack(ctx); err != nil {
			return err
		}
	}
	ticker := time.NewTicker(lookWho)
	defer ticker.Stop()
	for {
		if now, settled := k.clock.look(); settled && now >= 0 && k.known() {
			return k.begun(ctx)
		}
		select {
		case <-ticker.C:
		case <-k.ended:
			return k.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// begun says that this process can be given something, if it has joined a world that ran.
func (k *Cluster) begun(ctx context.Context) error {
	ready := false
	k.group.do(func() { ready = k.mine() && k.machine.directory.processes[k.self.number].ready })
	if ready {
		return nil
	}
	_, err := k.submit(ctx, wire.AppendUint([]byte{commandBegun}, uint64(k.self.number)))
	return err
}

// known reports whether the directory knows this process.
func (k *Cluster) known() (yes bool) {
	k.group.do(func() { yes = k.mine() })
	return yes
}

// mine reports whether the directory knows this process, as it is now and not as it was before it began again.
func (k *Cluster) mine() bool {
	p := k.machine.directory.processes[k.self.number]
	return p != nil && p.instance == k.mesh.instance
}

// comeBack says that this process is there again, with what it has on its disk.
func (k *Cluster) comeBack(ctx context.Context) error {
	_, err := k.submit(ctx, appendProcess([]byte{commandBack}, &k.self))
	var refused refusal
	if errors.As(err, &refused) {
		err = errors.Join(fmt.Errorf("%s: %s", k.slot.dir, refused), k.slot.wipe())
	}
	return err
}

// watchGroup notices that the replica has failed.
func (k *Cluster) watchGroup() {
	<-k.group.ended
	if k.group.err != nil {
		k.fail(fmt.Errorf("this process cannot go on: %w", k.group.err))
	}
}

func (k *Cluster) fail(err error) {
	k.end.Do(func() {
		k.err = err
		close(k.ended)
	})
}

// Ended is closed when the world has ended for this process, other than by its own doing. Err says why.
func (k *Cluster) Ended() <-chan struct{} { return k.ended }

// Err is why the world has ended for this process, or nil.
func (k *Cluster) Err() error {
	select {
	case <-k.ended:
		return k.err
	default:
		return nil
	}
}

// Close ends everything. The hub must have been closed.
func (k *Cluster) Close() {
	close(k.quit)
	if k.running.Load() {
		close(k.group.quit)
		<-k.group.ended
	}
	k.mesh.close()
	k.work.Wait()
	k.slot.close()
}

// frame takes a frame of another process.
func (k *Cluster) frame(from *peer, kind byte, body []byte) {
	switch kind {
	case kindRaft:
		if k.running.Load() {
			select {
			case k.group.messages <- append([]byte(nil), body...):
			default: // it is repeated
			}
		}
	case kindDatagram:
		if m, ok := readDatagram(body); ok {
			k.deliver(&m)
		}
	case kindRequest:
		k.requested(from, body)
	case kindReply:
		k.replied(body)
	case kindPing:
		if now, settled := k.clock.look(); settled && k.running.Load() {
			from.send(kindPong, body, k.pong(now))
		} else {
			from.send(kindPong)
		}
	case kindPong:
		k.ponged(from, body)
	case kindName:
		r := wire.NewReader(body)
		if number := readNumber(&r); r.Done() == nil {
			k.mesh.name(from, number)
		}
	case kindWish:
		k.wished(body)
	case kindEnd:
		k.fail(endedBecause(string(body[:min(len(body), textMax)])))
	case kindMeet:
		r := wire.NewReader(body)
		for _, address := range readTexts(&r) {
			k.mesh.meet(address)
		}
	}
}

// beat asks a process for the time, and whether it is there.
func (k *Cluster) beat(p *peer) { p.send(kindPing, wire.AppendInt(nil, int64(k.clock.local()))) }

// pong is how this process stands.
func (k *Cluster) pong(now world.Time) []byte {
	text := wire.AppendUint(wire.AppendInt(nil, int64(now)), k.group.applied.Load())
	return wire.AppendInt(append(text, flag(k.load.Full())), k.load.Slowed())
}

// ponged takes from who leads what time it is and how servers keep up, and how far others are.
func (k *Cluster) ponged(from *peer, body []byte) {
	if len(body) == 0 || !k.running.Load() {
		return
	}
	r := wire.NewReader(body)
	asked, now, applied := world.Time(r.Int()), world.Time(r.Int()), r.Uint()
	full, slowed := r.Byte() != 0, r.Int()
	if r.Done() != nil {
		return
	}
	from.applied.Store(applied)
	if from.number.Load() == k.leader() {
		k.clock.answered(asked, now)
		k.load.Told(full, slowed)
	}
}

// Route is for hub.Config: it takes what is for nodes that do not run in this process's hub. It never blocks.
func (k *Cluster) Route(m mechanism.Message) bool {
	if k.servers[m.To] {
		number := k.leader()
		k.recent.add(&m, number != 0, time.Now())
		return k.hand(number, &m) || number == 0 // whoever leads next is handed it
	}
	p := k.mesh.of(k.routes.Load().get(m.To))
	return p != nil && p.carry(&m)
}

// hand has what is for servers go to whoever leads.
func (k *Cluster) hand(leader uint32, m *mechanism.Message) bool {
	if leader == k.self.number {
		return k.inbox.put(m)
	}
	p := k.mesh.of(leader)
	return p != nil && p.carry(m)
}

// follow is told by the group that somebody else leads than before, perhaps this process. It is sent what the one before may not have put
// into the log, and says what that one may not have said.
func (k *Cluster) follow(leader uint32) {
	k.recent.take(func(m *mechanism.Message) { k.hand(leader, m) })
	if leader == k.self.number {
		k.machine.nodes.SayAgain(k.clock.Now() - unsaidTime)
	}
}

// unsaidTime is how old what servers have to say may be to be said again.
const unsaidTime = 250 * world.Millisecond

// deliver takes what another process has for a node here.
func (k *Cluster) deliver(m *mechanism.Message) {
	if k.servers[m.To] {
		k.inbox.put(m)
	} else if h := k.hub.Load(); h != nil {
		h.Receive(*m)
	}
}

// emit takes what a server's node sends while this process leads.
func (k *Cluster) emit(m mechanism.Message) bool {
	h := k.hub.Load()
	return h != nil && h.Route(m)
}

func (k *Cluster) reported(id mechanism.NodeID, e mechanism.Event) {
	if k.report != nil {
		k.report(k.serverPlace(id), e)
	}
}

func (k *Cluster) wokenAt(due, now world.Time, took time.Duration) {
	if k.woken != nil {
		k.woken(k.scene.servers[0], max(0, now-due), world.Time(took))
	}
}

func (k *Cluster) serverPlace(id mechanism.NodeID) mechanism.Place {
	p, _ := k.machine.directory.original(id)
	return p
}

// panicked is told of a node's panic, which all replicas have in common: the node goes on. Whoever sent what did it is cut off by the
// process that it is connected to.
func (k *Cluster) panicked(p replica.Panic) {
	if h := k.hub.Load(); h != nil && p.Message != nil {
		go h.Cut(p.Message.From)
	}
	if k.failed != nil {
		k.failed(hub.Failure{At: time.Now(), Place: p.Place, What: fmt.Sprint(p.Value), Stack: p.Stack, Message: p.Message, Outcome: "goes on"})
	}
}

// inspect calls f with this process's replica of a server's node, and reports whether there is one.
func (k *Cluster) inspect(id mechanism.NodeID, f func(n mechanism.Node)) bool {
	if !k.servers[id] || !k.running.Load() {
		return false
	}
	return k.group.do(func() { f(k.machine.nodes.Node(id)) })
}

// lost is told that another process cannot be reached any more.
func (k *Cluster) lost(p *peer) {
	number := p.number.Load()
	k.log.Warn("a process is gone", "process", number, "address", p.address)
	if number == 0 || !k.running.Load() {
		return
	}
	k.group.do(func() {
		k.chores.dead[number] = true
		k.group.core.Mourn(replica.NewMember(number, 0), k.rank())
	})
}

// rank is how many of the processes that can be reached have smaller numbers than this one.
func (k *Cluster) rank() (n int) {
	for number := range k.machine.directory.processes {
		if number < k.self.number && k.mesh.of(number) != nil {
			n++
		}
	}
	return n
}
