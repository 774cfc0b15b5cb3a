package lockstep

import (
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world/wire"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string { return describe(c, m.Payload) }
}

// describe lists the parts of a datagram.
func describe(cfg *Config, datagram []byte) string {
	var parts []string
	for p := range link.Parts(cfg.Link, datagram) {
		text := p.String()
		if p.Class != mechanism.Receipt {
			text += ": " + describeMessage(cfg, p.Payload)
		}
		parts = append(parts, text)
	}
	return "{" + strings.Join(parts, "; ") + "}"
}

func describeMessage(cfg *Config, payload []byte) string {
	r := wire.NewReader(payload)
	switch r.Byte() {
	case kindAdvance:
		a := cfg.readAdvance(&r)
		text := fmt.Sprintf("done with turn %d", a.turn)
		if cfg.due(a.turn + 1) {
			text += fmt.Sprintf(" at %04x", uint16(a.hash))
		}
		return text + describeActions(a.actions)
	case kindAsk:
		if tick := r.Uint(); tick > 0 {
			return fmt.Sprintf("tick %d, ", tick) + latejoin.DescribeAsk(r.Rest())
		}
		return latejoin.DescribeAsk(r.Rest())
	case kindJoin:
		j := readJoin(&r)
		return fmt.Sprintf("life %d:%d joins, needs turns from %d on", j.Epoch, j.Life, j.first)
	case kindPing:
		p := readPing(&r)
		return fmt.Sprintf("ping at %v, %v away", p.stamp, p.oneWay)
	case kindLeave:
		return "farewell"
	case kindTurns:
		return describeTurns(&r)
	}
	return describeAnswer(payload)
}

func describeAnswer(payload []byte) string {
	r := wire.NewReader(payload)
	switch r.Byte() {
	case kindWelcome:
		w := readWelcome(&r)
		return fmt.Sprintf("welcome to life %d, up to action %d; turns before %d follow; delay %d", w.life, w.accepted, w.until, w.delay)
	case kindAgain:
		return fmt.Sprintf("life %d is too old", r.Uint())
	case kindDelay:
		return fmt.Sprintf("delay %d", readDelay(&r))
	case kindDiffers:
		d := readDiffers(&r)
		text := fmt.Sprintf("differs at tick %d:", d.tick)
		for _, h := range d.hashes {
			text += fmt.Sprintf(" %04x", uint16(h))
		}
		return text
	case kindPong:
		p := readPong(&r)
		return fmt.Sprintf("pong to %v at %v, member: %t", p.stamp, p.now, p.member)
	case kindGone:
		return "you have left"
	case kindBereft:
		return "I know no world"
	case kindClaim:
		c := readClaim(&r)
		return fmt.Sprintf("mine is at tick %d, %04x", c.At, uint16(c.Hash))
	case kindChunk:
		return latejoin.DescribeChunk(r.Rest())
	}
	return "?"
}

func describeTurns(r *wire.Reader) string {
	h := readTurns(r)
	var turns []string
	for t := h.first; r.Len() > 0; t++ {
		turns = append(turns, fmt.Sprintf("turn %d", t)+describeActions(r.Bytes()))
	}
	return fmt.Sprintf("%s (agreed at %d)", strings.Join(turns, ", "), h.agreed)
}

func describeActions(batch []byte) (text string) {
	var r turn.Reader
	r.Open(batch)
	for a := r.Next(); a != nil; a = r.Next() {
		text += fmt.Sprintf(" %d:%d", a.User, a.Seq)
	}
	return text
}
