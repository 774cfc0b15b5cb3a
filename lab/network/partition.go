package network

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"throng/world"
)

// partition cuts groups of nodes off from each other for a while, as it is written. Nodes in no group reach everybody.
type partition struct {
	from, until world.Time
	groups      []group
}

// group is the nodes of one side of a partition, or all nodes that the others leave.
type group struct {
	ranges []span
	rest   bool
}

type span struct{ first, last uint32 }

const partitionForm = "begin..end: nodes | nodes, several with ; between, nodes such as 1-4,7 or rest"

func wrongPartition(text, format string, args ...any) error {
	return wrong("partitions", strings.TrimSpace(text), fmt.Sprintf(format, args...), partitionForm)
}

// parsePartitions reads a list such as "10s..20s: 1-4 | 5-8; 30s..35s: 2 | rest".
func parsePartitions(text string) ([]partition, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var out []partition
	for part := range strings.SplitSeq(text, ";") {
		p, err := parsePartition(part)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func parsePartition(text string) (partition, error) {
	var p partition
	when, who, ok := strings.Cut(text, ":")
	begin, end, dots := strings.Cut(when, "..")
	if !ok || !dots {
		return p, wrongPartition(text, "is no partition")
	}
	var err error
	if p.from, err = parseTime(begin); err != nil {
		return p, wrongPartition(text, "begins at no time: %q", strings.TrimSpace(begin))
	}
	if p.until, err = parseTime(end); err != nil {
		return p, wrongPartition(text, "ends at no time: %q", strings.TrimSpace(end))
	}
	if p.until <= p.from {
		return p, wrongPartition(text, "ends before it begins")
	}
	for side := range strings.SplitSeq(who, "|") {
		g, err := parseGroup(side)
		if err != nil {
			return p, wrongPartition(text, "has a wrong group: %v", err)
		}
		p.groups = append(p.groups, g)
	}
	if len(p.groups) < 2 {
		return p, wrongPartition(text, "has a single group")
	}
	return p, p.checkDisjoint(text)
}

// checkDisjoint reports nodes that are in two groups.
func (p *partition) checkDisjoint(text string) error {
	var all []span
	rests := 0
	for _, g := range p.groups {
		all = append(all, g.ranges...)
		if g.rest {
			rests++
		}
	}
	if rests > 1 {
		return wrongPartition(text, "has the rest twice")
	}
	slices.SortFunc(all, func(a, b span) int { return int(int64(a.first) - int64(b.first)) })
	for i := 1; i < len(all); i++ {
		if all[i].first <= all[i-1].last {
			return wrongPartition(text, "has node %d twice", all[i].first)
		}
	}
	return nil
}

func parseTime(text string) (world.Time, error) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err == nil && d < 0 {
		err = fmt.Errorf("%v is before the beginning", d)
	}
	return world.Time(d), err
}

// parseGroup reads nodes such as "1-4,7", or "rest".
func parseGroup(text string) (group, error) {
	if strings.TrimSpace(text) == "rest" {
		return group{rest: true}, nil
	}
	var g group
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, err := strconv.ParseUint(strings.TrimSpace(first), 10, 32)
		if err != nil {
			return g, fmt.Errorf("%q is no node", part)
		}
		b, err := strconv.ParseUint(strings.TrimSpace(last), 10, 32)
		if err != nil || b < a {
			return g, fmt.Errorf("%q is no range of nodes", part)
		}
		g.ranges = append(g.ranges, span{uint32(a), uint32(b)})
	}
	return g, nil
}

// change is the partition among the nodes of a run.
func (p partition) change(nodes int) (Change, error) {
	c := Change{From: p.from, Until: p.until, Sides: make([][]uint32, len(p.groups))}
	named := make([]bool, nodes+1)
	for i, g := range p.groups {
		for _, r := range g.ranges {
			if r.first < 1 || int64(r.last) > int64(nodes) {
				bad := r.last
				if r.first < 1 {
					bad = r.first
				}
				return c, wrong("partitions", bad, "is no node of this run", fmt.Sprintf("1..%d", nodes))
			}
			for node := r.first; node <= r.last; node++ {
				c.Sides[i] = append(c.Sides[i], node)
				named[node] = true
			}
		}
	}
	for i, g := range p.groups {
		for node := 1; g.rest && node <= nodes; node++ {
			if !named[node] {
				c.Sides[i] = append(c.Sides[i], uint32(node))
			}
		}
	}
	return c, nil
}
