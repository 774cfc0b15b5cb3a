// Package crowd is a world of people in a town: many of them, each with a mind of their own, and none of them in anybody's
// way. It is the opposite of swarm. What makes it hard to share is not how closely users react to one another but how many
// there are and that they gather.
//
// Every user has a walker, who walks freely, goes to a place by themself along the streets, and shouts what those in
// earshot can hear. The town is a grid of streets; most blocks are built on, one in five is an open square. On squares a
// fountain springs, a market or a concert begins and ends, by a schedule that follows from the state's seed, and whoever
// is in the mood comes. So crowds form, last for some minutes and dissolve.
//
// Two other modes are for measuring rather than for looking at, both on an open field. In "spread" the field grows with the
// number of walkers, so that each has about the same number of others in sight; in "dense" all are in sight of each
// other. With "restless" set, every artificial user changes direction ten times a second.
//
// All lengths are in metres, all arithmetic in integers. A step costs nothing for those who stand but looking at them, and
// little for those who walk: a way is cut into straight legs, each of which takes a whole number of ticks, so that
// nothing needs deciding until a leg is over.
//
// Users beyond those the world starts with can enter, at a square, and everybody can leave. A walker who leaves takes
// their shout and the count of their errands along.
package crowd
