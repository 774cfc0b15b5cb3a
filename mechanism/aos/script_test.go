package aos

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/fixed"
)

func TestScripts(t *testing.T) {
	script := mechanismtest.Script{
		World: func(users world.User) world.World {
			w := newTraders(users, 100*fixed.One)
			w.effect = 100 * fixed.One
			return w
		},
		Mechanism: fromKeys,
		Describe: func(s *mechanism.Session, m mechanism.Message) string {
			return describe(param.Default[link.Config](), s, m)
		},
		Show: show,
	}
	script.Run(t, "testdata/*.txt")
}

// fromKeys makes the mechanism with two areas side by side, and what a script sets.
func fromKeys(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
	c := param.Default[Config]()
	c.Columns, c.Rows = 2, 1
	for key, value := range keys {
		if err := param.Set(&c, key, value); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// show says how things stand in a node.
func show(n mechanism.Node) string {
	switch n := n.(type) {
	case *server:
		own := 0
		for o := range n.replica.state().All() {
			if n.replica.owns(o) {
				own++
			}
		}
		return fmt.Sprintf("area %d at tick %d: %d own, %d others; simulated by %v, told: %v; deals %d, promises %d",
			n.area, n.replica.tick(), own, n.replica.state().Len()-own, n.members.simulating, n.desk.told,
			len(n.commits.ledger.deals), len(n.commits.ledger.promises))
	case *client:
		var roles []string
		for _, a := range n.Areas(nil) {
			roles = append(roles, [...]string{"ignored", "updated", "simulated"}[a.Role])
		}
		return strings.Join(roles, ", ")
	}
	return "registry"
}
