package mechanismtest

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Hostile attacks a mechanism: it hands its nodes messages that somebody may have made up, in histories of any kind.
//
// A history is a sequence of steps, read from the fuzzer's bytes: datagrams of any content and class, made up, or overheard and
// then changed or passed on under another name; from nodes that take part, that might, and that cannot exist; and between them
// play, silence, nodes that vanish and nodes that join. The last place is the attacker's own: nobody else ever holds it.
type Hostile struct {
	Mechanism mechanism.Mechanism
	Worlds    []world.World // a history takes place in one of them

	// Forger knows the datagrams that messages travel in. The zero Forger is for mechanisms whose messages are datagrams.
	Forger Forger

	// AllocMax is how many bytes a node may allocate for one message, and SendMax how many it may send. Where they are zero,
	// half a megabyte and 128 kilobytes: either is more than any state of the worlds above.
	AllocMax, SendMax int

	// Recovers says that histories in which nobody speaks in the name of others end well: everybody but the attacker is still
	// there and can act.
	Recovers bool
}

// Forger makes and opens a mechanism's datagrams.
type Forger struct {
	// Begin returns, for one history, what makes a datagram of a message. The way is the history's to choose, such as how
	// reliably the message is said to be sent.
	Begin func() func(m mechanism.Message, way byte) []byte
	// Open returns the messages in a datagram.
	Open func(datagram []byte) [][]byte
	// Known are datagrams that have done harm before.
	Known [][]byte
}

// The defaults of Hostile.
const (
	allocMax = 1 << 19
	sendMax  = 1 << 17
)

// Fuzz runs the histories that the fuzzer finds.
func (h Hostile) Fuzz(f *testing.F) {
	if h.AllocMax == 0 {
		h.AllocMax = allocMax
	}
	if h.SendMax == 0 {
		h.SendMax = sendMax
	}
	if h.Forger.Begin == nil {
		h.Forger.Begin = func() func(mechanism.Message, byte) []byte {
			return func(m mechanism.Message, _ byte) []byte { return m.Payload }
		}
		h.Forger.Open = func(datagram []byte) [][]byte { return [][]byte{datagram} }
	}
	messages, err := h.overhear()
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range append(seeds(len(messages)), known(h.Forger.Known)...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) < 3 {
			return
		}
		x := &attack{Hostile: h, messages: messages, t: t, script: wire.NewReader(script[2:]), wrap: h.Forger.Begin()}
		x.outside = script[0]&1 != 0
		x.begin(h.Worlds[int(script[1])%len(h.Worlds)], script[0]&2 != 0)
		for steps := 0; x.script.Len() > 0 && steps < stepsMax; steps++ {
			x.step()
		}
		x.end()
	})
}

// stepsMax is how many steps a history has at most: longer ones find nothing new, but take their time.
const stepsMax = 200

// The steps of a history.
const (
	stepRaw     byte = iota // a datagram of any bytes
	stepWrapped             // a message of any bytes
	stepMessage             // one of the mechanism's messages, changed
	stepReplay              // an overheard datagram, changed
	stepPlay                // users play for some ticks
	stepSilence             // time passes
	stepLeave               // a node vanishes
	stepJoin                // a node joins
	steps
)

// seeds are histories to begin with: every message, from all kinds of senders, to all kinds of nodes.
func seeds(messages int) (all [][]byte) {
	for way := range byte(4) {
		for i := range messages {
			for to := range byte(2) {
				one := []byte{way & 1, byte(i)}
				for sender := range byte(4) { // see attack.sender
					one = append(one, stepMessage, sender+byte(i), to, 0, way, byte(i), 0, stepPlay, 2)
				}
				all = append(all, one)
			}
		}
	}
	for i := range byte(32) {
		all = append(all, []byte{i & 3, i, stepPlay, 7, stepReplay, i, 0, i, i >> 1, 1, 2, i, stepSilence, i, stepReplay, i, 1, i, i >> 2, 0, stepJoin, i, stepPlay, 7})
	}
	return all
}

