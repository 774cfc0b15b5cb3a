// Package tree keeps a multicast tree of users' machines, as its root knows it: who is whose child, how many children each can feed
// with the upload that it has, and whom a newcomer may ask to be its parent.
//
// The root is told by parents who their children are: when that changes and now and then again, so that it finds out what it has
// missed, and one that takes another's place learns the whole tree. What nobody has spoken of for long is forgotten. Nodes whose
// parent is gone are adrift, with all that hangs on them, until somebody reports them as children again: they look for another parent
// by themselves, and what hangs on them stays as it is.
//
// How many nodes there is room for on some levels is a sum of powers ([Room]); the source has a formula that is exact for two children
// each, and too large for more ([Capacity]). Nothing stops a tree from growing deeper: that costs delay, and is for its keeper to avoid.
//
// Source: zonal, sections 3.1 and 3.3.2.
package tree
