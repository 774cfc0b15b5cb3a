package interest

import (
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/wire"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string {
		if input.Is(m.Payload) {
			return input.Describe(s.World.Schema(), m.Payload)
		}
		var parts []string
		for p := range link.Parts(c.link(), m.Payload) {
			text := p.String()
			if len(p.Payload) > 0 {
				text += ": " + describeLinked(s.World.Schema(), p.Payload)
			}
			parts = append(parts, text)
		}
		return "{" + strings.Join(parts, "; ") + "}"
	}
}

// describeLinked says what is in a message over a link.
func describeLinked(s *world.Schema, msg []byte) string {
	r := wire.NewReader(msg)
	switch r.Byte() {
	case kindFrame:
		return fmt.Sprintf("%d bytes of what is near the border", r.Len())
	case kindForward:
		o := readForward(&r)
		return fmt.Sprintf("for you: %s, action %d of user %d", s.DescribeAction(&o.action), o.action.Seq, o.action.User)
	case kindDone:
		u, seq := readPair(&r)
		return fmt.Sprintf("action %d of user %d is done", seq, u)
	case kindStay:
		u, stay := readPair(&r)
		return fmt.Sprintf("user %d is at stay %d", u, stay)
	case kindStream:
		return fmt.Sprintf("%d bytes of objects", r.Len())
	}
	return "?"
}
