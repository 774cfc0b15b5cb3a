package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"throng/lab/churn"
	"throng/lab/network"
	"throng/lab/queue"
	"throng/mechanism"
	"throng/mechanism/parts/memo"
	"throng/world"
	"throng/world/random"
)

// Setup is everything that decides a run.
type Setup struct {
	World       world.World
	Mechanism   mechanism.Mechanism
	Network     network.Model
	Hosts       Config
	Timeline    churn.Timeline // who comes, goes and fails; the network's part of it is Network's
	Replication Replication    // nil where nothing is replicated
	Seed        uint64
	Duration    world.Time // how long users act
	Warmup      world.Time // how much of Duration observers leave out
	Settle      world.Time // how long the run goes on after that, with users at rest: for checks of what must come about
}

// Run is one simulation.
type Run struct {
	setup   Setup
	queue   queue.Queue[event]
	now     world.Time
	tick    world.Time
	hosts   []*Host // by NodeID-1
	boxes   []*box  // by their numbers less one
	session mechanism.Session
	mail    mail
	out     mechanism.Outbox
	seen    observers
	common  []common // what observers have in common
	lost    Losses
	started bool
	err     error // why it cannot go on
}

// event is something to happen: what, and to which host. Which letter or wake-up is meant is in ref.
type event struct {
	kind  kind
	moves uint16 // of a datagram: how often the host had moved when it was sent
	host  uint32
	ref   uint32
}

// kind is what an event does; at one instant they happen in this order.
type kind uint8

const (
	change  kind = iota // somebody comes, goes or fails
	expire              // a node's time to leave is over
	arrived             // a node that was moved is where it goes on
	begin               // measuring begins
	start               // a node begins: what is sent to it at that instant finds it awake
	arrive              // a datagram has crossed the network and enters the host's link
	deliver
	confer // a replica's message to another has crossed the network
	heed   // and passed the link
	beat   // time passes for replicas
	resume // the host's processor is free again
	wake
	flush // what has come at this instant is proposed to replicas
	play
	act    // not queued as an event: an item of work on a host
	commit // likewise: what replicas have decided
	sample
	finish // measuring ends
	pause  // whoever runs it wanted to run it up to here
)

// New prepares a run. Observers are attached before it starts.
func New(s Setup) (*Run, error) {
	schema := s.World.Schema()
	if err := schema.Check(); err != nil {
		return nil, err
	}
	r := &Run{setup: s, tick: schema.Tick}
	start := world.NewState(schema, s.Seed)
	s.World.Populate(start)
	r.session = mechanism.Session{World: s.World, Start: start, Places: s.Mechanism.Places(s.World)}
	if s.Hosts.Share {
		r.session.Shared = memo.NewPool()
	}
	r.addBoxes()
	if err := r.layOut(); err != nil {
		return nil, err
	}
	return r, nil
}

// layOut makes hosts for those who are there and those who come later, and the nodes of the former.
func (r *Run) layOut() error {
	for i, p := range slices.Concat(r.session.Places, r.setup.Timeline.Admitted) {
		if p.ID != mechanism.NodeID(i+1) {
			return fmt.Errorf("the mechanism's %d. node has the ID %d", i+1, p.ID)
		}
		r.hosts = append(r.hosts, newHost(r, p))
	}
	for _, h := range r.hosts[:len(r.session.Places)] {
		if err := h.settleIn(); err != nil {
			return err
		}
	}
	return nil
}

// Observe attaches an observer: anything that implements one of the interfaces in observe.go.
func (r *Run) Observe(observer any) { r.seen.add(observer) }

// Common returns what several observers of a run have in common under a name, made by the first who asks for it.
func (r *Run) Common(name string, first func() any) any {
	for _, c := range r.common {
		if c.name == name {
			return c.value
		}
	}
	c := common{name, first()}
	r.common = append(r.common, c)
	return c.value
}

// common is what several observers have in common.
type common struct {
	name  string
	value any
}

// Hosts are all hosts, in the order of their nodes' IDs.
func (r *Run) Hosts() []*Host { return r.hosts }

// Setup is what the run was made from.
func (r *Run) Setup() *Setup { return &r.setup }

// Start is the world at tick zero, for reading.
func (r *Run) Start() *world.State { return r.session.Start }

// Now is the simulated time.
func (r *Run) Now() world.Time { return r.now }

// Lost is what became of the datagrams that did not arrive.
func (r *Run) Lost() Losses { return r.lost }

// ErrStopped is returned by a run that was told to stop before its end.
var ErrStopped = errors.New("the run was stopped before its end")

// Go runs to the end, or until ctx is done.
func (r *Run) Go(ctx context.Context) error { return r.Until(ctx, r.end()) }

func (r *Run) end() world.Time { return r.setup.Duration + r.setup.Settle }

// Until runs up to a time and through all that happens at it, or until ctx is done. It can be called again.
func (r *Run) Until(ctx context.Context, until world.Time) error {
	r.start()
	r.push(min(until, r.end()), pause, event{})
	for steps := 0; ; steps++ {
		if steps%512 == 0 && ctx.Err() != nil {
			return ErrStopped
		}
		at, e, _ := r.queue.Pop()
		r.now = world.Time(at)
		if e.kind == pause {
			return nil
		}
		r.happen(e)
		if r.err != nil {
			return r.err
		}
	}
}

// start has everything happen that happens by itself.
func (r *Run) start() {
	if r.started {
		return
	}
	r.started = true
	r.push(r.setup.Warmup, begin, event{})
	r.push(r.setup.Duration, finish, event{})
	r.push(0, sample, event{})
	for i := range r.session.Places {
		r.push(0, start, event{host: uint32(i)})
	}
	if events := r.setup.Timeline.Events; len(events) > 0 {
		r.push(events[0].At, change, event{})
	}
}

func (r *Run) push(at world.Time, k kind, e event) {
	e.kind = k
	r.queue.Push(int64(at), uint8(k), e)
}

func (r *Run) happen(e event) {
	switch e.kind {
	case arrive:
		r.enter(r.hosts[e.host], e)
	case deliver:
		r.deliver(r.hosts[e.host], e)
	case resume:
		r.boxes[e.host].resume()
	case start:
		r.hosts[e.host].start(e.ref)
	case wake:
		r.hosts[e.host].alarm(e.ref)
	case play:
		r.hosts[e.host].play(e.ref)
	case confer, heed, beat, flush:
		r.hosts[e.host].replicate(e)
	case change:
		r.change(e.ref)
	case expire:
		r.hosts[e.host].expire(e.ref)
	case arrived:
		r.hosts[e.host].arrive(e.ref)
	case begin:
		for _, h := range r.hosts {
			h.vacant, h.absent = r.now, 0
		}
		for _, o := range r.seen.begin {
			o.Begin(r.now)
		}
	case sample:
		r.sample()
	case finish:
		for _, o := range r.seen.end {
			o.End(r.now)
		}
	}
}

func (r *Run) sample() {
	if r.now > r.setup.Duration {
		return // what happens while things settle is not measured
	}
	if len(r.seen.view) > 0 {
		r.show()
	}
	for _, o := range r.seen.tick {
		o.Tick(r.now)
	}
	r.push(r.now+r.tick, sample, event{})
}

// show lets observers see all views.
func (r *Run) show() {
	for _, h := range r.hosts {
		view := h.View()
		if view == nil {
			continue
		}
		for _, o := range r.seen.view {
			o.Look(r.now, h, view)
		}
	}
}

// stream returns the random numbers of one consumer.
func (r *Run) stream(name string, key uint64) random.Stream {
	return random.New(r.setup.Seed, name, key)
}
