package optimistic

import (
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string { return describe(c.Link, s.World.Schema(), m.Payload) }
}

// describe lists the parts of a datagram.
func describe(cfg link.Config, s *world.Schema, datagram []byte) string {
	var parts []string
	for p := range link.Parts(cfg, datagram) {
		text := p.String()
		switch p.Class {
		case mechanism.Command:
			x, _ := readNews(p.Payload)
			text += fmt.Sprintf(": user %d: %s, at tick %d", x.action.User, s.DescribeAction(&x.action), x.tick)
			if x.old {
				text += fmt.Sprintf(" in epoch %d", x.epoch)
			}
		case mechanism.Control:
			text = describeControl(p.Payload)
		case mechanism.Snapshot:
			text = latejoin.DescribeChunk(p.Payload)
		}
		parts = append(parts, text)
	}
	return "{" + strings.Join(parts, "; ") + "}"
}

func describeControl(payload []byte) string {
	r := wire.NewReader(payload)
	kind := r.Byte()
	if kind == controlAsk {
		return latejoin.DescribeAsk(r.Rest())
	}
	c, err := readComparison(kind, &r)
	if err != nil {
		return err.Error()
	}
	verb := "asks"
	if c.answer {
		verb = "tells"
	}
	return fmt.Sprintf("epoch %d %s epoch %d: from tick %d on I have %v of mine, %v of yours", c.epoch, verb, c.yours, c.first, c.mine, c.theirs)
}

func (r run) String() string { return fmt.Sprintf("%d:%d-%d", r.epoch, r.from, r.to) }