// known are histories of datagrams that have done harm before, from a node that takes part and from one that does not.
func known(datagrams [][]byte) (all [][]byte) {
	for i, d := range datagrams {
		for setting := range byte(4) { // see Fuzz
			one := []byte{setting, byte(i)}
			for sender := range byte(4) {
				one = wire.AppendBytes(append(one, stepRaw, sender, sender, byte(i)), d)
			}
			all = append(all, append(one, stepPlay, 7))
		}
	}
	return all
}

// overhear lists messages that nodes of all worlds send, some of every kind, to make others of.
func (h *Hostile) overhear() (messages [][]byte, err error) {
	kinds := map[[2]byte]int{}
	for _, w := range h.Worlds {
		r, err := NewRig(h.Mechanism, w, 1)
		if err != nil {
			return nil, err
		}
		r.Network = Constant(20 * world.Millisecond)
		r.Observe = func(c *Call) {
			for _, p := range h.Forger.Open(c.Message.Payload) {
				if kind := [2]byte{byte(c.Message.Class)}; len(p) > 0 {
					if kind[1] = p[0]; kinds[kind] < kindMax && len(messages) < messagesMax {
						kinds[kind]++
						messages = append(messages, bytes.Clone(p))
					}
				}
			}
		}
		r.Start()
		r.Play(20)
		if err := r.Join(mechanism.NodeID(len(r.members))); err != nil {
			return nil, err
		}
		r.Play(60)
		r.Bid(mechanism.NodeID(len(r.members)))
		r.Play(5)
	}
	return messages, nil
}

// Of how many messages of a kind, and in all, others are made.
const (
	kindMax     = 2
	messagesMax = 40
)

// attack is one history.
type attack struct {
	Hostile
	messages [][]byte
	t        *testing.T
	rig      *Rig
	script   wire.Reader
	wrap     func(m mechanism.Message, way byte) []byte
	outside  bool // nobody speaks in the name of others

	attacker mechanism.NodeID
	heard    []mechanism.Message
	sent     int // bytes, in the call under way
}

// heardMax is how many overheard datagrams are kept.
const heardMax = 256

// begin starts the run. Where the attacker is expected, its place is one of those that the run begins with, and somebody has
// held it for a moment. Else nothing was ever heard of it.
func (x *attack) begin(w world.World, expected bool) {
	m := x.Mechanism
	if !expected {
		m = withoutLast{m}
	}
	r, err := NewRig(m, w, 1)
	if err != nil {
		x.t.Fatal(err)
	}
	x.attacker = mechanism.NodeID(len(x.Mechanism.Places(w)))
	x.rig, r.Network = r, Constant(20*world.Millisecond)
	r.Observe = x.observe
	r.Start()
	if expected {
		r.Play(2)
		r.Leave(x.attacker)
	}
}

// withoutLast is a mechanism whose runs begin without the last node.
type withoutLast struct{ mechanism.Mechanism }

func (m withoutLast) Places(w world.World) []mechanism.Place {
	all := m.Mechanism.Places(w)
	return all[:len(all)-1]
}

// observe listens in, and counts.
func (x *attack) observe(c *Call) {
	for i := range c.Out.Sends() {
		x.sent += len(c.Out.Message(i, c.Node).Payload)
	}
	if c.Kind == Receive && len(x.heard) < heardMax {
		m := c.Message
		m.Payload = bytes.Clone(m.Payload)
		x.heard = append(x.heard, m)
	}
}

// step does what the script says next.
func (x *attack) step() {
	r := &x.script
	switch r.Byte() % steps {
	case stepRaw:
		m := x.envelope()
		m.Payload = r.Bytes()
		x.give(m)
	case stepWrapped:
		m := x.envelope()
		way := r.Byte()
		m.Payload = r.Bytes()
		m.Payload = x.wrap(m, way)
		x.give(m)
	case stepMessage:
		m := x.envelope()
		way := r.Byte()
		if n := len(x.messages); n > 0 {
			m.Payload = x.change(x.messages[int(r.Byte())%n])
			m.Payload = x.wrap(m, way)
			x.give(m)
		}
	case stepReplay:
		if at := int(r.Byte()) | int(r.Byte())<<8; len(x.heard) > 0 {
			m := x.heard[at%len(x.heard)]
			m.From, m.To = x.sender(), x.receiver()
			m.Payload = x.change(m.Payload)
			x.give(m)
		}
	case stepPlay:
		x.rig.Play(int(r.Byte() % 8))
	case stepSilence:
		x.rig.Advance(world.Time(r.Byte()) * 50 * world.Millisecond)
	case stepLeave:
		if id := x.receiver(); !x.outside && x.users(id) {
			x.rig.Leave(id)
		}
	case stepJoin:
		if id := x.receiver(); !x.outside && x.users(id) {
			if err := x.rig.Join(id); err != nil {
				x.t.Fatal(err)
			}
		}
	}
}

