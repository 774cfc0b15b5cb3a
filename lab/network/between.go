package network

import (
	"fmt"
	"slices"
	"strings"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Path is what is different about packets between hosts of two roles, such as client-server. What is not set is as on the rest
// of the network.
type Path struct {
	Delay  world.Time `param:"delay" default:"0s" range:"0s..60s" help:"one-way delay of every packet, instead of the network's"`
	Jitter world.Time `param:"jitter" default:"0s" range:"0s..60s" help:"mean of an exponential delay on top"`
	Loss   fixed.F    `param:"loss" default:"0" range:"0..1" help:"share of the packets that never arrive"`
}

// Assign tells a network the roles of its hosts, in their order. What it has been told about pairs of roles then holds; a role
// that no host has is an error that names those that there are.
func Assign(m Model, roles []string) error {
	n, ok := m.(*network)
	if !ok || len(n.between.Keys()) == 0 {
		return nil
	}
	known := slices.Compact(slices.Sorted(slices.Values(roles)))
	t := &paths{role: make([]int, len(roles)+1), count: len(known), table: make([]*path, len(known)*len(known))}
	for i, role := range roles {
		t.role[i+1] = slices.Index(known, role)
	}
	for _, key := range n.between.Keys() {
		a, b, ok := splitRoles(key, known)
		if !ok {
			return unknownRoles(key, known)
		}
		if t.table[a*t.count+b] != nil {
			return wrong("between", key, "names roles that are named in the other order too", "one of both")
		}
		p := newPath(&n.between, key, n.burst)
		t.table[a*t.count+b], t.table[b*t.count+a] = p, p
	}
	n.paths = t
	return nil
}

// splitRoles finds two roles with a hyphen between them; roles may have hyphens, too.
func splitRoles(key string, known []string) (a, b int, ok bool) {
	for i := range len(key) {
		if key[i] != '-' {
			continue
		}
		a, b := slices.Index(known, key[:i]), slices.Index(known, key[i+1:])
		if a >= 0 && b >= 0 {
			return a, b, true
		}
	}
	return 0, 0, false
}

func unknownRoles(key string, known []string) error {
	var pairs []string
	for i, a := range known {
		for _, b := range known[i:] {
			pairs = append(pairs, a+"-"+b)
		}
	}
	e := &param.Error{Path: "between", Value: key, Problem: "is no pair of roles", Allowed: strings.Join(pairs, ", ")}
	for _, pair := range pairs {
		first, second, _ := strings.Cut(pair, "-")
		if near := param.Nearest(key, []string{pair, second + "-" + first}); near != "" && e.Nearest == "" {
			e.Nearest = near
		}
	}
	return e
}

// paths says what holds between hosts.
type paths struct {
	role  []int // by host
	count int   // of roles
	table []*path
}

func (t *paths) between(from, to uint32) *path { return t.table[t.role[from]*t.count+t.role[to]] }

// path is what holds between two roles, ready for use.
type path struct {
	fixed  bool // delay stands for what the network would draw
	delay  world.Time
	jitter world.Time
	losses *losses // nil for the network's own
}

func newPath(by *param.ByKey[Path], key string, burst fixed.F) *path {
	var c Path
	by.Apply(key, &c)
	p := &path{fixed: by.Has(key, "delay"), delay: c.Delay, jitter: c.Jitter}
	if by.Has(key, "loss") {
		l := newLosses(c.Loss, burst)
		p.losses = &l
	}
	return p
}

// draw returns how long a packet takes. A path that is nil has nothing to say.
func (p *path) draw(d delays, s *random.Stream, from, to uint32) world.Time {
	if p == nil {
		return d.draw(s, from, to)
	}
	t := p.delay
	if !p.fixed {
		t = d.draw(s, from, to)
	}
	if p.jitter > 0 {
		t += exponentialTime(s, p.jitter)
	}
	return t
}

// checkBursts reports losses on a path that are too many for the length of bursts.
func (f *Faults) checkBursts() error {
	for _, key := range f.Between.Keys() {
		var c Path
		f.Between.Apply(key, &c)
		if most := f.Burst.Div(f.Burst + fixed.One); c.Loss > most {
			return wrong(fmt.Sprintf("between.%s.loss", key), c.Loss, "is too large for burst="+f.Burst.String(), "0.."+most.String())
		}
	}
	return nil
}
