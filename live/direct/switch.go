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

// Handler is told what becomes of a connection. Messages come one at a time, and are good for as long as the call.
type Handler struct {
	Described func(text string) // the own description is complete
	Opened    func()
	Message   func(message []byte)
	Closed    func()
}

// Server is a STUN or TURN server, as browsers take it.
type Server struct {
	URLs       []string `json:"urls"`
	Username   string   `json:"username,omitempty"`
	Credential string   `json:"credential,omitempty"`
}

// Config is what a switch is made of.
type Config struct {
	Self   mechanism.NodeID
	Way    Way
	Most   int                                       // connections at once
	Local  bool                                      // others may be on this machine, where they are found at its loopback address
	Peer   func(id mechanism.NodeID) bool            // whether a node is a client's, to whom one may connect
	Signal func(to mechanism.NodeID, payload []byte) // sends a signal by the gateway
	Take   func(m mechanism.Message)                 // hands over a datagram that came directly
	Post   func(func())                              // calls a function as soon as the switch may be called, and returns when it has
	Now    func() time.Duration                      // since any moment
}

// Usual is how many connections a client has at most if there is no reason for another number.
const Usual = 12

const (
	worth     = 4                      // datagrams within a window that make a connection worth while
	window    = 4 * time.Second        // over which they are counted
	patience  = 8 * time.Second        // after which an attempt has failed
	idle      = 20 * time.Second       // after which a connection is of no use
	againMin  = 5 * time.Second        // after which a failed attempt is repeated, at first
	againMax  = 5 * time.Minute        //
	tickEvery = 500 * time.Millisecond // how often old things are looked for
	vouchTime = 5 * time.Second        // how often one end says by the gateway that it is still there
	vouchMax  = 3 * vouchTime          // after which who does not is taken for somebody else
	beatTime  = time.Second            // after which an end that has nothing to send lets itself be heard all the same
	silence   = 4 * beatTime           // after which a connection is broken, whatever the system below says
	settled   = 2 * time.Second        // after which signals that were sent before a connection opened have come
	tallyTime = 5 * time.Second        // how often the gateway is told what went which way
	peersMax  = 4096                   // that are remembered

	beat       = 0xff     // stands in the place of a class
	messageMax = 16 << 10 // bytes of a datagram
	rate       = 1000     // datagrams a second that are taken of one peer
	burst      = 2000
)

// Switch sends datagrams directly where it can. It is called by one at a time.
type Switch struct {
	config  Config
	peers   map[mechanism.NodeID]*peer
	number  uint64 // of the last attempt
	live    int    // connections and attempts
	swept   time.Duration
	told    time.Duration // when the gateway was last told
	tallied Counts        // what it was told by then
	buf     []byte
	counts  Counts
}

// peer is somebody to whom there is a connection, or might be.
type peer struct {
	id      mechanism.NodeID
	state   state
	number  uint64 // of the attempt, as who offers has it
	attempt uint64 // of this end's own counting
	conn    Conn
	began   time.Duration // the attempt
	used    time.Duration // when a datagram last went either way
	sent    time.Duration // when anything last went to it
	heard   time.Duration // when anything last came of it
	said    time.Duration // when it was last told that the connection is still ours
	vouched time.Duration // when it last said that the connection is still its own
	wanted  int           // datagrams within the present window
	since   time.Duration // when it began
	after   time.Duration // not before this is it tried again
	wait    time.Duration
	admits  time.Duration // not before this may it try again
	refuses time.Duration // not before this is it told so again
	credit  float64       // datagrams that are taken of it at once
	counted time.Duration
	excess  int // datagrams of it that were dropped, on this connection
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

// Connected reports whether there is a connection to a node.
func (s *Switch) Connected(id mechanism.NodeID) bool {
	p := s.peers[id]
	return p != nil && p.state == open
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
			p.used, p.sent = now, now
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
	what := offer
	if text != "" {
		what = answer
	}
	p.attempt++
	attempt := p.attempt // not the number, which the other end may give twice
	current := func() bool { return p.attempt == attempt && p.conn != nil }
	post := func(do func()) {
		s.config.Post(func() {
			if current() {
				do()
			}
		})
	}
	var message []byte
	take := func() { // made once: there are many messages
		if current() {
			s.message(p, message)
		}
	}
	c, err := s.config.Way.Open(text, Handler{
		Described: func(text string) { post(func() { s.describe(p, what, text) }) },
		Opened:    func() { post(func() { s.opened(p) }) },
		Message: func(b []byte) {
			message = b
			s.config.Post(take)
		},
		Closed: func() { post(func() { s.fail(p) }) },
	})
	if err != nil {
		s.fail(p)
		return
	}
	p.conn = c
}

// describe tells the other end where this one is.
func (s *Switch) describe(p *peer, what kind, text string) {
	about, ok := readText(text)
	if !ok {
		s.fail(p)
		return
	}
	s.say(p.id, signal{what, p.number, about})
}

func (s *Switch) opened(p *peer) {
	if p.state != open {
		now := s.config.Now()
		p.state, p.wait, p.excess = open, againMin, 0
		p.used, p.sent, p.heard, p.said, p.vouched, p.began = now, now, now, now, now, now
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
	if (x.kind == invite || x.kind == offer) && p.state == open && now-p.began > settled {
		s.fail(p) // whoever has the place now knows nothing of the connection
		p.after = 0
	}
	switch x.kind {
	case invite:
		if p.state == apart && s.config.Self < from && s.admit(now, p, signal{kind: refuse}) {
			s.offer(p)
		}
	case offer:
		if p.state == inviting || p.state == apart && s.config.Self > from && s.admit(now, p, signal{kind: refuse, number: x.number}) {
			p.state, p.number = answering, x.number
			s.begin(p, x.about.text(offer, s.config.Local))
		}
	case answer:
		if p.state == offering && p.number == x.number && p.conn != nil && p.conn.Answered(x.about.text(answer, s.config.Local)) != nil {
			s.fail(p)
		}
	case refuse:
		if p.state == inviting || p.state == offering && p.number == x.number {
			s.fail(p)
		}
	case vouch:
		if p.state == open && p.number == x.number {
			p.vouched = now
		}
	}
}

// admit makes room for a connection that somebody else wants, or refuses it. How long this end would wait before it tries again does not
// matter: if it did, two that have refused each other once would go on doing so.
func (s *Switch) admit(now time.Duration, p *peer, no signal) bool {
	if s.live >= s.config.Most || now < p.admits {
		if now >= p.refuses { // what the gateway lets this end say is needed for vouching
			p.refuses = now + againMin
			s.say(p.id, no)
		}
		return false
	}
	s.live++
	p.began, p.admits = now, now+againMin
	return true
}

// message takes a datagram that came directly.
func (s *Switch) message(p *peer, b []byte) {
	now := s.config.Now()
	if s.sweep(now); p.state != open {
		return
	}
	p.credit = min(burst, p.credit+rate*(now-p.counted).Seconds())
	p.counted, p.heard = now, now
	beaten := len(b) == 1 && b[0] == beat
	if p.credit < 1 || len(b) < 1 || len(b) > messageMax || mechanism.Class(b[0]) >= mechanism.Classes && !beaten {
		s.counts.Dropped++
		if p.excess++; p.excess > burst {
			s.fail(p)
			p.after, p.admits = now+againMax, now+againMax // it costs more to drop than to be without
		}
		return
	}
	if p.credit--; beaten {
		return
	}
	p.used = now
	s.config.Take(mechanism.Message{From: p.id, To: s.config.Self, Class: mechanism.Class(b[0]), Payload: b[1:]})
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
