package optimistic

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/link"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestScripts(t *testing.T) {
	var cfg Config
	mechanismtest.Script{
		World: func(users world.User) world.World { return newStrip(users, 0) },
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = Default()
			for key, value := range keys {
				if err := param.Set(&cfg, key, value); err != nil {
					return nil, err
				}
			}
			return &cfg, nil
		},
		Describe: func(_ *mechanism.Session, m mechanism.Message) string { return describe(cfg.Link, m.Payload) },
		Show:     func(n mechanism.Node) string { return show(n.(*node)) },
	}.Run(t, "testdata/*.txt")
}

// describe lists the parts of a datagram.
func describe(cfg link.Config, datagram []byte) string {
	var parts []string
	for p := range link.Parts(cfg, datagram) {
		text := p.String()
		if p.Class == mechanism.Command {
			tick, a, _ := readInput(p.Payload)
			text += fmt.Sprintf(": user %d writes %d at tick %d", a.User, a.Args[0], tick)
		}
		parts = append(parts, text)
	}
	return "{" + strings.Join(parts, "; ") + "}"
}

// show lists a node's history and checkpoints.
func show(n *node) string {
	var b strings.Builder
	fmt.Fprintf(&b, "tick %d", n.tick)
	if n.dirty != clean {
		fmt.Fprintf(&b, ", to be mended from tick %d", n.dirty)
	}
	b.WriteString("\n  checkpoints at")
	for _, s := range n.checkpoints.states {
		fmt.Fprintf(&b, " %d", s.Tick())
	}
	for t := n.history.first; t <= n.tick+n.ahead; t++ {
		for at := *n.history.tick(t); at != 0; at = n.history.input(at).next {
			x := n.history.input(at)
			fmt.Fprintf(&b, "\n  tick %d: action %d of user %d", t, x.action.Seq, x.action.User)
			if !x.applied {
				b.WriteString(", not carried out")
			}
		}
	}
	return b.String()
}
