package direct

import (
	"strings"

	"throng/world/wire"
)

// kind is what a signal says.
type kind byte

const (
	invite kind = 1 + iota // make me an offer
	offer
	answer
	refuse // I have no room
)

// signal is what two ends say to each other by the gateway.
type signal struct {
	kind   kind
	number uint64 // of the attempt, by who offers
	text   string // the description
}

const (
	textMax      = 6000 // bytes of a description
	candidateMax = 12   // addresses in it
)

func (s *signal) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, byte(s.kind)), s.number)
	return wire.AppendBytes(dst, []byte(s.text))
}

func readSignal(payload []byte) (s signal, ok bool) {
	r := wire.NewReader(payload)
	s.kind, s.number = kind(r.Byte()), r.Uint()
	text := r.Bytes()
	if r.Done() != nil || s.kind < invite || s.kind > refuse || len(text) > textMax {
		return s, false
	}
	s.text = string(text)
	if described := s.kind == offer || s.kind == answer; described != (s.text != "") {
		return s, false
	}
	return s, strings.Count(s.text, "a=candidate:") <= candidateMax
}
