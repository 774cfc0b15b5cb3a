package octree

import "throng/world"

// ring spreads objects over storage nodes: an object's ID picks one of the ring's chunks, chunks are assigned to nodes in turn,
// and an object is held by the node of its chunk and by those that follow.
type ring struct {
	chunks, nodes, copies int
}

// first is the first of the nodes that hold an object.
func (r ring) first(id world.ID) int {
	x := uint64(id) + 0x9e3779b97f4a7c15 // splitmix64: IDs that follow one another must not share a chunk
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return int(x%uint64(r.chunks)) % r.nodes
}

// at is the k-th of the nodes that hold what a node holds first.
func (r ring) at(first, k int) int { return (first + k) % r.nodes }

// holds reports whether a node holds what another one holds first.
func (r ring) holds(node, first int) bool { return (node-first+r.nodes)%r.nodes < r.copies }

// reader is the node from which a server hears of what a node holds first: the first of its holders that can be reached, by an
// order that differs from server to server, or -1.
func (r ring) reader(first, server int, reachable func(node int) bool) int {
	for k := range r.copies {
		if node := r.at(first, (server+k)%r.copies); reachable(node) {
			return node
		}
	}
	return -1
}