// users reports whether a place is a user's.
func (x *attack) users(id mechanism.NodeID) bool { return x.rig.members[id-1].place.User != 0 }

// envelope reads everything of a message but what it says.
func (x *attack) envelope() mechanism.Message {
	m := mechanism.Message{From: x.sender(), To: x.receiver()}
	m.Class = mechanism.Class(x.script.Byte() % 9) // some that there are not
	return m
}

// sender reads who a message is from: the attacker more often than not.
func (x *attack) sender() mechanism.NodeID {
	places := x.attacker
	b := mechanism.NodeID(x.script.Byte())
	switch {
	case b%4 < 2:
		return places
	case b%4 == 2 && !x.outside:
		return 1 + b/4%places
	}
	return [...]mechanism.NodeID{0, places + 1, places + 2, 1000, 1 << 16, 1<<16 + 1, 1 << 31, 1<<32 - 1}[b/4%8]
}

// receiver reads whom a message is to: anybody but the attacker.
func (x *attack) receiver() mechanism.NodeID {
	return 1 + mechanism.NodeID(x.script.Byte())%(x.attacker-1)
}

// change reads what is changed of some bytes: some of them, and their number.
func (x *attack) change(payload []byte) []byte {
	r := &x.script
	payload = bytes.Clone(payload)
	for n := r.Byte() % 8; n > 0 && len(payload) > 0; n-- {
		at := int(r.Byte())
		switch value := r.Byte(); {
		case at < 224:
			payload[at%len(payload)] = value
		case at < 240:
			payload = payload[:int(value)%(len(payload)+1)]
		default:
			payload = append(payload, value)
		}
	}
	return payload
}

// give hands over a datagram, and sees to it that it costs no more than it may.
func (x *attack) give(m mechanism.Message) {
	x.sent = 0
	if got := Allocated(func() { x.rig.Give(m) }); got > x.AllocMax {
		x.t.Fatalf("%d bytes allocated for a %v of %d from %d to %d: %x", got, m.Class, len(m.Payload), m.From, m.To, start(m.Payload))
	}
	if x.sent > x.SendMax {
		x.t.Fatalf("%d bytes sent for a %v of %d from %d to %d: %x", x.sent, m.Class, len(m.Payload), m.From, m.To, start(m.Payload))
	}
}

func start(payload []byte) []byte { return payload[:min(len(payload), 64)] }

// Allocated is how many bytes a call allocates.
func Allocated(call func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// end lets the run come to rest. Where the attacker has spoken for itself only, everybody else must be able to go on.
func (x *attack) end() {
	r := x.rig
	if !x.outside || !x.Recovers {
		r.Play(5)
		return
	}
	r.Advance(15 * world.Second) // whoever was waited for has been given up
	for u := world.User(1); u < r.World.Users(); u++ {
		if err := x.lives(u); err != nil {
			x.t.Fatal(err)
		}
	}
}

// lives says what is wrong with a user's node: it must be there and its user be able to act.
func (x *attack) lives(u world.User) error {
	r := x.rig
	id := mechanism.NodeID(0)
	for i := range r.members {
		if r.members[i].place.User == u {
			id = r.members[i].place.ID
		}
	}
	if !r.Ready(id) {
		return fmt.Errorf("user %d is out of the world at %v", u, r.Now())
	}
	done := false
	r.Observe = func(c *Call) {
		for _, e := range c.Out.Events() {
			done = done || c.Node == id && e.User == u && (e.Name == mechanism.Applied || e.Name == mechanism.Confirmed)
		}
	}
	for tries := 0; tries < 20 && !done; tries++ { // an action may be in the way of others
		r.Play(20)
	}
	if !done {
		return fmt.Errorf("nothing that user %d does takes effect any more, at %v", u, r.Now())
	}
	return nil
}
