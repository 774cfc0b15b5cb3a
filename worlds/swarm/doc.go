// Package swarm is a world of bees that crowd around their queen and must not touch anything.
//
// Every user has a bee in a walled box and sets nothing but the direction and strength of its acceleration. The queen
// wanders. In every tick a living bee earns honey, the less the farther it is from the queen; a bee that hits another
// one or the queen is dead for some seconds: it earns nothing, obeys nobody and bounces on, often into the next bee. So
// everybody reacts to everybody, all the time and closely, and whoever is shown the others late or wrongly must keep
// more distance or crash: what makes a world hard to share.
//
// Bees, queen and walls are ideal elastic balls of equal mass: there is no friction, and without users pushing, energy
// stays what it is but for rounding. The one departure is a top speed, at which whatever would be faster is held.
//
// The box is 800 by 600 pixels for eight bees, and its area grows with their number. All lengths are in pixels, all
// arithmetic in integers.
//
// Each bee's honey is an object of its own, kept for fairness by the user of the next bee; the queen is passed on among
// the users by the clock.
package swarm
