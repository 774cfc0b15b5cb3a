package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"throng/live/hub"
	"throng/live/session"
	"throng/world/wire"
)

const (
	// clockRounds is how often the first process is asked for the time before the world is entered.
	clockRounds = 8

	// beatsPerPatience is how many beats may get lost, but for one, before a member is taken to be dead.
	beatsPerPatience = 6
)

// member is a further process.
type member struct {
	bus         *Bus
	welcome     welcome
	description session.Description

	found, begun chan struct{} // closed when it is known who the founders are, and when the world begins

	stopping sync.Once
	quit     chan struct{}
	beats    sync.WaitGroup
}

// joinFirst asks the first process to be let in.
func joinFirst(ctx context.Context, b *Bus) (*member, error) {
	m := &member{bus: b, found: make(chan struct{}), begun: make(chan struct{}), quit: make(chan struct{})}
	r, err := b.request(ctx, b.subject("first"), appendText(wire.AppendUint([]byte{kindJoin}, version), ownName()))
	if err != nil {
		return nil, m.explain(err)
	}
	m.welcome = readWelcome(&r)
	if err := r.Done(); err != nil {
		return nil, m.explain(err)
	}
	b.number = m.welcome.member
	if err := m.build(); err != nil {
		m.sayGoodbye(ctx, nil) // it would be noticed sooner or later
		return nil, err
	}
	if len(m.welcome.founders) > 0 { // the world has begun
		b.placement.settle(m.welcome.founders)
		b.clock.settle(m.welcome.zero)
		close(m.found)
		close(m.begun)
	}
	for range clockRounds {
		if err := m.askTime(ctx, []byte{kindClock}); err != nil {
			return nil, m.explain(err)
		}
	}
	if _, err := b.nc.Subscribe(b.memberSubject(m.welcome.member), m.answer); err != nil {
		return nil, m.explain(err)
	}
	m.beats.Go(m.beat)
	return m, nil
}

// explain says what an error means to whoever wants to join.
func (m *member) explain(err error) error {
	var refused refusal
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf("the first process of the world says: %s", refused)
	case errors.Is(err, nats.ErrNoResponders):
		return addressErrorf("there is no world %s on the bus at %s", m.bus.address.world, m.bus.address.server.Host)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("the first process of world %s does not answer", m.bus.address.world)
	}
	return fmt.Errorf("bus: %w", err)
}

// build makes sure that this process makes the same world of the description.
func (m *member) build() error {
	if err := json.Unmarshal(m.welcome.description, &m.description); err != nil {
		return fmt.Errorf("the world's description cannot be read: %w", err)
	}
	s, how, err := m.description.Build(m.bus.config.Catalog)
	if err != nil {
		return fmt.Errorf("the world cannot be built here: %w", err)
	}
	if s.Start.Hash() != m.welcome.hash {
		return errors.New("the world comes out differently here than in the first process: the two must be the same program")
	}
	m.bus.placement = newPlacement(s, how)
	return nil
}

// askTime sends a request whose answer is the first process's time, and who is gone.
func (m *member) askTime(ctx context.Context, body []byte) error {
	asked := m.bus.clock.local()
	r, err := m.bus.request(ctx, m.bus.subject("first"), body)
	if err != nil {
		return err
	}
	s := readStatus(&r)
	if err := r.Done(); err != nil {
		return err
	}
	m.bus.clock.answered(asked, s.now)
	for _, number := range s.gone {
		m.bus.lose(number, "is gone")
	}
	return nil
}

func (m *member) configure(c *hub.Config) {
	c.Description = m.description
	c.FirstUser, c.LastUser = m.welcome.users.first, m.welcome.users.last
}

func (m *member) members() int { return 0 }

// close ends the beats.
func (m *member) close() {
	m.stopping.Do(func() { close(m.quit) })
	m.beats.Wait()
}

// answer does what the first process asks for.
func (m *member) answer(msg *nats.Msg) {
	r := wire.NewReader(msg.Data)
	switch r.Byte() {
	case kindCede:
		reply, err := m.cede(&r)
		m.bus.respond(msg, reply, err)
	case kindEnd:
		reason := readText(&r)
		err := r.Done()
		m.bus.respond(msg, nil, err)
		if err == nil {
			m.bus.fail(fmt.Errorf("%w: %s", ErrEnded, reason))
		}
	case kindFound:
		m.bus.respond(msg, nil, m.hearFounders(&r))
	case kindBegin:
		m.bus.respond(msg, nil, m.hearBeginning(&r))
	default:
		m.bus.respond(msg, nil, wire.ErrMalformed)
	}
}

func (m *member) cede(r *wire.Reader) ([]byte, error) {
	count := int(r.UintMax(hub.NodesMax))
	if err := r.Done(); err != nil {
		return nil, err
	}
	h := m.bus.hub.Load()
	if h == nil {
		return nil, errors.New("nothing is held here")
	}
	duties, err := h.Cede(count)
	return appendDuties(nil, duties), err
}

// beat tells the first process what is held here, over and over.
func (m *member) beat() {
	ticker := time.NewTicker(m.welcome.patience / beatsPerPatience)
	defer ticker.Stop()
	heard := time.Now()
	var b beatBody
	for {
		err := m.beatOnce(&b)
		switch {
		case err == nil:
			heard = time.Now()
		case errors.Is(err, errUnknown):
			m.bus.fail(ErrExpelled)
			return
		case time.Since(heard) >= m.welcome.patience:
			m.bus.fail(fmt.Errorf("%w: nothing was heard of it for %v", ErrGone, m.welcome.patience))
			return
		}
		select {
		case <-ticker.C:
		case <-m.quit:
			return
		}
	}
}

// beatBody is what a beat says. What has not changed since it was last confirmed is not said again.
type beatBody struct {
	duties    []hub.Duty
	list      []byte
	confirmed []byte
	body      []byte
}

func (m *member) beatOnce(b *beatBody) error {
	h := m.bus.hub.Load()
	if h != nil {
		b.duties = h.Duties(b.duties[:0])
		b.list = appendDuties(b.list[:0], b.duties)
	}
	b.body = wire.AppendUint(append(b.body[:0], kindBeat), uint64(m.welcome.member))
	if h == nil || bytes.Equal(b.list, b.confirmed) {
		b.body = append(b.body, 0)
	} else {
		b.body = append(append(b.body, 1), b.list...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), m.welcome.patience/3)
	defer cancel()
	err := m.askTime(ctx, b.body)
	if err == nil {
		b.confirmed = append(b.confirmed[:0], b.list...)
	}
	return err
}

// leave hands everything back, unless the world has ended already.
func (m *member) leave(ctx context.Context, reason string) error {
	if m.bus.Err() != nil {
		return nil
	}
	m.close() // a beat would say that nothing is held here
	var duties []hub.Duty
	if h := m.bus.hub.Load(); h != nil {
		duties = h.Retire(reason)
	}
	if err := m.sayGoodbye(ctx, duties); err != nil {
		return m.explain(err)
	}
	return nil
}

// sayGoodbye tells the first process what it has to take over.
func (m *member) sayGoodbye(ctx context.Context, duties []hub.Duty) error {
	ctx, cancel := context.WithTimeout(ctx, m.welcome.patience)
	defer cancel()
	body := appendDuties(wire.AppendUint([]byte{kindLeave}, uint64(m.welcome.member)), duties)
	_, err := m.bus.request(ctx, m.bus.subject("first"), body)
	return err
}
