// Package sight decides which objects each user is to see: those near the user's own, with some slack at the edge so that
// nothing flickers.
//
// A [Field] knows where everything is and what belongs to whom. A [Set] is what one user sees. An object enters the set
// when it comes within sight of one of the user's objects, and leaves it when it is beyond sight and a margin, or gone.
// What the user owns is always in sight, and so is what has no place, such as a score; what the world veils never is.
// Users of a world that sets no limit to sight, or one as wide as the world, see everything.
//
// A set costs what is looked at, not what there is: a query of the index for each of the user's objects, and a pass over
// what it finds.
package sight
