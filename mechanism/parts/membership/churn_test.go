package membership

import (
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/random"
)

// crowd is a server and its clients over a network that loses, repeats and reorders: the smallest mechanism there is. Clients
// say now and then that they are there, and the server answers.
type crowd struct {
	t       *rapid.T
	now     world.Time
	members Members[*guest]
	server  uint32 // how often it has begun anew
	clients []*Presence
	epochs  []uint32
	left    []Identity // the latest identity whose farewell the server has taken, by client
	flights []flight
	stream  random.Stream
	loss    uint64
	delay   world.Time
}

type flight struct {
	at       world.Time
	client   int
	kind     int
	identity Identity
}

// The messages of this mechanism.
const (
	sayJoin = iota
	sayLeave
	sayHere
	hearYes // from the server: you are a member
	hearNo  // from the server: you are not
)

const users = 6

func newCrowd(t *rapid.T) *crowd {
	c := &crowd{
		t: t, clients: make([]*Presence, users), epochs: make([]uint32, users), left: make([]Identity, users),
		stream: random.New(rapid.Uint64().Draw(t, "seed"), "network"),
		loss:   rapid.Uint64Range(0, 50).Draw(t, "loss"),
		delay:  world.Time(rapid.Int64Range(1, 1500).Draw(t, "delay")) * ms,
	}
	c.restart()
	return c
}

// restart has the server lose its memory.
func (c *crowd) restart() {
	c.members = NewMembers[*guest](Seats{mechanismtest.Marbles(users), 1}, patience)
	c.server++
	clear(c.left)
}

// come puts a new holder into a place.
func (c *crowd) come(i int) {
	c.epochs[i]++
	p := NewPresence(c.epochs[i], Times{Repeat: 250 * ms, Patience: patience})
	p.Begin()
	p.Ask(c.now)
	c.clients[i] = &p
}

func (c *crowd) post(f flight) {
	for range 1 + c.stream.Below(10)/8 {
		if c.stream.Below(100) >= c.loss {
			f.at = c.now + world.Time(c.stream.Below(uint64(c.delay))) + 1
			c.flights = append(c.flights, f)
		}
	}
}

// pass lets time pass, in steps in which everybody speaks and what is due arrives.
func (c *crowd) pass(span world.Time) {
	for end := c.now + span; c.now < end; c.now += 50 * ms {
		for i, p := range c.clients {
			if p != nil {
				c.speak(i, p)
			}
		}
		for i := 0; i < len(c.flights); i++ {
			if f := c.flights[i]; f.at <= c.now {
				c.flights[i] = c.flights[len(c.flights)-1]
				c.flights = c.flights[:len(c.flights)-1]
				c.arrive(f)
				i--
			}
		}
		for x := range c.members.Silent(c.now) {
			c.members.Remove(c.now, x)
		}
	}
}

func (c *crowd) speak(i int, p *Presence) {
	if p.Lost(c.now) {
		p.Begin()
		p.Ask(c.now)
	}
	switch p.Poll(c.now) {
	case Join:
		c.post(flight{client: i, kind: sayJoin, identity: p.Identity})
	case Leave:
		c.post(flight{client: i, kind: sayLeave, identity: p.Identity})
	case Nothing:
		if p.Member() && c.now%(500*ms) == 0 {
			c.post(flight{client: i, kind: sayHere, identity: p.Identity})
		}
	}
	if p.Due() <= c.now || p.Lost(c.now) {
		c.t.Fatalf("client %d has said all that is due at %v, and more is due at %v", i, c.now, p.Due())
	}
}

func (c *crowd) arrive(f flight) {
	p := c.clients[f.client]
	switch {
	case f.kind < hearYes:
		c.serve(f)
	case p == nil || p.Identity != f.identity:
	case f.kind == hearYes:
		p.Enter(c.now)
		p.Hear(c.now)
	default:
		p.Unknown()
	}
}

func (c *crowd) serve(f flight) {
	from, u := mechanism.NodeID(f.client+2), world.User(f.client+1)
	answer := flight{client: f.client, kind: hearNo, identity: f.identity}
	before := c.members.Of(u)
	switch f.kind {
	case sayJoin:
		was, verdict := c.members.Judge(c.now, from, u, f.identity)
		if verdict == Welcome {
			if was != nil {
				c.members.Remove(c.now, was)
			}
			c.members.Add(&guest{Member{Node: from, User: u, Identity: f.identity, Heard: c.now}})
		}
		if verdict == Stale {
			return
		}
		answer.kind = hearYes
	case sayLeave:
		if x := c.members.Leaver(c.now, from, f.identity); x != nil {
			c.members.Remove(c.now, x)
		}
		if f.identity.After(c.left[f.client]) {
			c.left[f.client] = f.identity
		}
	case sayHere:
		if before != nil && before.Identity == f.identity {
			before.Heard = c.now
			answer.kind = hearYes
		}
	}
	c.post(answer)
	x := c.members.Of(u)
	if x != nil && before != nil && before.Identity.After(x.Identity) {
		c.t.Fatalf("user %d was %v and is %v now", u, before.Identity, x.Identity)
	}
	// A farewell is final, as long as anything from before it can turn up: nothing takes longer than the delay.
	if x != nil && !x.Identity.After(c.left[f.client]) {
		c.t.Fatalf("user %d left as %v and is there as %v", u, c.left[f.client], x.Identity)
	}
}

