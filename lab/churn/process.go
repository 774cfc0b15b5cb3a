package churn

import (
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/world/random"
)

// ParseProcesses reads which nodes share a process, such as "servers 1-2; registry + server 3". Errors are of type [*Error].
func ParseProcesses(text string) (groups []Group, err error) {
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		g, err := parseProcess(part)
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	return groups, nil
}

func parseProcess(text string) (g Group, err error) {
	defer rescue(strings.TrimSpace(text), &err)
	p := parser{words: split(text)}
	g = p.group()
	if w := p.peek(); w != "" {
		p.fail(fmt.Sprintf("%q is not understood here", w), "write + between nodes of one process and ; between processes")
	}
	if g.Rest {
		p.fail("the rest is no process", "name the nodes, as in servers 1-2")
	}
	for _, w := range g.Who {
		if w.Count > 0 || w.Noun == nounProcess {
			p.fail("says not which nodes", "as in servers 1-2, or registry + server 3")
		}
	}
	return g, nil
}

// Processes finds the nodes that share a process among the places of a run.
func Processes(text string, places []mechanism.Place) ([][]mechanism.NodeID, error) {
	groups, err := ParseProcesses(text)
	if err != nil {
		return nil, err
	}
	c := newCast(&Stage{Places: places})
	taken := map[mechanism.NodeID]bool{}
	var out [][]mechanism.NodeID
	for _, g := range groups {
		var nodes []mechanism.NodeID
		for i := range g.Who {
			more, problem := c.resolve(&g.Who[i], func(*member) bool { return true }, func(mechanism.NodeID) random.Stream { return random.Stream{} })
			if problem != nil {
				return nil, problem
			}
			nodes = append(nodes, more...)
		}
		for _, id := range nodes {
			if taken[id] {
				return nil, &Error{Problem: fmt.Sprintf("node %d is in two processes", id), Remedy: "name every node once"}
			}
			taken[id] = true
		}
		if len(nodes) > 0 {
			out = append(out, nodes)
		}
	}
	return out, nil
}
