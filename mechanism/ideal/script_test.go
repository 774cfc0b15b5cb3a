package ideal

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
)

func TestScripts(t *testing.T) {
	mechanismtest.Script{
		Mechanism: func(mechanismtest.Keys) (mechanism.Mechanism, error) {
			config := param.Default[Config]()
			return &config, nil
		},
		Describe: func(s *mechanism.Session, m mechanism.Message) string { return (&Config{}).Describer(s)(m) },
		Show: func(n mechanism.Node) string {
			text := "carried out in this tick:"
			for _, a := range n.(*node).actions {
				text += fmt.Sprintf(" %d/%d", a.User, a.Seq)
			}
			return text
		},
	}.Run(t, "testdata/*.txt")
}
