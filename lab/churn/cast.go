package churn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"throng/internal/param"
	"throng/mechanism"
	"throng/world/random"
)

// state is how a node fares.
type state uint8

const (
	up      state = iota
	frozen        // stopped, with its memory
	crashed       // ended without a word
	gone          // left
)

// member is a node that is, was or will be there.
type member struct {
	state    state
	epoch    uint32
	began    bool // it has begun at least once
	spares   int  // how many of the computers that keep it may fail,
	spare    int  // and how many still may
	expected bool // it comes back, so that nobody takes its place
	unit     *unit
}

// unit is a process: its nodes share a host and crash as one.
type unit struct {
	nodes   []mechanism.NodeID
	host    int
	been    []int // hosts before this one
	process int   // its number, from 1; zero for a node by itself
}

// cast is everybody in a run.
type cast struct {
	places  []mechanism.Place // those of the beginning, then those admitted, in the order of their admission
	members map[mechanism.NodeID]*member
	vacant  []mechanism.Place // of users who have gone for good, the longest gone first
	numbers map[mechanism.NodeID]uint32
	roles   map[string]uint32 // how many nodes have a role
	units   []*unit           // processes with several nodes, in order
}

func newCast(stage *Stage) *cast {
	c := &cast{members: map[mechanism.NodeID]*member{}, numbers: map[mechanism.NodeID]uint32{}, roles: map[string]uint32{}}
	for _, p := range stage.Places {
		n := c.add(p)
		n.began, n.spares = true, stage.spare(p.ID)
		n.spare = n.spares
	}
	for i, nodes := range stage.Processes {
		u := &unit{nodes: slices.Sorted(slices.Values(nodes)), process: i + 1}
		u.host = int(u.nodes[0])
		for _, id := range nodes {
			c.members[id].unit = u
		}
		c.units = append(c.units, u)
	}
	return c
}

// add takes in a node, in a process of its own.
func (c *cast) add(p mechanism.Place) *member {
	c.places = append(c.places, p)
	c.roles[p.Role]++
	c.numbers[p.ID] = c.roles[p.Role]
	m := &member{unit: &unit{nodes: []mechanism.NodeID{p.ID}, host: int(p.ID)}}
	c.members[p.ID] = m
	return m
}

// place is that of a node.
func (c *cast) place(id mechanism.NodeID) mechanism.Place {
	return c.places[slices.IndexFunc(c.places, func(p mechanism.Place) bool { return p.ID == id })]
}

// nouns lists what somebody can be called.
func (c *cast) nouns() []string {
	nouns := []string{nounUser, nounNode}
	if len(c.units) > 0 {
		nouns = append(nouns, nounProcess)
	}
	for role := range c.roles {
		if role != nounUser && role != nounNode {
			nouns = append(nouns, role)
		}
	}
	slices.Sort(nouns)
	return nouns
}

// resolve returns the nodes that are meant, in the order of their IDs, of those that a filter leaves. Everybody of a chosen
// process is chosen. A mistake is a [*Error] without its statement.
func (c *cast) resolve(w *Who, filter func(*member) bool, draw func(mechanism.NodeID) random.Stream) ([]mechanism.NodeID, *Error) {
	if nouns := c.nouns(); !slices.Contains(nouns, w.Noun) {
		return nil, c.unknown(w.Noun, nouns)
	}
	var whole int
	var left []mechanism.NodeID // of processes, their first nodes
	known := map[uint32]bool{}
	for _, p := range c.candidates(w.Noun) {
		n := c.numberOf(p, w.Noun)
		if !contains(w.Numbers, n) {
			continue
		}
		known[n] = true
		whole++
		if filter(c.members[p.ID]) {
			left = append(left, p.ID)
		}
	}
	if missing, ok := firstMissing(w.Numbers, known); ok {
		return nil, &Error{Problem: fmt.Sprintf("there is no %s %d", w.Noun, missing), Remedy: c.available(w.Noun)}
	}
	if w.One && whole != 1 {
		return nil, &Error{Problem: fmt.Sprintf("there are %d of %q", whole, w.Noun), Remedy: fmt.Sprintf("say which, as in %s 1, or how many", w.Noun)}
	}
	chosen := choose(left, w, draw)
	if w.Noun == nounProcess {
		var nodes []mechanism.NodeID
		for _, id := range chosen {
			nodes = append(nodes, c.members[id].unit.nodes...)
		}
		chosen = nodes
	}
	slices.Sort(chosen)
	return chosen, nil
}

func (c *cast) unknown(noun string, nouns []string) *Error {
	e := &Error{Problem: fmt.Sprintf("nobody here is a %q", noun), Remedy: "there are: " + strings.Join(nouns, ", ")}
	switch near := param.Nearest(noun, nouns); {
	case noun == nounProcess:
		e.Problem, e.Remedy = "no nodes share a process", "say which do with host.together"
	case near != "":
		e.Remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// available words which numbers a noun has.
func (c *cast) available(noun string) string {
	most := uint32(0)
	for _, p := range c.candidates(noun) {
		most = max(most, c.numberOf(p, noun))
	}
	return fmt.Sprintf("they go from 1 to %d", most)
}

// candidates are the places of those that a noun is about; of a process, that of its first node.
func (c *cast) candidates(noun string) []mechanism.Place {
	var out []mechanism.Place
	for _, p := range c.places {
		u := c.members[p.ID].unit
		if noun == nounNode || noun == nounUser && p.User != 0 || noun == nounProcess && u.process > 0 && u.nodes[0] == p.ID || noun == p.Role {
			out = append(out, p)
		}
	}
	return out
}

// numberOf is the number by which a plan names somebody: users and nodes have theirs, and those of a role are counted.
func (c *cast) numberOf(p mechanism.Place, noun string) uint32 {
	switch noun {
	case nounNode:
		return uint32(p.ID)
	case nounUser:
		return uint32(p.User)
	case nounProcess:
		return uint32(c.members[p.ID].unit.process)
	}
	return c.numbers[p.ID]
}

// choose takes as many as are wanted, those first whose draw is the least: one candidate more or fewer changes nothing for the
// others.
func choose(from []mechanism.NodeID, w *Who, draw func(mechanism.NodeID) random.Stream) []mechanism.NodeID {
	n := w.Count
	if n == 0 {
		n = int(w.Share.MulInt(int64(len(from))).Round())
	}
	if n >= len(from) {
		return from
	}
	type lot struct {
		id   mechanism.NodeID
		draw uint64
	}
	lots := make([]lot, len(from))
	for i, id := range from {
		s := draw(id)
		lots[i] = lot{id, s.Uint64()}
	}
	slices.SortFunc(lots, func(a, b lot) int {
		return cmp.Or(cmp.Compare(a.draw, b.draw), cmp.Compare(a.id, b.id))
	})
	out := make([]mechanism.NodeID, n)
	for i := range out {
		out[i] = lots[i].id
	}
	return out
}

func contains(spans []Span, n uint32) bool {
	return len(spans) == 0 || slices.ContainsFunc(spans, func(s Span) bool { return s.First <= n && n <= s.Last })
}

// firstMissing returns a number that is asked for and that nobody has.
func firstMissing(spans []Span, known map[uint32]bool) (uint32, bool) {
	for _, s := range spans {
		for n := s.First; ; n++ {
			if !known[n] {
				return n, true
			}
			if n == s.Last {
				break
			}
		}
	}
	return 0, false
}
