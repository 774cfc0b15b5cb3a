package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"throng/live/hub"
	"throng/live/session"
	"throng/world/wire"
)

// looksPerPatience is how often the first process looks for members that are silent. Together with the beats it makes for how long
// it takes at most to notice a death: the patience and an eighth.
const looksPerPatience = 8

// first is the process that a world begins in.
type first struct {
	bus         *Bus
	description session.Description
	text        []byte // the description as JSON
	hash        uint64 // of the world at tick zero
	users       span   // whom it admits itself

	mu        sync.Mutex
	directory *directory
	phase     phase
	unready   map[uint32]bool // founders that are still to say that they are ready

	changed chan struct{} // holds a token when a member has beaten or has become ready

	moving sync.Mutex // one after the other, places change hands

	quit chan struct{}
	work sync.WaitGroup
}

// phase is how far a world has come.
type phase int

const (
	gathering phase = iota // those it begins with join
	founding               // they make themselves ready, and nobody can join
	running
	ending // nobody may join any more
)

func newFirst(d session.Description, b *Bus) (*first, error) {
	s, m, err := d.Build(b.config.Catalog)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(&d)
	if err != nil {
		return nil, err
	}
	b.placement = newPlacement(s, m)
	f := &first{
		bus:         b,
		description: d,
		text:        text,
		hash:        s.Start.Hash(),
		directory:   newDirectory(s.Places, s.World.Users(), b.config.Patience),
		unready:     map[uint32]bool{},
		changed:     make(chan struct{}, 1),
		quit:        make(chan struct{}),
	}
	f.users, err = f.directory.numbers.take()
	return f, err
}

func (f *first) configure(c *hub.Config) {
	if f.bus.config.Wait == 0 {
		f.bus.clock.settle(f.bus.clock.local()) // nobody is waited for
	}
	c.Description = f.description
	c.FirstUser, c.LastUser = f.users.first, f.users.last
}

func (f *first) close() {
	f.shut()
	close(f.quit)
	f.work.Wait()
}

// shut has nothing new be begun.
func (f *first) shut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.phase = ending
}

func (f *first) members() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.directory.members)
}

// answer answers a request. What moves places takes longer and is done aside, so that beats are not held up.
func (f *first) answer(msg *nats.Msg) {
	r := wire.NewReader(msg.Data)
	switch r.Byte() {
	case kindJoin:
		reply, err := f.join(&r)
		f.bus.respond(msg, reply, err)
	case kindClock:
		f.bus.respond(msg, f.status(), r.Done())
	case kindReady:
		f.bus.respond(msg, nil, f.ready(&r))
	case kindBeat:
		reply, err := f.beat(&r)
		f.bus.respond(msg, reply, err)
	case kindTake:
		f.aside(msg, r, f.take)
	case kindLeave:
		f.aside(msg, r, f.depart)
	default:
		f.bus.respond(msg, nil, wire.ErrMalformed)
	}
}

// aside answers a request without holding up others.
func (f *first) aside(msg *nats.Msg, r wire.Reader, do func(*wire.Reader) ([]byte, error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase == ending {
		return
	}
	f.work.Go(func() {
		reply, err := do(&r)
		f.bus.respond(msg, reply, err)
	})
}

// status is this process's time, and which founders are gone.
func (f *first) status() []byte {
	s := status{now: f.bus.clock.local(), gone: f.bus.placement.losses()}
	return s.append(nil)
}

func (f *first) join(r *wire.Reader) ([]byte, error) {
	if v := r.Uint(); v != version && !r.Failed() {
		return nil, fmt.Errorf("the processes are of different versions: the first speaks version %d on the bus, this one %d", version, v)
	}
	name := readText(r)
	if err := r.Done(); err != nil {
		return nil, err
	}
	t, founding, err := f.admit(name)
	if err != nil {
		return nil, err
	}
	w := welcome{member: t.number, users: t.users, patience: f.directory.patience, hash: f.hash, description: f.text}
	if !founding {
		f.bus.carrier.start(f.bus.hub.Load())
		w.founders, w.zero = f.bus.placement.list(), f.bus.clock.zero
	}
	return w.append(nil), nil
}

// admit takes a member in: one of those that the world begins with, or a later one.
func (f *first) admit(name string) (t *holder, founder bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.phase == ending:
		return nil, false, hub.ErrClosed
	case f.phase == founding, f.phase == gathering && len(f.directory.members) >= f.bus.config.Wait:
		return nil, false, errBeginning
	case f.phase == running:
		if _, err := f.bus.hub.Load().Cede(0); err != nil { // nothing could be given
			return nil, false, err
		}
	}
	t, err = f.directory.join(name, time.Now())
	return t, f.phase == gathering, err
}

