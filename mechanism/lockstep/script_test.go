package lockstep

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestScripts(t *testing.T) {
	var cfg Config
	mechanismtest.Script{
		World: func(users world.User) world.World {
			w := newFlawed(users)
			if users == 3 {
				w.at, w.victim = 4, 3 // the rules of user 2's replica err in the fifth step
			}
			return w
		},
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = param.Default[Config]()
			return &cfg, param.SetAll(&cfg, keys)
		},
		Describe: func(_ *mechanism.Session, m mechanism.Message) string { return describe(&cfg, m.Payload) },
		Show:     show,
	}.Run(t, "testdata/*.txt")
}

// show says where a node is.
func show(n mechanism.Node) string {
	switch n := n.(type) {
	case *server:
		next, _ := n.advances.Next()
		text := fmt.Sprintf("tick %d, closes turn %d next", n.tick(), next)
		if late := n.advances.Late(nil); len(late) > 0 {
			text += fmt.Sprintf(", waits for %v", late)
		}
		return text
	case *client:
		text := fmt.Sprintf("tick %d, knows the turns before %d", n.tick(), n.batches.next)
		for _, d := range n.found {
			text += "\n  " + d.String()
		}
		return text
	}
	return "?"
}
