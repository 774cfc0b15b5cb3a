package action

import (
	"testing"

	"throng/mechanism/mechanismtest"
)

func TestMarblesFollowTheOrder(t *testing.T) {
	for _, protocol := range protocols {
		r, c := newRun(t, mechanismtest.Marbles(4), func(c *Config) { c.Protocol = protocol })
		r.Play(400)
		if err := c.order.Verdict(); err != nil {
			t.Errorf("%s: %v", protocol, err)
		}
		t.Log(protocol, c.order.Checked(), serverOf(r).order.installed)
	}
}
