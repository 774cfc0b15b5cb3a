package ideal

import (
	"fmt"

	"throng/mechanism"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string {
		tick, a, err := readCommand(m.Payload)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%s in tick %d: action %d of user %d", s.World.Schema().DescribeAction(&a), tick, a.Seq, a.User)
	}
}
