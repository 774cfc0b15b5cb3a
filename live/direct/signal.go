package direct

import "throng/world/wire"

// kind is what a signal says.
type kind byte

const (
	invite kind = 1 + iota // make me an offer
	offer
	answer
	refuse // I have no room
	vouch  // the connection is still mine
	tally  // to the gateway: what went which way
)

// signal is what two ends say to each other by the gateway.
type signal struct {
	kind   kind
	number uint64      // of the attempt, by who offers
	about  description // of who says it, in an offer or an answer
}

// SignalMax is how many bytes a signal may have.
const SignalMax = 2048

func (s *signal) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, byte(s.kind)), s.number)
	if s.described() {
		dst = s.about.append(dst)
	}
	return dst
}

func (s *signal) described() bool { return s.kind == offer || s.kind == answer }

func readSignal(payload []byte) (s signal, ok bool) {
	if len(payload) > SignalMax {
		return s, false
	}
	r := wire.NewReader(payload)
	s.kind, s.number = kind(r.Byte()), r.Uint()
	ok = s.kind >= invite && s.kind <= vouch
	if ok && s.described() {
		s.about, ok = readDescription(&r)
	}
	return s, ok && r.Done() == nil
}

// Refusal is what somebody says who never connects, such as a player whose node the server runs, in answer to a signal that wants a
// connection.
func Refusal(payload []byte) (reply []byte, wanted bool) {
	s, ok := readSignal(payload)
	if !ok || s.kind != invite && s.kind != offer {
		return nil, false
	}
	return (&signal{kind: refuse, number: s.number}).append(nil), true
}

// Tally is what a client tells its gateway, in a signal to itself: what it has sent since it last did, and how it stands.
type Tally struct {
	Direct, Relayed uint64 // datagrams to peers
	Open            uint64 // connections
}

func (t Tally) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, byte(tally)), t.Direct)
	return wire.AppendUint(wire.AppendUint(dst, t.Relayed), t.Open)
}

// ReadTally reads one. Who says more than one can have done says nothing.
func ReadTally(payload []byte) (t Tally, ok bool) {
	r := wire.NewReader(payload)
	what := kind(r.Byte())
	t = Tally{r.Uint(), r.Uint(), r.Uint()}
	const most = 1 << 20
	return t, r.Done() == nil && what == tally && t.Direct < most && t.Relayed < most && t.Open < most
}
