package optimistic

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestScripts(t *testing.T) { runScripts(t, 0, "testdata/*.txt") }

// TestLargeScripts runs those for which the world must be larger than a datagram.
func TestLargeScripts(t *testing.T) { runScripts(t, 250, "testdata/large/*.txt") }

func runScripts(t *testing.T, dots int, pattern string) {
	var cfg Config
	mechanismtest.Script{
		World: func(users world.User) world.World { return newStrip(users, dots) },
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = param.Default[Config]()
			return &cfg, param.SetAll(&cfg, keys)
		},
		Describe: func(s *mechanism.Session, m mechanism.Message) string {
			return describe(cfg.Link, s.World.Schema(), m.Payload)
		},
		Show: func(n mechanism.Node) string { return show(n.(*node)) },
	}.Run(t, pattern)
}

// show lists a node's history and checkpoints.
func show(n *node) string {
	var b strings.Builder
	if n.newcomer != nil {
		return "no world yet"
	}
	fmt.Fprintf(&b, "tick %d", n.tick)
	if !n.Ready() {
		b.WriteString(", on the way to the present")
	}
	if n.dirty != clean {
		fmt.Fprintf(&b, ", to be mended from tick %d", n.dirty)
	}
	b.WriteString("\n  checkpoints at")
	for i := range n.checkpoints.states {
		fmt.Fprintf(&b, " %d", n.checkpoints.tick(i))
	}
	for t := n.history.first; t <= n.tick+n.ahead; t++ {
		for at := *n.history.tick(t); at != 0; at = n.history.input(at).next {
			x := n.history.input(at)
			fmt.Fprintf(&b, "\n  tick %d: action %d of user %d", t, x.action.Seq, x.action.User)
			if x.epoch > 0 {
				fmt.Fprintf(&b, " in epoch %d", x.epoch)
			}
			if !x.applied {
				b.WriteString(", not carried out")
			}
		}
	}
	return b.String()
}
