package hub

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"throng/mechanism"
	"throng/world/fixed"
)

// ErrBroken is the answer to whoever wants to join a world of which a part is gone.
var ErrBroken = errors.New("part of the world is gone")

// Process is one of those that a world's servers run in.
type Process struct {
	Number uint32 // zero for the first
	Name   string // where to look for it
	Here   bool   // it is this one
	Gone   bool   // it has ended, and its servers with it
	Sites  []Site // of servers; where all processes have replicas, those of the one that leads

	Gateway  string // where people come in, where that is known to all processes
	Admin    string // where operators do
	Draining bool   // it is about to leave
}

// Site is a server's node and the parts of the world that it runs, where the mechanism has such parts.
type Site struct {
	Place mechanism.Place
	Areas []fixed.Box
}

// String is the node's ID, its role and, if it has any, its areas: "3 (server of 0,0 to 50,50)".
func (s Site) String() string {
	var areas []string
	for _, b := range s.Areas {
		areas = append(areas, fmt.Sprintf("%v,%v to %v,%v", b.Min.X, b.Min.Y, b.Max.X, b.Max.Y))
	}
	text := strconv.FormatUint(uint64(s.Place.ID), 10) + " (" + s.Place.Role
	if len(areas) > 0 {
		text += " of " + strings.Join(areas, " and ")
	}
	return text + ")"
}

// Nodes lists the process's servers in words.
func (p *Process) Nodes() string {
	if len(p.Sites) == 0 {
		return "none"
	}
	var texts []string
	for _, s := range p.Sites {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, ", ")
}

// losses are what the hub knows to be gone for good.
type losses struct {
	nodes     []mechanism.NodeID
	processes []Process
	endured   bool // other nodes stand in for them
}

// Lose notes that another process is gone for good. What its servers ran is no part of the world any more, and nobody is let
// in who might end up there; unless the mechanism's other servers stand in for them ([mechanism.Enduring]).
func (h *Hub) Lose(p Process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := new(losses)
	if before := h.gone.Load(); before != nil {
		next.nodes, next.processes = slices.Clone(before.nodes), slices.Clone(before.processes)
	}
	for _, s := range p.Sites {
		next.nodes = append(next.nodes, s.Place.ID)
	}
	next.processes = append(next.processes, p)
	enduring, ok := h.mechanism.(mechanism.Enduring)
	next.endured = ok && enduring.Endures(next.nodes)
	h.gone.Store(next)
}

// Lost reports whether a node is gone for good: whoever depends on it waits in vain.
func (h *Hub) Lost(id mechanism.NodeID) bool {
	gone := h.gone.Load()
	return gone != nil && !gone.endured && slices.Contains(gone.nodes, id)
}

// Whole returns an error that says what of the world is gone, if anything is.
func (h *Hub) Whole() error {
	gone := h.gone.Load()
	if gone == nil || gone.endured {
		return nil
	}
	var texts []string
	for i := range gone.processes {
		p := &gone.processes[i]
		texts = append(texts, fmt.Sprintf("process %d ran node %s", p.Number, p.Nodes()))
	}
	return fmt.Errorf("%w: %s", ErrBroken, strings.Join(texts, "; "))
}
