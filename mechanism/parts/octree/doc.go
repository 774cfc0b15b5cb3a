// Package octree says where things are by nodes of an octree that nobody has to hold: a node's name follows from coordinates
// alone, so that servers which have never heard of each other call the same place by the same name.
//
// A [Space] maps a part of the world onto a cube of 2^62 units a side. A [Code] names a node of the octree over that cube: its
// lower corner and its depth. [Fit] covers a box with nodes, as closely as it is allowed to split them; what it covers is never
// less than the box. An object's body is marked in the nodes that cover its bounding box, and whoever watches a volume
// subscribes to the nodes that cover that volume: two boxes that meet always share a node, or have nodes of which one is the
// other's ancestor. That is why a watcher who asks for the nodes of the view, for all that exists below them and for all
// their ancestors ([Tree.Watch]) never misses anything that it might see, and may hear of a little more.
//
// A [Tree] holds the nodes in which something is, and nothing else. Nodes without entries and with a single branch below them
// are left out, so that depth costs nothing: n entries need fewer than 2n nodes, in a world of any size.
//
// # Order
//
// Codes are compared along the Morton curve, ancestors before what is below them. Fit returns its nodes in that order, and
// [Diff] merges two such lists. Whoever moves an object adds what is new before it removes what is old: so there is no moment
// at which the object is nowhere.
//
// # Cost
//
// A fit costs in proportion to the nodes that it returns: on average some four times as many for each further split, some 15 ns
// each. [FitBlocks] returns up to 64 of them as one mask: at five splits a view takes some 30 blocks and 0.35 µs (median of boxes
// a thousandth of the cube wide; boxes anywhere take twice that). Both allocate nothing but room for their result. A tree finds a node in as many steps as there are branches
// above it, and watching costs in proportion to what is found.
//
// Source: QuP, chapters 3 and 4.
package octree
