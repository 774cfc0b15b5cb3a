package action

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// TestScripts runs transcripts in a tangle that does not move by itself: an object for each user, ten apart, and one more.
func TestScripts(t *testing.T) {
	scripts(func(t *tangle) world.World { return t }).Run(t, "testdata/*.txt")
}

// TestScriptsOfLeaving runs those in which users leave such a tangle.
func TestScriptsOfLeaving(t *testing.T) {
	scripts(func(t *tangle) world.World { return openTangle{t} }).Run(t, "testdata/open/*.txt")
}

func scripts(build func(*tangle) world.World) mechanismtest.Script {
	var cfg Config
	return mechanismtest.Script{
		World: func(users world.User) world.World {
			w := newTangle(users, int(users)+1)
			w.still = true
			return build(w)
		},
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = param.Default[Config]()
			cfg.Look, cfg.Patience, cfg.Link.Timeout, cfg.Link.Adaptive = world.Minute, 2*world.Minute, world.Second, false
			return &cfg, param.SetAll(&cfg, keys)
		},
		Describe: func(s *mechanism.Session, m mechanism.Message) string { return describe(&cfg, s, m.Payload) },
		Show: func(n mechanism.Node) string {
			if c, ok := n.(*client); ok {
				return c.describe()
			}
			return n.(*server).describe()
		},
	}
}

func (n *client) describe() string {
	if !n.Ready() {
		return "not in"
	}
	text := fmt.Sprintf("%d entries pending; forgotten what was before %d; certain:", len(n.pending.entries), n.stable.installed)
	for o := range n.stable.latest.All() {
		text += fmt.Sprintf(" %d=%d", o.ID, o.Attr[number])
	}
	text += "; shown:"
	for o := range n.view.All() {
		text += fmt.Sprintf(" %d=%d", o.ID, o.Attr[number])
	}
	return text
}

func (n *server) describe() string {
	text := fmt.Sprintf("installed %d:", n.order.installed)
	for o := range n.state.All() {
		text += fmt.Sprintf(" %d=%d", o.ID, o.Attr[number])
	}
	for p := n.order.installed + 1; p < n.order.next; p++ {
		e := n.order.at(p)
		var nodes []mechanism.NodeID
		for _, slot := range e.sent.list(nil) {
			nodes = append(nodes, n.members.slots[slot].Node)
		}
		text += fmt.Sprintf("\n  %d: %s; depends on %v, known to %v", p, describeEntry(&e.Entry), e.depends, nodes)
		if e.done {
			text += ", completed"
		}
		if e.void {
			text += ", void"
		}
	}
	return text
}
