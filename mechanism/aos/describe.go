package aos

import (
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world/wire"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string { return describe(c.Link, s, m) }
}

// describe says what is in a datagram.
func describe(cfg link.Config, s *mechanism.Session, m mechanism.Message) string {
	var text []string
	for p := range link.Parts(cfg, m.Payload) {
		if len(p.Payload) == 0 {
			text = append(text, p.String())
			continue
		}
		text = append(text, describeMessage(s, p.Payload))
	}
	return strings.Join(text, " + ")
}

var kindNames = map[byte]string{
	kindAsk: "who serves what?", kindAreas: "areas", kindServes: "I serve", kindJoin: "join", kindWelcome: "welcome", kindLeave: "leave", kindHere: "here", kindGone: "gone", kindParted: "parted", kindMeeting: "let us talk",
	kindForward: "forward", kindUpdate: "update", kindReceipt: "receipt", kindServe: "tell", kindPaused: "do not wait for me",
	kindAlso: "also", kindStay: "stay",
}

func describeMessage(s *mechanism.Session, msg []byte) string {
	r := wire.NewReader(msg)
	switch kind := r.Byte(); kind {
	case kindBoth:
		news := describeMessage(s, append([]byte{kindNews}, r.Bytes()...))
		return news + ", " + describeMessage(s, append([]byte{kindOrders}, r.Rest()...))
	case kindOrders:
		n := readTurn(&r)
		held := readHeld(&r, nil)
		var batch turn.Reader
		batch.Open(r.Rest())
		count := 0
		for batch.Next() != nil {
			count++
		}
		return fmt.Sprintf("orders of turn %d: %d actions, %d held", n, count, len(held))
	case kindNews:
		var n news
		n.read(s.World.Schema(), r.Rest(), nil)
		return fmt.Sprintf("news of %d objects", len(n.items))
	case kindAdvance:
		return fmt.Sprintf("done with turn %d", readAdvance(&r).turn)
	case kindZone:
		return fmt.Sprintf("zone at the end of turn %d", readZone(&r).turn)
	case kindCommand:
		c := readCommand(&r)
		return fmt.Sprintf("%s of turn %d", s.World.Schema().DescribeAction(&c.action), c.turn)
	case kindDone:
		return fmt.Sprintf("action %d done: %v", readUint32(&r), readFlag(&r))
	case kindSource:
		return fmt.Sprintf("told by node %d", readTelling(&r).node)
	case kindWish:
		return oneOf(r.Byte(), "wants to cease", "wants to begin", "has to cease")
	case kindAnswer:
		return oneOf(r.Byte(), "granted", "later", "does not keep up", "has it wrong")
	case kindChunk:
		c := readChunk(&r)
		return fmt.Sprintf("round %d chunk %d of %d bytes, final: %v", c.round, c.index, c.size, c.final)
	case kindProgress:
		p := readProgress(&r)
		return fmt.Sprintf("has %d chunks of round %d", p.chunks, p.round)
	case kindPrepare:
		return fmt.Sprintf("deal %d: hold %v", r.Uint(), readHeld(&r, nil))
	case kindVote:
		return fmt.Sprintf("deal %d: promised: %v", r.Uint(), readFlag(&r))
	case kindDecide:
		return fmt.Sprintf("deal %d: go through with it: %v", r.Uint(), readFlag(&r))
	case kindSettled:
		return fmt.Sprintf("deal %d: settled", r.Uint())
	default:
		return kindNames[kind]
	}
}

func oneOf(i byte, texts ...string) string {
	if int(i) < len(texts) {
		return texts[i]
	}
	return "?"
}