// TestChurn has users come, leave, crash and be replaced, and the server lose its memory. Lives never get mixed up. When all is
// quiet and the network works, the server's members are just those who take themselves for such, and those who left are gone.
func TestChurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd(t)
		for range rapid.IntRange(1, 40).Draw(t, "events") {
			i := rapid.IntRange(0, users-1).Draw(t, "client")
			switch rapid.SampledFrom([]string{"come", "come", "come", "leave", "crash", "restart", "return"}).Draw(t, "event") {
			case "come":
				c.come(i)
			case "leave":
				if p := c.clients[i]; p != nil {
					p.Leave(c.now)
				}
			case "return": // by the one who has left
				if p := c.clients[i]; p != nil && p.Left() {
					p.Begin()
					p.Ask(c.now)
				}
			case "crash":
				c.clients[i] = nil
			case "restart":
				if c.server < 4 {
					c.flights = c.flights[:0] // else a server that knows nothing might believe those who have left
					c.restart()
				}
			}
			c.pass(world.Time(rapid.SampledFrom([]int64{0, 100, 1000, 5000}).Draw(t, "pause")) * ms)
		}
		c.loss, c.delay = 0, 50*ms
		c.pass(10 * patience)
		for i, p := range c.clients {
			x := c.members.Of(world.User(i + 1))
			switch {
			case p == nil || p.Left():
				if x != nil {
					t.Fatalf("user %d has gone and is a member as %v", i+1, x.Identity)
				}
				if p != nil && !p.Gone() {
					t.Fatalf("user %d has left and is still at it", i+1)
				}
			case x == nil || !p.Member() || x.Identity != p.Identity:
				t.Fatalf("user %d takes itself for a member as %v: %v; the server has %v", i+1, p.Identity, p.Member(), x)
			}
		}
		if len(c.members.departed) > users {
			t.Fatalf("%d are remembered", len(c.members.departed))
		}
	})
}

// Who leaves is out with the first message that arrives, and knows it a round trip later.
func TestLeavingIsQuick(t *testing.T) {
	p := NewPresence(3, Times{Repeat: 250 * ms, Patience: patience})
	p.Begin()
	p.Ask(0)
	if p.Poll(0) != Join || !p.Enter(100*ms) || p.Enter(200*ms) || !p.Member() {
		t.Fatal("not let in")
	}
	p.Leave(world.Second)
	if p.Poll(world.Second) != Leave || !p.Left() || p.Gone() {
		t.Fatal("no goodbye")
	}
	p.Unknown()
	if !p.Gone() || p.Due() != world.Never || p.LostAt() != world.Never {
		t.Error("who was heard has more to say")
	}
}

// Who is not heard says goodbye a few times, and no more.
func TestUnheardFarewellEnds(t *testing.T) {
	p := NewPresence(0, Times{Repeat: 250 * ms})
	p.Enter(0)
	p.Leave(0)
	said := 0
	for now := world.Time(0); now < world.Minute; now += 10 * ms {
		if p.Poll(now) == Leave {
			said++
		}
	}
	if said != farewellsMax || !p.Gone() {
		t.Errorf("goodbye is said %d times; gone: %v", said, p.Gone())
	}
}

// A presence whose server says nothing is lost when its patience is over, whether it was let in or not; one that has no
// patience waits for the server's word.
func TestLost(t *testing.T) {
	for _, entered := range []bool{false, true} {
		p := NewPresence(0, Times{Repeat: 250 * ms, Patience: patience})
		p.Begin()
		p.Ask(world.Second)
		if entered {
			p.Enter(world.Second)
		}
		if at := world.Second + patience; p.Lost(at) || !p.Lost(at+1) || p.LostAt() != at+1 {
			t.Errorf("lost at %v", p.LostAt())
		}
		p.Hear(2 * world.Second)
		if entered && p.Lost(world.Second+patience+1) {
			t.Error("lost although the server was heard")
		}
	}
	p := NewPresence(0, Times{Repeat: 250 * ms})
	p.Enter(0)
	if p.LostAt() != world.Never {
		t.Errorf("lost at %v", p.LostAt())
	}
	p.Unknown()
	if !p.Lost(0) {
		t.Error("not lost although the server says so")
	}
	p.Begin()
	if p.Lost(world.Minute) || p.Identity != (Identity{0, 1}) {
		t.Errorf("%v is lost before it has asked", p.Identity)
	}
}

// Who has yet to begin can take its predecessor out.
func TestLeavingForAPredecessor(t *testing.T) {
	members := NewMembers[*guest](Seats{mechanismtest.Marbles(1), 1}, patience)
	members.Add(&guest{Member{Node: 2, User: 1, Identity: Identity{3, 7}}})
	p := NewPresence(4, Times{Repeat: 250 * ms})
	if p.Leave(0); p.Poll(0) != Leave {
		t.Fatal("it says nothing")
	}
	if members.Leaver(0, 2, p.Identity) == nil {
		t.Error("its predecessor stays")
	}
}
