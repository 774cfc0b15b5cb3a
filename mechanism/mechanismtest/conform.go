package mechanismtest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"throng/mechanism"
	"throng/world"
)

// Options say what a mechanism promises. The zero Options are the strictest: silent when idle, no allocation, no
// agreement of views.
type Options struct {
	// Users is how many there are: three, if zero.
	Users world.User

	// Heartbeat is the shortest time between two datagrams from one node to another while nothing happens. Zero means
	// that there are none.
	Heartbeat world.Time

	// Wakes is how many wake-ups a node may ask for per tick while nothing happens: one, if zero.
	Wakes int

	// Agrees says what clients' views have in common a while after the last action, on a network that loses nothing.
	Agrees Agreement

	// Heals says that they come to that also after losses, repetitions, reordering, and being woken late.
	Heals bool

	// Late is how much later what somebody does may show in others' views: a second, if zero. Where messages are lost it may be
	// three times as much.
	Late world.Time

	// Blind says that not everybody is told what happened out of sight when it comes into sight: views may be wrong.
	Blind bool

	// Settle is how long they take for it: 5 s, if zero.
	Settle world.Time

	// Allocations is how many the whole group of nodes may make in a second of play, once all memory has been grown.
	Allocations int
}

// Agreement is a degree to which clients' views are alike.
type Agreement uint8

// The degrees of agreement. Of a client that holds only part of the world (mechanism.Holder), only that part counts.
const (
	Anyhow  Agreement = iota // nothing is promised
	Roughly                  // alike when rounded as on the wire
	Exactly                  // alike to the bit
)

// Conform holds a mechanism to the contract of package mechanism, and to what the options promise.
func Conform(t *testing.T, m mechanism.Mechanism, o Options) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			s := suite{mechanism: m, Options: o}
			s.fill()
			if err := s.try(c.check); err != nil {
				t.Errorf("%s: %v", c.promise, err)
			}
		})
	}
}

// ConformEach holds several settings of a mechanism to the contract: what each changes of its defaults.
func ConformEach[C any, M interface {
	*C
	mechanism.Mechanism
}](t *testing.T, o Options, defaults func() C, settings map[string]func(*C)) {
	t.Helper()
	for name, change := range settings {
		t.Run(name, func(t *testing.T) {
			config := defaults()
			change(&config)
			Conform(t, M(&config), o)
		})
	}
}

// checks are the tests of the suite. Each returns an error rather than failing a test, so that the suite can be tested
// against mechanisms that break a promise.
var checks = []struct {
	name, promise string
	check         func(*suite) error
}{
	{"layout", "every user has one node, which is a client", (*suite).layout},
	{"repeatable", "a node depends on nothing but its calls", (*suite).repeatable},
	{"looking", "View changes nothing", (*suite).looking},
	{"start", "the session's start is for reading", (*suite).start},
	{"payload", "a payload is not kept beyond Receive", (*suite).payload},
	{"outbox", "an outbox is not kept beyond a call", (*suite).outbox},
	{"strangers", "messages from nodes that are not in the session are ignored", (*suite).strangers},
	{"garbage", "what cannot be read is reported and changes nothing", (*suite).garbage},
	{"damage", "damaged messages do no harm beyond what they say", (*suite).damage},
	{"trouble", "loss, repetition and reordering are survived", (*suite).trouble},
	{"tardiness", "nodes that are woken late catch up", (*suite).tardiness},
	{"effect", "every action takes effect, or is given up, once in its user's own view", (*suite).effect},
	{"items", "commands and states that are sent are counted", (*suite).items},
	{"silence", "nothing is sent when nothing happens", (*suite).silence},
	{"truth", "views show objects near where they are", (*suite).truth},
	{"agreement", "views agree when all is said", (*suite).agreement},
	{"healing", "views agree again after trouble", (*suite).healing},
	{"allocation", "steady play allocates nothing", (*suite).allocation},
}

type suite struct {
	Options
	mechanism mechanism.Mechanism
	world     world.World
	delay     world.Time
}

func (s *suite) fill() {
	if s.Users == 0 {
		s.Users = 3
	}
	if s.Wakes == 0 {
		s.Wakes = 1
	}
	if s.Settle == 0 {
		s.Settle = 5 * world.Second
	}
	if s.Late == 0 {
		s.Late = world.Second
	}
	s.world = Marbles(s.Users)
	s.delay = 75 * world.Millisecond // between two ticks
	if _, ok := s.mechanism.(mechanism.Idealised); ok {
		s.delay = 0
	}
}

// try runs a check and turns a panic into an error.
func (s *suite) try(check func(*suite) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.Join(err, fmt.Errorf("panic: %v", p))
		}
	}()
	return check(s)
}

// rig returns a new run of the mechanism on a network without loss.
func (s *suite) rig(seed uint64) (*Rig, error) {
	r, err := NewRig(s.mechanism, s.world, seed)
	if err != nil {
		return nil, err
	}
	r.Network = Constant(s.delay)
	return r, nil
}

