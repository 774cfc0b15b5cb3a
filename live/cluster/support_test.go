package cluster

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"throng/catalog"
	"throng/live/driver"
	"throng/live/hub"
	"throng/live/livetest"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// walkers is how many people there are in the world of these tests, all of whom see one another.
const walkers = 6

func dense(mechanism string) session.Description {
	return session.Description{
		World:     session.Choice{Name: "crowd", Params: map[string]string{"walkers": "6", "mode": "dense", "restless": "true"}},
		Mechanism: session.Choice{Name: mechanism},
		Seed:      5,
	}
}

// member is a process of a world, as far as the others can tell.
type member struct {
	*Cluster
	hub    *hub.Hub
	killed sync.Once
}

func settings(change func(*Config)) Config {
	c := Config{Catalog: catalog.Default(), Listen: "127.0.0.1:0", Patience: time.Minute, Ledger: true}
	if change != nil {
		change(&c)
	}
	return c
}

// found begins a world in so many processes. They are in the order of their numbers.
func found(t testing.TB, d session.Description, n int, change func(*Config)) []*member {
	t.Helper()
	c := settings(change)
	c.Wait = n - 1
	first, err := Begin(d, c)
	if err != nil {
		t.Fatal(err)
	}
	list, errs := make([]*member, n), make([]error, n)
	var all sync.WaitGroup
	all.Go(func() { list[0], errs[0] = enter(t, first) })
	for i := range n - 1 {
		all.Go(func() {
			k, err := Join(t.Context(), first.JoinURL(), c)
			if err != nil {
				errs[i+1] = err
				return
			}
			m, err := enter(t, k)
			if errs[i+1] = err; err == nil {
				list[k.self.number-1] = m
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return list
}

// join has a further process join a world that runs.
func join(t testing.TB, url string, change func(*Config)) *member {
	t.Helper()
	k, err := Join(t.Context(), url, settings(change))
	if err != nil {
		t.Fatal(err)
	}
	m, err := enter(t, k)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// enter brings a process to life until the end of the test.
func enter(t testing.TB, k *Cluster) (*member, error) {
	if err := k.Gather(t.Context()); err != nil {
		k.Close()
		return nil, err
	}
	c := hub.Config{SeatsMax: 2}
	err := k.Configure(&c)
	var h *hub.Hub
	if err == nil {
		h, err = hub.Start(c, catalog.Default())
	}
	if err != nil {
		k.Close()
		return nil, err
	}
	m := &member{Cluster: k, hub: h}
	t.Cleanup(m.kill)
	return m, k.Run(t.Context(), h)
}

// kill ends a process without a word.
func (m *member) kill() {
	m.killed.Do(func() {
		m.mesh.close() // nothing more is said
		m.hub.Close(context.Background(), "")
		m.Cluster.Close()
	})
}

// leading waits until one of some processes leads and all of them know, and returns it and the others.
func leading(t testing.TB, list []*member) (leader *member, others []*member) {
	t.Helper()
	livetest.Until(t, "somebody leads", func() bool {
		leader, others = nil, nil
		for _, m := range list {
			if m.leader() == m.self.number {
				leader = m
			} else {
				others = append(others, m)
			}
		}
		for _, m := range others {
			if leader == nil || m.leader() != leader.self.number {
				return false
			}
		}
		return leader != nil
	})
	return leader, others
}

// plays counts the artificial players here that take part.
func (m *member) plays() (n int) {
	for _, i := range m.hub.Nodes() {
		ready := false
		m.hub.Do(i.Place.ID, func(node *mechanism.Machine) { ready = node.Ready() })
		if ready && i.Holding == hub.Artificial {
			n++
		}
	}
	return n
}

// allPlay waits until all artificial players take part, in one of some processes each.
func allPlay(t testing.TB, list []*member, want int) {
	t.Helper()
	livetest.Until(t, "all players take part", func() bool {
		n := 0
		for _, m := range list {
			n += m.plays()
		}
		return n == want
	})
}

// person is somebody whose client runs in this process, as a browser's does elsewhere.
type person struct {
	token  string
	user   world.User
	epoch  uint32
	runner atomic.Pointer[driver.Runner]
	done   map[uint32]bool
	mu     sync.Mutex

	at   *member
	seat *hub.Seat
}

// chair is a person's connection.
type chair struct{ p *person }

func (c *chair) Send(m mechanism.Message) bool {
	r := c.p.runner.Load()
	return r == nil || r.Deliver(m)
}

func (c *chair) Close(string) {}

// Route implements driver.Router: what a client sends goes through the process that it is connected to.
func (p *person) Route(m mechanism.Message) bool {
	p.mu.Lock()
	at, seat := p.at, p.seat
	p.mu.Unlock()
	return at.hub.Deliver(seat, m)
}

// event takes note of what is final.
func (p *person) event(e mechanism.Event) {
	if e.Name == mechanism.Confirmed && e.User == p.user {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done[e.Seq] = true
	}
}

// finals is how many actions the person was told to be final.
func (p *person) finals() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.done)
}

// sit has somebody come in through a process, who walks about as everybody does.
func (m *member) sit(t testing.TB) *person {
	t.Helper()
	p := &person{token: m.seats.Issue("Ada", ""), done: map[uint32]bool{}, at: m}
	seat, epoch, err := m.seats.Claim([]byte(p.token), &chair{p}, true)
	if err != nil {
		t.Fatal(err)
	}
	p.seat, p.user, p.epoch = seat, seat.User(), epoch
	node, err := m.hub.Client(seat, epoch)
	if err != nil {
		t.Fatal(err)
	}
	node.Player = m.scene.session.World.Player(p.user, random.New(9, "person"))
	runner := driver.New(driver.Config{MachineConfig: node, Router: p, Event: p.event}, m.clock, driver.DefaultLimits)
	runner.Start()
	p.runner.Store(runner)
	t.Cleanup(runner.Stop)
	return p
}

// change has a person go on through another process, with the node that there is.
func (p *person) change(t testing.TB, to *member) {
	t.Helper()
	seat, epoch, err := to.seats.Claim([]byte(p.token), &chair{p}, false)
	if err != nil {
		t.Fatal(err)
	}
	if seat.User() != p.user || epoch != p.epoch {
		t.Errorf("user %d comes back as user %d, with epoch %d instead of %d", p.user, seat.User(), epoch, p.epoch)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.seat = to, seat
}

// acts waits until further actions of a person are final.
func (p *person) acts(t testing.TB) {
	t.Helper()
	before := p.finals()
	livetest.Until(t, "further actions are final", func() bool { return p.finals() > before+3 })
}

// remembered checks that a process knows every action that a person was told to be final, and none twice.
func (p *person) remembered(t testing.TB, by *member) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	by.group.do(func() {
		l := by.machine.ledger
		l.mu.Lock()
		defer l.mu.Unlock()
		a := l.users[p.user]
		if a == nil || a.Twice > 0 {
			t.Errorf("of user %d is known: %+v", p.user, a)
			return
		}
		e := Entry{Done: a.done}
		for seq := range p.done {
			if !e.Did(seq) {
				t.Errorf("action %d of user %d is lost", seq, p.user)
			}
		}
	})
}
