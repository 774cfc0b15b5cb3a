package relay

import (
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string { return c.Describe(s, m) }
}

// Describe says what is in a datagram, for transcripts.
func (c *Config) Describe(s *mechanism.Session, m mechanism.Message) string {
	var parts []string
	for p := range link.Parts(c.Link, m.Payload) {
		text := p.String()
		switch {
		case p.Class == mechanism.Snapshot && m.From == star.Server:
			text = latejoin.DescribeChunk(p.Payload)
		case p.Class == mechanism.Snapshot:
			r := wire.NewReader(p.Payload)
			r.Byte()
			text = fmt.Sprintf("for %d: %s", r.Uint(), latejoin.DescribeChunk(r.Rest()))
		case p.Class != mechanism.Receipt:
			text += ": " + describe(s.World.Schema(), p.Payload)
		}
		parts = append(parts, text)
	}
	return "{" + strings.Join(parts, "; ") + "}"
}

func describe(s *world.Schema, payload []byte) string {
	r := wire.NewReader(payload)
	switch kind := r.Byte(); kind {
	case kindJoin:
		epoch, u := readJoin(&r)
		return fmt.Sprintf("user %d has come, in epoch %d", u, epoch)
	case kindWelcome:
		return fmt.Sprintf("welcome, in epoch %d", readEpoch(&r))
	case kindHere:
		return "I am here"
	case kindLeave:
		return fmt.Sprintf("goodbye, from epoch %d", readEpoch(&r))
	case kindGone:
		return "I do not know you"
	case kindGuide:
		return fmt.Sprintf("%d asks: %s", r.Uint(), latejoin.DescribeAsk(r.Rest()))
	case kindKnows:
		return "I know the world"
	case kindBegin:
		return fmt.Sprintf("begin the world again, in epoch %d", readEpoch(&r))
	case kindAct:
		text := describeAction(s, &r)
		if r.Len() > 0 {
			text += "; I have" + describeNews(s, &r)
		}
		return text
	case kindTell:
		return "I have" + describeNews(s, &r)
	case kindAsk:
		return latejoin.DescribeAsk(r.Rest())
	case kindDo, kindTick, kindShow:
		at := readMoment(&r)
		text := fmt.Sprintf("position %d in tick %d", at.position, at.tick)
		switch kind {
		case kindDo:
			return text + ": " + describeAction(s, &r)
		case kindShow:
			return "before " + text + " there is" + describeNews(s, &r)
		}
		return text
	}
	return "nonsense"
}

func describeAction(s *world.Schema, r *wire.Reader) string {
	a := world.ReadAction(r)
	return fmt.Sprintf("%s, action %d of user %d", s.DescribeAction(&a), a.Seq, a.User)
}

func describeNews(s *world.Schema, r *wire.Reader) string {
	var b strings.Builder
	for _, n := range readNews(r, s, nil) {
		if n.Gone {
			fmt.Fprintf(&b, " no object %d", n.Object.ID)
		} else {
			fmt.Fprintf(&b, " %s %d", s.Kinds[n.Object.Kind].Name, n.Object.ID)
		}
	}
	return b.String()
}