// play starts a run and lets the artificial players play for a number of ticks.
func (s *suite) play(seed uint64, ticks int, prepare func(*Rig)) (*Rig, error) {
	r, err := s.rig(seed)
	if err != nil {
		return nil, err
	}
	if prepare != nil {
		prepare(r)
	}
	r.Start()
	r.Play(ticks)
	return r, nil
}

func (s *suite) layout() error {
	has := make([]int, s.Users+1)
	for i, p := range s.mechanism.Places(s.world) {
		if p.ID != mechanism.NodeID(i+1) {
			return fmt.Errorf("the node at place %d has ID %d", i+1, p.ID)
		}
		if p.Role == "" {
			return fmt.Errorf("node %d has no role", p.ID)
		}
		if p.User > s.Users {
			return fmt.Errorf("node %d is of user %d, who does not exist", p.ID, p.User)
		}
		has[p.User]++
	}
	for u, n := range has[1:] {
		if n != 1 {
			return fmt.Errorf("user %d has %d nodes", u+1, n)
		}
	}
	_, err := s.rig(1)
	return err
}

func (s *suite) silence() error {
	r, err := s.rig(1)
	if err != nil {
		return err
	}
	places := len(r.Session.Places)
	last := make([]world.Time, (places+1)*(places+1)) // of the datagrams between each two nodes
	for i := range last {
		last[i] = -world.Never
	}
	var found error
	r.Observe = func(c *Call) {
		for i := range c.Out.Sends() {
			m := c.Out.Message(i, c.Node)
			at := &last[int(m.From)*(places+1)+int(m.To)]
			if r.Now() > s.Settle && (s.Heartbeat == 0 || r.Now() < *at+s.Heartbeat) && found == nil {
				found = fmt.Errorf("at %v node %d sends a %v of %d bytes to node %d, as it did at %v",
					r.Now(), m.From, m.Class, len(m.Payload), m.To, *at)
			}
			*at = r.Now()
		}
	}
	r.Start()
	r.Advance(s.Settle) // whatever it takes to join
	before := make([]int, places+1)
	for i := range places {
		before[i+1] = r.Wakes(mechanism.NodeID(i + 1))
	}
	const ticks = 200
	r.Advance(ticks * s.world.Schema().Tick)
	for id := range places {
		if n := r.Wakes(mechanism.NodeID(id+1)) - before[id+1]; n > ticks*s.Wakes {
			return fmt.Errorf("node %d is woken %d times in %d ticks", id+1, n, ticks)
		}
	}
	return found
}

func (s *suite) effect() error {
	type name struct {
		user world.User
		seq  uint32
	}
	var acted []name
	took := map[name]int{}
	r, err := s.play(1, playTicks, func(r *Rig) {
		r.Observe = func(c *Call) {
			if c.Kind == Act {
				acted = append(acted, name{c.Action.User, c.Action.Seq})
			}
			own := r.Session.Places[c.Node-1].User
			for _, e := range c.Out.Events() {
				if own != 0 && e.User == own && (e.Name == mechanism.Applied || e.Name == mechanism.Dropped) {
					took[name{e.User, e.Seq}]++
				}
			}
		}
	})
	if err != nil {
		return err
	}
	r.Advance(s.Settle)
	for _, n := range acted {
		if took[n] != 1 {
			return fmt.Errorf("action %d of user %d was reported %d times", n.seq, n.user, took[n])
		}
	}
	if len(took) != len(acted) {
		return fmt.Errorf("%d actions, %d effects", len(acted), len(took))
	}
	return nil
}

func (s *suite) items() error {
	acted, told, bytes := 0, 0, 0
	_, err := s.play(1, playTicks, func(r *Rig) {
		r.Observe = func(c *Call) {
			if c.Kind == Act {
				acted++
			}
			for i := range c.Out.Sends() {
				bytes += len(c.Out.Message(i, c.Node).Payload)
			}
			for _, n := range c.Out.Items() {
				told += n
			}
		}
	})
	switch {
	case err != nil:
		return err
	case told < acted:
		return fmt.Errorf("%d actions, and %d commands and states", acted, told)
	case told > bytes:
		return fmt.Errorf("%d commands and states in %d bytes", told, bytes)
	}
	return nil
}

// allocation looks at several stretches of play: now and then something is larger than ever before, and memory grows for it, but
// what costs memory all the time does so in each.
func (s *suite) allocation() error {
	r, err := s.play(1, 600, nil)
	if err != nil {
		return err
	}
	const ticks = 20
	least := math.Inf(1)
	for range 8 {
		least = min(least, testing.AllocsPerRun(10, func() { r.Play(ticks) }))
		if int(least) <= s.Allocations {
			return nil
		}
	}
	return fmt.Errorf("%v allocations in %d ticks of %d nodes, %d allowed", least, ticks, len(r.Session.Places), s.Allocations)
}
