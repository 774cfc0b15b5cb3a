package central

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/world"
)

// labour is a server that is woken by as much too late as a test says, and the clients that have joined it.
type labour struct {
	*authority
	now world.Time
	out mechanism.Outbox
	got map[mechanism.NodeID]int // updates
}

func newLabour(t *testing.T, users int, change func(*Config)) *labour {
	t.Helper()
	config := param.Default[Config]()
	if change != nil {
		change(&config)
	}
	w := mechanismtest.Marbles(world.User(users))
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: config.Places(w)}
	l := &labour{authority: newAuthority(&config, s), got: map[mechanism.NodeID]int{}}
	l.Wake(0, &l.out)
	for u := range users {
		l.join(world.User(u + 1))
	}
	return l
}

// join has a user's client ask to be let in, and returns what kind of message it is sent at once, if any.
func (l *labour) join(u world.User) (kind byte) {
	l.out.Reset()
	from := server + mechanism.NodeID(u)
	l.Receive(l.now, mechanism.Message{From: from, To: server, Payload: input.AppendJoin(nil, membership.Identity{Life: 1}, u)}, &l.out)
	if l.out.Sends() > 0 {
		kind = l.out.Message(0, server).Payload[0]
	}
	return kind
}

// run lets time pass in which every wake-up is late, and everybody is heard of.
func (l *labour) run(d, late world.Time) {
	for end := l.now + d; l.now < end; {
		l.now = max(l.now, l.alarm+late)
		l.out.Reset()
		l.Wake(l.now, &l.out)
		for i := range l.out.Sends() {
			l.got[l.out.Message(i, server).To]++
		}
		for _, m := range l.members.All() {
			m.Heard = l.now
			l.do(&world.Action{User: m.User, Verb: mechanismtest.Count}) // so that there is something to tell
		}
	}
}

// Late for everything, the server tells everybody less often, evenly; refuses newcomers and says so; and is back soon.
func TestOverload(t *testing.T) {
	l := newLabour(t, 8, func(c *Config) { c.Slots = 4 })
	l.run(world.Second, 0)
	if l.Slowed() != 100 || l.Full() {
		t.Fatalf("slowed to %d, full %v without any load", l.Slowed(), l.Full())
	}
	l.run(4*world.Second, 2*l.length)
	if l.Slowed() < 200 || !l.Full() {
		t.Fatalf("slowed to %d, full %v", l.Slowed(), l.Full())
	}
	if kind := l.join(1); kind == input.KindFull {
		t.Error("a member is told that there is no room")
	}
	l.Receive(l.now, mechanism.Message{From: server + 3, To: server, Payload: input.AppendLeave(nil, membership.Identity{Life: 1})}, &l.out)
	if kind := l.join(2); kind == input.KindFull {
		t.Error("another member is")
	}
	l.out.Reset()
	l.Receive(l.now, mechanism.Message{From: server + 3, To: server, Payload: input.AppendJoin(nil, membership.Identity{Life: 2}, 3)}, &l.out)
	if got := l.out.Message(0, server).Payload[0]; l.out.Sends() != 1 || got != input.KindFull {
		t.Errorf("a newcomer is sent %d messages, of kind %x", l.out.Sends(), got)
	}
	l.run(6*world.Second, 0)
	if l.Slowed() != 100 || l.Full() {
		t.Errorf("slowed to %d, full %v six seconds after the load has gone", l.Slowed(), l.Full())
	}
}

// At a level, clients are served as often as it says, each as often as the others, and not all in the same intervals.
func TestTurnsAreEven(t *testing.T) {
	const users, rounds = 40, 400
	l := newLabour(t, users, nil)
	l.pace.Note(0, 0, 1, users)
	for l.pace.Level() < 12 { // some twice as long
		l.now += l.length
		l.alarm = l.now - 2*l.length
		l.mind(l.now, &l.out)
	}
	served := map[mechanism.NodeID]int{}
	for round := range rounds {
		l.now += l.schedule.interval
		now := 0
		for _, m := range l.members.All() {
			if m.Next(&l.pace, l.now, l.schedule.interval) {
				served[m.Node]++
				now++
			}
		}
		if round > 2 && (now == 0 || now == users) {
			t.Fatalf("%d of %d are served in round %d", now, users, round)
		}
	}
	for id, n := range served {
		if want := rounds * 100 / l.Slowed(); n < want-2 || n > want+2 {
			t.Errorf("node %d is served %d times, want some %d", id, n, want)
		}
	}
}