func (f *first) beat(r *wire.Reader) ([]byte, error) {
	number := uint32(r.UintMax(1<<32 - 1))
	changed := r.Byte() != 0
	var duties []hub.Duty
	if changed {
		duties = readDuties(r)
	}
	if err := r.Done(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	t, newcomer := f.directory.beat(number, now)
	if t == nil {
		return nil, errUnknown
	}
	if newcomer {
		f.bus.log.Info("bus: a process has joined", "process", number, "name", t.name)
		f.change()
	}
	if changed && !f.directory.report(number, duties, now) {
		f.bus.carrier.malformed.Add(1)
	}
	return f.status(), nil
}

// take gives a member its share, of what the first process has and of what other members have.
func (f *first) take(r *wire.Reader) ([]byte, error) {
	number := uint32(r.UintMax(1<<32 - 1))
	if err := r.Done(); err != nil {
		return nil, err
	}
	f.moving.Lock()
	defer f.moving.Unlock()
	claims, err := f.claims(number)
	if err != nil {
		return nil, err
	}
	var all []hub.Duty
	for _, c := range claims {
		duties, err := f.collect(c)
		if err != nil {
			f.bus.log.Warn("bus: places could not be collected", "process", c.member, "error", err)
			continue
		}
		f.mu.Lock()
		if c.member != 0 {
			duties = f.directory.release(c.member, duties)
		}
		f.directory.grant(number, duties, time.Now())
		f.mu.Unlock()
		all = append(all, duties...)
	}
	f.bus.log.Info("bus: places handed over", "process", number, "places", len(all))
	return appendDuties(nil, all), nil
}

func (f *first) claims(number uint32) ([]claim, error) {
	own := f.bus.hub.Load().Counters().Artificial
	f.mu.Lock()
	defer f.mu.Unlock()
	switch t := f.directory.members[number]; {
	case t == nil:
		return nil, errUnknown
	case t.shared:
		return nil, errors.New("the share was taken already")
	default:
		t.shared = true
	}
	return f.directory.claims(number, own), nil
}

// collect has a process give places up.
func (f *first) collect(c claim) ([]hub.Duty, error) {
	if c.member == 0 {
		return f.bus.hub.Load().Cede(c.count)
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.directory.patience)
	defer cancel()
	r, err := f.bus.request(ctx, f.bus.memberSubject(c.member), wire.AppendUint([]byte{kindCede}, uint64(c.count)))
	if err != nil {
		return nil, err
	}
	duties := readDuties(&r)
	return duties, r.Done()
}

func (b *Bus) memberSubject(number uint32) string {
	return b.subject("member." + strconv.FormatUint(uint64(number), 10))
}

// depart lets a member go that has given everything up.
func (f *first) depart(r *wire.Reader) ([]byte, error) {
	number := uint32(r.UintMax(1<<32 - 1))
	final := readDuties(r)
	if err := r.Done(); err != nil {
		return nil, err
	}
	f.moving.Lock()
	defer f.moving.Unlock()
	f.mu.Lock()
	duties := f.directory.leave(number, final, time.Now())
	f.mu.Unlock()
	f.bus.log.Info("bus: a process has left", "process", number, "places", len(duties))
	f.miss(number, "has left")
	f.adopt(duties)
	return nil, nil
}

// adopt takes places over. Those that cannot be had are told of and counted by the hub.
func (f *first) adopt(duties []hub.Duty) {
	if len(duties) == 0 {
		return
	}
	if err := f.bus.hub.Load().Adopt(duties); err != nil {
		f.bus.log.Error("bus: places could not be taken over", "error", err)
	}
}

// watch looks for members that have died.
func (f *first) watch() {
	ticker := time.NewTicker(f.directory.patience / looksPerPatience)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			f.look()
		case <-f.quit:
			return
		}
	}
}

func (f *first) look() {
	f.moving.Lock()
	defer f.moving.Unlock()
	f.mu.Lock()
	dead, orphans := f.directory.expire(time.Now())
	f.mu.Unlock()
	for _, number := range dead {
		if !f.miss(number, "is gone") {
			f.bus.log.Warn("bus: a process is gone", "process", number, "silent", f.directory.patience)
		}
	}
	if len(orphans) > 0 {
		f.bus.log.Info("bus: places taken over", "places", len(orphans))
		f.adopt(orphans)
	}
}

// leave tells the members that the world ends, and waits until they know.
func (f *first) leave(ctx context.Context, reason string) error {
	f.shut()
	if err := f.tellAll(ctx, appendText([]byte{kindEnd}, reason)); err != nil {
		f.bus.log.Warn("bus: not everybody could be told that the world ends", "error", err)
	}
	return nil
}
