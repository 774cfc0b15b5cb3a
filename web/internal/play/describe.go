package play

import (
	"throng/internal/param"
	"throng/web/internal/display"
	"throng/world"
)

// Describe writes, as JSON, what a page must know about the world and the user's part in it. Numbers are as in records.
func (c *Client) Describe() []byte {
	if c.session == nil {
		return []byte("null")
	}
	j := display.NewText()
	j.Open("")
	j.String("mechanism", c.description.Mechanism.Name)
	j.Int("user", int64(c.welcome.User))
	j.Int("node", int64(c.welcome.Node))
	j.Int("epoch", int64(c.welcome.Epoch))
	j.Int("users", int64(c.session.World.Users()))
	j.Bool("ghosts", c.Haunted())
	if s, ok := c.session.World.(world.Spoken); ok {
		j.Int("speech", int64(s.Speech()))
	}
	j.Number("budget", c.budget())
	if l, ok := c.session.World.(world.Limited); ok {
		limits := l.Limits()
		j.Number("sight", display.Float(limits.Sight))
		j.Number("speed", display.Float(limits.Speed))
	}
	_, scenic := c.session.World.(world.Scenic)
	j.Bool("scenic", scenic)
	if s, ok := c.session.World.(world.Scored); ok {
		j.String("score", s.ScoreName())
	}
	j.World("world", c.session.World.Schema(), c.session.World)
	j.Close()
	return j.Bytes()
}

// budgetParam is what mechanisms that keep to one call the bytes per second that each client may be sent.
const budgetParam = "budget"

func (c *Client) budget() float64 {
	for _, v := range param.Values(c.mechanism) {
		if v.Path == budgetParam {
			return v.Number
		}
	}
	return 0
}
