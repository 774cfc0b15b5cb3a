package loose

import (
	"bytes"
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string { return describe(s, m) }
}

// describe says what is in a datagram.
func describe(s *mechanism.Session, m mechanism.Message) string {
	if message, ok := bytes.CutPrefix(m.Payload, joinMark); ok {
		if message[0] == joinAsk {
			return latejoin.DescribeAsk(message[1:])
		}
		return latejoin.DescribeChunk(message[1:])
	}
	var u update
	if err := u.read(s.World.Schema(), s.World.Users(), m.Payload); err != nil {
		return err.Error()
	}
	parts := []string{fmt.Sprintf("at tick %d", u.stamp)}
	for i := range u.objects {
		parts = append(parts, s.World.Schema().Describe(&u.objects[i]))
	}
	for _, id := range u.removed {
		parts = append(parts, fmt.Sprintf("%d removed", id))
	}
	return strings.Join(parts, "; ")
}
