package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"throng/live/hub"
	"throng/world"
	"throng/world/wire"
)

// errBeginning is the answer to a process that joins at the wrong moment.
var errBeginning = errors.New("the world is about to begin with as many processes as it waits for; try again in a moment")

// This is how several processes begin a world together. First of all those that it begins with join. When all are there each
// is told who the others are, and builds its share of the nodes. When all are ready the first process settles when the
// world begins, a moment later, and tells the others.

// gather waits for those that the world begins with.
func (f *first) gather(ctx context.Context) error {
	if err := f.await(ctx, func() bool { return f.directory.beating() == f.bus.config.Wait }); err != nil {
		return err
	}
	founders := f.found()
	f.bus.placement.settle(founders)
	for _, m := range founders[1:] {
		f.mu.Lock()
		f.directory.endow(m.number, f.bus.placement.share(m.number))
		f.mu.Unlock()
	}
	return f.tellAll(ctx, appendFounders([]byte{kindFound}, founders))
}

// found says who the founders are. Nobody can join until the world has begun.
func (f *first) found() []founder {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase == gathering {
		f.phase = founding
	}
	founders := []founder{{name: ownName()}}
	for number, t := range f.directory.members {
		founders = append(founders, founder{number: number, name: t.name})
		f.unready[number] = true
	}
	slices.SortFunc(founders, func(a, b founder) int { return cmp.Compare(a.number, b.number) })
	return founders
}

// run has the world begin once all are ready, and lets others join.
func (f *first) run(ctx context.Context, h *hub.Hub) error {
	if f.bus.config.Wait == 0 {
		f.proceed()
		return f.open()
	}
	f.bus.carrier.start(h)
	if err := f.bus.flush(); err != nil {
		return err
	}
	if err := f.await(ctx, func() bool { return len(f.unready) == 0 }); err != nil {
		return err
	}
	zero := f.bus.clock.local() + lead
	f.bus.clock.settle(zero)
	f.proceed()
	return f.tellAll(ctx, wire.AppendInt([]byte{kindBegin}, int64(zero)))
}

// proceed lets others join from now on.
func (f *first) proceed() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase == founding {
		f.phase = running
	}
}

// open begins to hear requests and to look for members that have died.
func (f *first) open() error {
	if _, err := f.bus.nc.Subscribe(f.bus.subject("first"), f.answer); err != nil {
		return fmt.Errorf("bus: %w", err)
	}
	f.work.Go(f.watch)
	return f.bus.flush() // who joins at once is heard
}

func (b *Bus) flush() error {
	if err := b.nc.FlushTimeout(connectTime); err != nil {
		return fmt.Errorf("bus: %w", err)
	}
	return nil
}

// change has await look again. The caller holds the lock.
func (f *first) change() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// await waits for something to be so before the world begins.
func (f *first) await(ctx context.Context, so func() bool) error {
	for {
		f.mu.Lock()
		done := so()
		f.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-f.changed:
		case <-f.bus.ended:
			return f.bus.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ready notes that a founder's nodes can be reached.
func (f *first) ready(r *wire.Reader) error {
	number := uint32(r.UintMax(1<<32 - 1))
	if err := r.Done(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.unready, number)
	f.change()
	return nil
}

// miss notes that a member is no more. It reports whether that is logged: if a part of the world is gone with it. Before the
// beginning all of it is.
func (f *first) miss(number uint32, how string) (logged bool) {
	f.mu.Lock()
	early := f.phase == founding
	f.mu.Unlock()
	if early {
		f.bus.fail(fmt.Errorf("process %d %s before the world has begun", number, how))
		return false
	}
	return f.bus.lose(number, how)
}

// tellAll tells all members something and waits until they know.
func (f *first) tellAll(ctx context.Context, body []byte) error {
	f.mu.Lock()
	members := make([]uint32, 0, len(f.directory.members))
	for number := range f.directory.members {
		members = append(members, number)
	}
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, f.directory.patience)
	defer cancel()
	errs := make([]error, len(members))
	var told sync.WaitGroup
	for i, number := range members {
		told.Go(func() {
			if _, err := f.bus.request(ctx, f.bus.memberSubject(number), body); err != nil {
				errs[i] = fmt.Errorf("process %d does not answer: %w", number, err)
			}
		})
	}
	told.Wait()
	return errors.Join(errs...)
}

// gather waits until it is known with whom the world begins.
func (m *member) gather(ctx context.Context) error { return m.await(ctx, m.found) }

// run has this process's share of the world begin together with the others', or takes a share of a world under way.
func (m *member) run(ctx context.Context, h *hub.Hub) error {
	m.bus.carrier.start(h)
	if len(m.welcome.founders) > 0 {
		return m.take(ctx, h)
	}
	if err := m.bus.flush(); err != nil {
		return err
	}
	body := wire.AppendUint([]byte{kindReady}, uint64(m.welcome.member))
	asking, cancel := context.WithTimeout(ctx, m.welcome.patience)
	defer cancel()
	if _, err := m.bus.request(asking, m.bus.subject("first"), body); err != nil {
		return m.explain(err)
	}
	return m.await(ctx, m.begun)
}

// take takes this process's share.
func (m *member) take(ctx context.Context, h *hub.Hub) error {
	asking, cancel := context.WithTimeout(ctx, 2*m.welcome.patience) // others may have to be asked first
	defer cancel()
	r, err := m.bus.request(asking, m.bus.subject("first"), wire.AppendUint([]byte{kindTake}, uint64(m.welcome.member)))
	if err != nil {
		return m.explain(err)
	}
	duties := readDuties(&r)
	if err := r.Done(); err != nil {
		return m.explain(err)
	}
	if err := h.Adopt(duties); err != nil { // the first process will take back what it does not hear of
		m.bus.log.Error("bus: places could not be taken over", "error", err)
	}
	m.bus.log.Info("bus: joined", "process", m.welcome.member, "places", len(duties))
	return nil
}

func (m *member) await(ctx context.Context, so <-chan struct{}) error {
	select {
	case <-so:
		return nil
	case <-m.bus.ended:
		return m.bus.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hearFounders is told with whom the world begins.
func (m *member) hearFounders(r *wire.Reader) error {
	founders := readFounders(r)
	if err := r.Done(); err != nil {
		return err
	}
	return m.once(m.found, func() { m.bus.placement.settle(founders) })
}

// hearBeginning is told when the world begins.
func (m *member) hearBeginning(r *wire.Reader) error {
	zero := world.Time(r.Int())
	if err := r.Done(); err != nil {
		return err
	}
	return m.once(m.begun, func() { m.bus.clock.settle(zero) })
}

// once does what closes a channel, the first time. What is asked of a member is answered on one goroutine.
func (m *member) once(closes chan struct{}, do func()) error {
	select {
	case <-closes:
		return errors.New("that was said before")
	default:
		do()
		close(closes)
		return nil
	}
}
