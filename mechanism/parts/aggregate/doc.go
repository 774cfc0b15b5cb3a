// Package aggregate shows a crowd from afar as clouds: how many there are in a node of an octree, and how they move on the whole. It is
// what a client gets of what its budget does not suffice to be told of one by one.
//
// A [Book] follows the objects that a node tells its clients of, and counts them by nodes of one depth; now and then it adds those up
// to their parents, so that clouds are made of clouds. Whoever looks from somewhere gets nodes that are the smaller the nearer they
// are ([Book.Look]), and no more than it has room for. An object that moves costs a lookup, whoever looks; a look costs as much as it
// finds.
//
// Source: QuP, chapter 5, compound aggregators.
package aggregate
