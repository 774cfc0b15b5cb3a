package hub

import (
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
)

// The table finds what was put into it and nothing else.
func TestRoutesFindPosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r routes
		known := map[mechanism.NodeID]*post{}
		ids := rapid.OneOf(rapid.Uint32Range(0, 3*pageSize), rapid.Uint32Range(0, NodesMax))
		for _, id := range rapid.SliceOf(ids).Draw(t, "ids") {
			p := &post{}
			known[mechanism.NodeID(id)] = p
			r.put(mechanism.NodeID(id), p)
		}
		for id, p := range known {
			if r.get(id) != p {
				t.Fatalf("node %d is not found", id)
			}
		}
		other := mechanism.NodeID(rapid.Uint32().Draw(t, "other"))
		if r.get(other) != known[other] {
			t.Fatalf("node %d is found wrongly", other)
		}
	})
}
