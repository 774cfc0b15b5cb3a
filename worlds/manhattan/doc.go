// Package manhattan is a city of walls in which people walk straight on until they bump into something: the world of SEVE's
// experiments ("Manhattan People"), where it is not the number of objects that is expensive but every single move.
//
// Every user has an avatar that heads in one of four directions. A move takes it a stride ahead, or as far as it gets; at a
// wall, at the edge of the city or at another avatar it turns by 90°, to either side. A user may also turn before moving.
// Nothing moves except by such an action: a step of the world changes nothing.
//
// What a move depends on is every avatar within its effect range, whether or not that one turns out to be in the way; what
// it changes is the user's own. Chains of moves that depend on one another are therefore as long as crowds are dense. What
// a move costs to work out is declared: 7.44 ms where there are 100,000 walls, and in proportion where there are fewer, or
// whatever is asked for. At the nominal speed of a billion operations a second a unit of work is a nanosecond.
//
// Walls are no objects. They follow from the seed, cell by cell, whenever somebody looks, and there is nothing to keep,
// send or index: a hundred thousand of them cost what the dozens around a move cost. A page that draws them asks for the
// scenery.
//
// Lengths are in units, of which the city has 1,000 by 1,000. The pace of moves is up to the users: rules that are carried
// out at different times in different places cannot know it. Artificial users move at equal intervals, each at a phase of
// its own.
package manhattan
