package loose

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/latejoin"
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

func describe(s *mechanism.Session, m mechanism.Message) string {
	if message, ok := bytes.CutPrefix(m.Payload, joinMark); ok {
		if message[0] == joinAsk {
			return latejoin.DescribeAsk(message[1:])
		}
		return latejoin.DescribeChunk(message[1:])
	}
	var u update
	if err := u.read(s.World.Schema(), s.World.Users(), m.Payload); err != nil {
		return err.Error()
	}
	parts := []string{fmt.Sprintf("at tick %d", u.stamp)}
	for i := range u.objects {
		parts = append(parts, mechanismtest.DescribeObject(s.World.Schema(), &u.objects[i]))
	}
	for _, id := range u.removed {
		parts = append(parts, fmt.Sprintf("%d removed", id))
	}
	return strings.Join(parts, "; ")
}

// show prints a node's ghosts.
func show(n mechanism.Node) string {
	node := n.(*node)
	if node.newcomer != nil {
		return "no world yet"
	}
	text := fmt.Sprintf("next full update %v; ghosts:", node.due)
	for i := range node.ghosts.list {
		text += "\n  " + mechanismtest.DescribeObject(node.schema, &node.ghosts.list[i])
	}
	return text
}
