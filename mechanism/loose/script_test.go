package loose

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world/fixed"
)

func TestScripts(t *testing.T) {
	mechanismtest.Script{Mechanism: configure, Describe: describe, Show: show}.Run(t, "testdata/*.txt")
}

func configure(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
	config := param.Default[Config]()
	config.Phase = Together
	if text, ok := keys["interval"]; ok {
		interval, err := mechanismtest.ParseTime(text)
		if err != nil {
			return nil, err
		}
		config.Interval = interval
	}
	if text, ok := keys["phase"]; ok {
		config.Phase = text
	}
	if text, ok := keys["threshold"]; ok {
		threshold, err := fixed.Parse(text)
		if err != nil {
			return nil, err
		}
		config.Threshold = map[string]fixed.F{"marble": threshold}
	}
	return &config, nil
}

// show prints a node's ghosts.
func show(n mechanism.Node) string {
	node := n.(*node)
	if node.newcomer != nil {
		return "no world yet"
	}
	text := fmt.Sprintf("next full update %v; ghosts:", node.due)
	for i := range node.ghosts.list {
		text += "\n  " + node.schema.Describe(&node.ghosts.list[i])
	}
	return text
}
