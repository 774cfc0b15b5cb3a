package gateway

import (
	"cmp"
	"maps"
	"slices"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

// Object is an object as operators are shown it.
type Object struct {
	ID      uint64         `json:"id,string"`
	Kind    string         `json:"kind"`
	User    uint32         `json:"user"`
	Fields  map[string]any `json:"fields"`
	Node    uint32         `json:"node"`              // who says so
	Decides bool           `json:"decides,omitempty"` // and whether that node decides about it; else it is what the node was told
}

// survey gathers objects, those with the least IDs first.
func (g *Gateway) survey(want func(o *world.Object) bool, limit int) []Object {
	found := map[world.ID]Object{}
	added := map[mechanism.NodeID]int{}
	g.visit(func(id mechanism.NodeID, o *world.Object, decides bool) bool {
		before, seen := found[o.ID]
		if !want(o) || seen && (before.Decides || !decides) {
			return true
		}
		added[id]++
		found[o.ID] = Object{
			ID: uint64(o.ID), Kind: g.hub.World().Schema().Kinds[o.Kind].Name, User: uint32(o.User), Fields: g.thin.Fields(o), Node: uint32(id), Decides: decides,
		}
		return added[id] < limit // of each node those with the least IDs will do
	})
	list := slices.SortedFunc(maps.Values(found), func(a, b Object) int { return cmp.Compare(a.ID, b.ID) })
	return list[:min(len(list), limit)]
}

// Objects calls f with every object once, as far as nodes of this process know of it, until it returns false. They hold during the call.
func (g *Gateway) Objects(f func(o *world.Object) bool) {
	seen, enough := map[world.ID]bool{}, false
	g.visit(func(_ mechanism.NodeID, o *world.Object, _ bool) bool {
		if !enough && !seen[o.ID] {
			seen[o.ID] = true
			enough = !f(o)
		}
		return !enough
	})
}

// visit shows the objects of this process's nodes, by node in the order of their IDs, until f returns false for a node: of those that decide about them or, where
// there is none, what artificial players see.
func (g *Gateway) visit(f func(id mechanism.NodeID, o *world.Object, decides bool) bool) {
	found := false
	nodes := g.hub.Nodes()
	for _, servers := range []bool{true, false} {
		for _, n := range nodes {
			if (n.Place.User == 0) != servers || !servers && n.Holding != hub.Artificial {
				continue
			}
			g.hub.Look(n.Place.ID, func(node mechanism.Node) {
				state, owns := holds(node)
				if state == nil {
					return
				}
				for o := range state.All() {
					found = true
					if !f(n.Place.ID, o, owns(o.ID)) {
						return
					}
				}
			})
		}
		if found {
			return
		}
	}
}

// holds is what a node knows of the world, and what of it is its to decide; nil if it knows nothing that makes sense to others.
func holds(node mechanism.Node) (state *world.State, owns func(id world.ID) bool) {
	switch n := node.(type) {
	case mechanism.Authority:
		return n.Held(), n.Owns
	case mechanism.Client:
		return n.View(), func(world.ID) bool { return false }
	}
	return nil, nil
}
