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

// survey gathers objects from the nodes of this process: from those that decide about them, else from what artificial players see.
func (g *Gateway) survey(want func(o *world.Object) bool, limit int) []Object {
	found := map[world.ID]Object{}
	nodes := g.hub.Nodes()
	for _, servers := range []bool{true, false} {
		for _, n := range nodes {
			if (n.Place.User == 0) == servers && (servers || n.Holding == hub.Artificial) {
				g.hub.Look(n.Place.ID, func(node mechanism.Node) { g.gather(n.Place.ID, node, want, found, limit) })
			}
		}
		if servers && len(found) > 0 {
			break
		}
	}
	list := slices.SortedFunc(maps.Values(found), func(a, b Object) int { return cmp.Compare(a.ID, b.ID) })
	return list[:min(len(list), limit)]
}

// gather adds what one node has to say. Of a node's objects those with the least IDs count, as they do in all.
func (g *Gateway) gather(id mechanism.NodeID, node mechanism.Node, want func(o *world.Object) bool, found map[world.ID]Object, limit int) {
	var state *world.State
	owns := func(world.ID) bool { return false }
	switch n := node.(type) {
	case mechanism.Authority:
		state, owns = n.Held(), n.Owns
	case mechanism.Client:
		state = n.View()
	default:
		return
	}
	added := 0
	for o := range state.All() {
		if added >= limit {
			return
		}
		decides := owns(o.ID)
		before, seen := found[o.ID]
		if !want(o) || seen && (before.Decides || !decides) {
			continue
		}
		added++
		found[o.ID] = Object{
			ID: uint64(o.ID), Kind: g.hub.World().Schema().Kinds[o.Kind].Name, User: uint32(o.User), Fields: g.thin.Fields(o), Node: uint32(id), Decides: decides,
		}
	}
}
