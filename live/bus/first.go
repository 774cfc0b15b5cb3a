package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	hub         *hub.Hub

	mu     sync.Mutex
	estate *estate
	ending bool // nobody may join any more

	moving sync.Mutex // one after the other, places change hands

	quit chan struct{}
	work sync.WaitGroup
}

func newFirst(d session.Description, c *Config) (*first, error) {
	s, _, err := d.Build(c.Catalog)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(&d)
	if err != nil {
		return nil, err
	}
	f := &first{
		description: d,
		text:        text,
		hash:        s.Start.Hash(),
		estate:      newEstate(s.Places, s.World.Users(), c.Patience),
		quit:        make(chan struct{}),
	}
	f.users, err = f.estate.numbers.take()
	return f, err
}

func (f *first) configure(c *hub.Config) {
	c.Description = f.description
	c.FirstUser, c.LastUser = f.users.first, f.users.last
}

// run lets others join.
func (f *first) run(_ context.Context, h *hub.Hub) error {
	f.hub = h
	_, err := f.bus.nc.Subscribe(f.bus.subject("first"), f.answer)
	if err == nil {
		err = f.bus.nc.FlushTimeout(connectTime) // who joins at once is heard
	}
	if err != nil {
		return fmt.Errorf("bus: %w", err)
	}
	f.work.Go(f.watch)
	return nil
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
	f.ending = true
}

func (f *first) members() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.estate.members)
}

// answer answers a request. What moves places takes longer and is done aside, so that beats are not held up.
func (f *first) answer(msg *nats.Msg) {
	r := wire.NewReader(msg.Data)
	switch r.Byte() {
	case kindJoin:
		reply, err := f.join(&r)
		f.bus.respond(msg, reply, err)
	case kindClock:
		f.bus.respond(msg, f.now(), r.Done())
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
	if f.ending {
		return
	}
	f.work.Go(func() {
		reply, err := do(&r)
		f.bus.respond(msg, reply, err)
	})
}

// now is the world's time.
func (f *first) now() []byte { return wire.AppendInt(nil, int64(f.hub.Now())) }

func (f *first) join(r *wire.Reader) ([]byte, error) {
	if v := r.Uint(); v != version && !r.Failed() {
		return nil, fmt.Errorf("the processes are of different versions: the first speaks version %d on the bus, this one %d", version, v)
	}
	if err := r.Done(); err != nil {
		return nil, err
	}
	if _, err := f.hub.Cede(0); err != nil { // nothing could be given
		return nil, err
	}
	t, err := f.admit()
	if err != nil {
		return nil, err
	}
	f.bus.carrier.start(f.hub)
	f.bus.log.Info("bus: a process has joined", "member", t.number)
	w := welcome{member: t.number, users: t.users, patience: f.estate.patience, hash: f.hash, description: f.text}
	return w.append(nil), nil
}

func (f *first) admit() (*tenant, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ending {
		return nil, hub.ErrClosed
	}
	return f.estate.join(time.Now())
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
	if !f.estate.beat(number, now) {
		return nil, errUnknown
	}
	if changed && !f.estate.report(number, duties, now) {
		f.bus.carrier.malformed.Add(1)
	}
	return f.now(), nil
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
			f.bus.log.Warn("bus: places could not be collected", "member", c.member, "error", err)
			continue
		}
		f.mu.Lock()
		if c.member != 0 {
			duties = f.estate.release(c.member, duties)
		}
		f.estate.grant(number, duties, time.Now())
		f.mu.Unlock()
		all = append(all, duties...)
	}
	f.bus.log.Info("bus: places handed over", "member", number, "places", len(all))
	return appendDuties(nil, all), nil
}

func (f *first) claims(number uint32) ([]claim, error) {
	own := f.hub.Counters().Artificial
	f.mu.Lock()
	defer f.mu.Unlock()
	switch t := f.estate.members[number]; {
	case t == nil:
		return nil, errUnknown
	case t.shared:
		return nil, errors.New("the share was taken already")
	default:
		t.shared = true
	}
	return f.estate.claims(number, own), nil
}

// collect has a process give places up.
func (f *first) collect(c claim) ([]hub.Duty, error) {
	if c.member == 0 {
		return f.hub.Cede(c.count)
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.estate.patience)
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
	duties := f.estate.leave(number, final, time.Now())
	f.mu.Unlock()
	f.bus.log.Info("bus: a process has left", "member", number, "places", len(duties))
	f.adopt(duties)
	return nil, nil
}

// adopt takes places over. Those that cannot be had are told of and counted by the hub.
func (f *first) adopt(duties []hub.Duty) {
	if err := f.hub.Adopt(duties); err != nil {
		f.bus.log.Error("bus: places could not be taken over", "error", err)
	}
}

// watch looks for members that have died.
func (f *first) watch() {
	ticker := time.NewTicker(f.estate.patience / looksPerPatience)
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
	dead, orphans := f.estate.expire(time.Now())
	f.mu.Unlock()
	for _, number := range dead {
		f.bus.log.Warn("bus: a process is gone", "member", number, "silent", f.estate.patience)
	}
	if len(orphans) > 0 {
		f.bus.log.Info("bus: places taken over", "places", len(orphans))
		f.adopt(orphans)
	}
}

// leave tells the members that the world ends, and waits until they know.
func (f *first) leave(ctx context.Context, reason string) error {
	f.shut()
	f.mu.Lock()
	members := slices.Collect(maps.Keys(f.estate.members))
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, f.estate.patience)
	defer cancel()
	var told sync.WaitGroup
	body := appendText([]byte{kindEnd}, reason)
	for _, number := range members {
		told.Go(func() {
			if _, err := f.bus.request(ctx, f.bus.memberSubject(number), body); err != nil {
				f.bus.log.Warn("bus: a process could not be told that the world ends", "member", number, "error", err)
			}
		})
	}
	told.Wait()
	return nil
}
