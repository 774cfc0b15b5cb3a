package direct

import (
	"time"

	"throng/mechanism"
)

// Way opens connections. Handlers are called from anywhere, and never within a call of the way or of one of its connections.
type Way interface {
	// Open begins a connection by making an offer or, if it is given one, by answering that.
	Open(offer string, h Handler) (Conn, error)
}

// Conn is one direct connection.
type Conn interface {
	Answered(description string) error // takes the other's answer to the offer
	Send(message []byte) bool          // reports whether the message went
	Close()
}

// Handler is told what becomes of a connection.
type Handler struct {
	Described func(text string) // the own description is complete
	Opened    func()
	Message   func(message []byte)
	Closed    func()
}

// Config is what a switch is made of.
type Config struct {
	Self   mechanism.NodeID
	Way    Way
	Most   int                                       // connections at once
	Peer   func(id mechanism.NodeID) bool            // whether a node is a client's, to whom one may connect
	Signal func(to mechanism.NodeID, payload []byte) // sends a signal by the gateway
	Take   func(m mechanism.Message)                 // hands over a datagram that came directly
	Post   func(func())                              // calls a function when the switch may be called
	Now    func() time.Duration                      // since any moment
}

// Counts are what a switch has done.
type Counts struct {
	Open    int   `json:"open"`    // connections now
	Opened  int64 `json:"opened"`  // in all
	Failed  int64 `json:"failed"`  // that did not come about
	Direct  int64 `json:"direct"`  // datagrams that went directly
	Relayed int64 `json:"relayed"` // datagrams to peers that went by the gateway
	Dropped int64 `json:"dropped"` // what came and was malformed, too large or too much
}

// Add adds another's counts.
func (c *Counts) Add(o Counts) {
	c.Open += o.Open
	c.Opened += o.Opened
	c.Failed += o.Failed
	c.Direct += o.Direct
	c.Relayed += o.Relayed
	c.Dropped += o.Dropped
}

// Share is the share of datagrams to peers that went directly.
func (c *Counts) Share() float64 {
	if c.Direct+c.Relayed == 0 {
		return 0
	}
	return float64(c.Direct) / float64(c.Direct+c.Relayed)
}

const (
	worth     = 4                      // datagrams within a window that make a connection worth while
	window    = 4 * time.Second        // over which they are counted
	patience  = 8 * time.Second        // after which an attempt has failed
	idle      = 20 * time.Second       // after which a connection is of no use
	againMin  = 5 * time.Second        // after which a failed attempt is repeated, at first
	againMax  = 5 * time.Minute        //
	tickEvery = 500 * time.Millisecond // how often old things are looked for
	peersMax  = 4096                   // that are remembered

	messageMax = 16 << 10 // bytes of a datagram
	rate       = 1000     // datagrams a second that are taken of one peer
	burst      = 2000
)

// Switch sends datagrams directly where it can. It is called by one at a time.
type Switch struct {
	config Config
	peers  map[mechanism.NodeID]*peer
	number uint64 // of the last attempt
	live   int    // connections and attempts
	swept  time.Duration
	buf    []byte
	counts Counts
}

// peer is somebody to whom there is a connection, or might be.
type peer struct {
	id      mechanism.NodeID
	state   state
	number  uint64
	conn    Conn
	began   time.Duration // the attempt
	used    time.Duration // when a datagram last went either way
	wanted  int           // datagrams within the present window
	since   time.Duration // when it began
	after   time.Duration // not before this is it tried again
	wait    time.Duration
	credit  float64 // datagrams that are taken of it at once
	counted time.Duration
}

type state uint8

const (
	apart state = iota
	inviting
	offering
	answering
	open
)

// New returns a switch without connections.
func New(c Config) *Switch { return &Switch{config: c, peers: map[mechanism.NodeID]*peer{}} }

// Counts says what the switch has done.
func (s *Switch) Counts() Counts { return s.counts }

func (s *Switch) peer(id mechanism.NodeID) *peer {
	p := s.peers[id]
	if p == nil && len(s.peers) < peersMax {
		p = &peer{id: id, wait: againMin, credit: burst}
		s.peers[id] = p
	}
	return p
}

// Send sends a datagram directly, and reports whether it could. If not, it is to go by the gateway.
func (s *Switch) Send(m mechanism.Message) bool {
	if m.To == s.config.Self || !s.config.Peer(m.To) {
		return false
	}
	now := s.config.Now()
	s.sweep(now)
	p := s.peer(m.To)
	if p != nil && p.state == open && len(m.Payload) < messageMax {
		s.buf = append(append(s.buf[:0], byte(m.Class)), m.Payload...)
		if p.conn.Send(s.buf) {
			p.used = now
			s.counts.Direct++
			return true
		}
	}
	s.counts.Relayed++
	if p != nil && p.state == apart {
		s.want(now, p)
	}
	return false
}

