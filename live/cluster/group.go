package cluster

import (
	"sync/atomic"
	"time"

	"throng/live/hub"
	"throng/live/replica"
	"throng/world"
	"throng/world/wire"
)

const (
	tickEvery      = 10 * time.Millisecond
	electionTicks  = 30 // of silence after which an election is called, at least; a death that is noticed is not waited for
	heartbeatTicks = 5

	// gatherTime is the least between two batches of datagrams: each costs messages to all processes and back, however little is in
	// it. One that comes after a pause is on its way at once.
	gatherTime = time.Millisecond
)

// group is this process's replica of the world's servers and directory, on a goroutine of its own. While it leads, what comes for
// servers is gathered into batches: one is on its way at a time, and what comes meanwhile makes up the next.
type group struct {
	core    *replica.Core
	machine *machine
	inbox   *inbox
	clock   *clock
	mesh    *mesh
	woken   func(due, now world.Time, took time.Duration) // is told of every batch that wakes a node

	messages chan []byte
	calls    chan func()
	commands chan func() // what is to be put into the log for others, who ask again for what finds no room
	tick     func()      // is called on every tick
	led      func(leads bool)
	follow   func(leader uint32) // is told of every leader

	agreed func(took time.Duration) // is told how long it took to agree on a batch

	toil toil

	load *hub.Load // of servers, while this process leads
	busy time.Duration
	step world.Time // the world's tick

	pending bool // a batch of ours is on its way
	refused bool // the engine takes none just now, as when another one is to lead: it is tried again at the next tick
	since   time.Time
	leads   bool
	leader  atomic.Uint32 // the number of the process that leads, or zero
	applied atomic.Uint64

	durable bool // the log is on disk

	quit  chan struct{}
	ended chan struct{}
	err   error
}

// run drives the replica until it is told to quit, or its disk fails.
func (g *group) run() {
	defer close(g.ended)
	g.toil.began = time.Now()
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-g.quit:
			g.err = g.rest()
			return
		case <-g.inbox.ring:
		case m := <-g.messages:
			g.receive(m)
		case call := <-g.calls:
			call()
		case propose := <-g.commands:
			propose()
		case <-ticker.C:
			g.refused = false
			g.core.Tick()
			g.tick()
		case <-timer.C:
		}
		began := time.Now()
		if g.err = g.settle(); g.err != nil {
			return
		}
		if g.toil.long() {
			g.core.Compact()
		}
		g.busy += time.Since(began)
		timer.Reset(g.wait())
	}
}

// settle does all that follows from what has happened.
func (g *group) settle() error {
	for more := true; more; {
		for len(g.messages) > 0 {
			g.receive(<-g.messages)
		}
		for range min(len(g.commands), commandsAtOnce) {
			(<-g.commands)()
		}
		g.propose()
		if err := g.core.Pump(g.send); err != nil {
			return err
		}
		g.look()
		more = g.ready() || len(g.messages)+len(g.commands) > 0
	}
	return nil
}

// commandsAtOnce is how many commands are put into the log together, and written in one go: many people who come and go must not hold up
// those who are there.
const (
	commandsAtOnce = 64
	commandsMost   = 1 << 10 // that wait
)

// command has something be put into the log soon, if there is room. Nobody waits for it: whoever brings news of the group from another
// process would hold up all of that.
func (g *group) command(propose func()) {
	select {
	case g.commands <- propose:
	default:
	}
}

func (g *group) receive(message []byte) {
	_ = g.core.Receive(message) // what cannot be read is as good as lost
}

// wait is for how long there is nothing to be proposed, unless something comes.
func (g *group) wait() time.Duration {
	if !g.leads || g.pending || g.refused || g.machine.directory.ended != "" {
		return time.Hour
	}
	wait := time.Hour
	if due := g.machine.nodes.Due(); due != world.Never {
		wait = time.Duration(max(0, due-g.clock.Now()))
	}
	if g.inbox.waiting() > 0 {
		wait = min(wait, max(0, gatherTime-time.Since(g.since)))
	}
	return wait
}

// ready reports whether there is something to be proposed.
func (g *group) ready() bool { return g.leads && g.wait() == 0 }

func (g *group) propose() {
	if !g.ready() {
		return
	}
	head := wire.AppendUint64([]byte{entryBatch}, uint64(max(0, g.clock.Now())))
	g.refused = g.core.ProposeParts(head, g.inbox.take().Entry()) != nil
	g.pending, g.since = !g.refused, time.Now()
}

// send has a message of the engine go to a member's process.
func (g *group) send(to replica.Member, message []byte) {
	if p := g.mesh.of(to.Process()); p != nil {
		p.send(kindRaft, message)
	}
}

// rest has a world that is kept on disk be taken up again at once, however long the log took to carry out.
func (g *group) rest() error {
	if !g.durable || g.toil.since < restWorth {
		return nil
	}
	g.core.Compact()
	return g.core.Pump(g.send)
}

// look takes note of who leads.
func (g *group) look() {
	before := g.leader.Swap(g.core.Leader().Process())
	g.applied.Store(g.core.Applied())
	if leads := g.core.Leads(); leads != g.leads {
		g.leads, g.pending = leads, false
		if leads {
			g.clock.lead(g.machine.now())
		}
		g.inbox.lead(leads)
		g.led(leads)
	}
	if leader := g.leader.Load(); leader != before && leader != 0 {
		g.follow(leader)
	}
}

// do calls f on the group's goroutine and waits for it. It reports whether the group still ran.
func (g *group) do(f func()) bool {
	done := make(chan struct{})
	select {
	case g.calls <- func() { f(); close(done) }:
		<-done
		return true
	case <-g.ended:
		return false
	}
}

// watched is the group's machine, with a watch on how long it takes.
type watched struct {
	*machine
	group *group
}

func (w watched) Apply(entry []byte, leads bool) {
	g := w.group
	due, began := w.nodes.Due(), time.Now()
	w.machine.Apply(entry, leads)
	g.toil.applied(time.Since(began))
	if leads && entry[0] == entryBatch {
		if g.pending {
			g.agreed(began.Sub(g.since))
		}
		g.pending = false
		if now := w.nodes.Now(); due <= now {
			g.woken(due, now, time.Since(began))
			g.load.Woken(began, max(0, now-due), world.Time(g.busy), g.step)
			g.load.Ask(w.nodes.All()...)
		}
	}
}

func (w watched) AppendSnapshot(dst []byte) []byte {
	began := time.Now()
	dst = w.machine.AppendSnapshot(dst)
	w.group.toil.written(time.Since(began))
	return dst
}