// want opens a connection to somebody who is sent much.
func (s *Switch) want(now time.Duration, p *peer) {
	if now-p.since > window {
		p.since, p.wanted = now, 0
	}
	if p.wanted++; p.wanted < worth || now < p.after || s.live >= s.config.Most {
		return
	}
	s.live++
	p.began = now
	if s.config.Self > p.id {
		p.state = inviting
		s.say(p.id, signal{kind: invite})
		return
	}
	s.offer(p)
}

// offer makes somebody an offer.
func (s *Switch) offer(p *peer) {
	s.number++
	p.state, p.number = offering, s.number
	s.begin(p, "")
}

// begin opens a connection, or has the attempt fail.
func (s *Switch) begin(p *peer, text string) {
	number, what := p.number, offer
	if text != "" {
		what = answer
	}
	current := func(do func()) func() { // the attempt that this is about may be over
		return func() {
			if p.number == number && p.conn != nil {
				do()
			}
		}
	}
	c, err := s.config.Way.Open(text, Handler{
		Described: func(text string) {
			s.config.Post(current(func() { s.say(p.id, signal{what, number, text}) }))
		},
		Opened: func() { s.config.Post(current(func() { s.opened(p) })) },
		Message: func(b []byte) {
			s.config.Post(current(func() { s.message(p, b) }))
		},
		Closed: func() { s.config.Post(current(func() { s.fail(p) })) },
	})
	if err != nil {
		s.fail(p)
		return
	}
	p.conn = c
}

func (s *Switch) opened(p *peer) {
	if p.state != open {
		p.state, p.used, p.wait = open, s.config.Now(), againMin
		s.counts.Open++
		s.counts.Opened++
	}
}

// fail gives a connection or an attempt up. What is sent goes by the gateway again.
func (s *Switch) fail(p *peer) {
	if p.state == apart {
		return
	}
	if p.state == open {
		s.counts.Open--
	} else {
		s.counts.Failed++
	}
	s.close(p)
	p.after = s.config.Now() + p.wait
	p.wait = min(2*p.wait, againMax)
}

func (s *Switch) close(p *peer) {
	if p.conn != nil {
		p.conn.Close()
	}
	p.state, p.conn, p.wanted = apart, nil, 0
	s.live--
}

func (s *Switch) say(to mechanism.NodeID, x signal) { s.config.Signal(to, x.append(nil)) }

// Signal takes a signal that came by the gateway.
func (s *Switch) Signal(from mechanism.NodeID, payload []byte) {
	x, ok := readSignal(payload)
	if !ok || from == s.config.Self || !s.config.Peer(from) {
		s.counts.Dropped++
		return
	}
	now := s.config.Now()
	s.sweep(now)
	p := s.peer(from)
	if p == nil {
		return
	}
	switch x.kind {
	case invite:
		if p.state == apart && s.config.Self < from {
			if !s.admit(now, p, signal{kind: refuse}) {
				return
			}
			s.offer(p)
		}
	case offer:
		if p.state == inviting || p.state == apart && s.config.Self > from && s.admit(now, p, signal{refuse, x.number, ""}) {
			p.state, p.number = answering, x.number
			s.begin(p, x.text)
		}
	case answer:
		if p.state == offering && p.number == x.number && p.conn != nil && p.conn.Answered(x.text) != nil {
			s.fail(p)
		}
	case refuse:
		if p.state == inviting || p.state == offering && p.number == x.number {
			s.fail(p)
		}
	}
}

// admit makes room for a connection that somebody else wants, or refuses it.
func (s *Switch) admit(now time.Duration, p *peer, no signal) bool {
	if s.live >= s.config.Most || now < p.after {
		s.say(p.id, no)
		return false
	}
	s.live++
	p.began = now
	return true
}

// message takes a datagram that came directly.
func (s *Switch) message(p *peer, b []byte) {
	now := s.config.Now()
	p.credit = min(burst, p.credit+rate*(now-p.counted).Seconds())
	p.counted = now
	if p.credit < 1 || len(b) < 1 || len(b) > messageMax || mechanism.Class(b[0]) >= mechanism.Classes {
		s.counts.Dropped++
		return
	}
	p.credit--
	p.used = now
	s.config.Take(mechanism.Message{From: p.id, To: s.config.Self, Class: mechanism.Class(b[0]), Payload: b[1:]})
}

// sweep gives up attempts that take too long, and closes and forgets what is of no use any more.
func (s *Switch) sweep(now time.Duration) {
	if now-s.swept < tickEvery {
		return
	}
	s.swept = now
	for id, p := range s.peers {
		switch {
		case p.state == open && now-p.used > idle:
			s.counts.Open--
			s.close(p)
		case p.state != open && p.state != apart && now-p.began > patience:
			s.fail(p)
		case p.state == apart && now-p.since > idle && now > p.after:
			delete(s.peers, id)
		}
	}
}

// Close closes all connections.
func (s *Switch) Close() {
	for _, p := range s.peers {
		if p.state != apart {
			s.close(p)
		}
	}
	s.counts.Open = 0
}
