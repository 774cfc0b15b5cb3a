// Package combat is a battle of tanks and planes, each steered by a user, on a map of several kilometres.
//
// Tanks are slow and see little; planes are fast, cannot stop, and see far; both fire missiles, which are faster than either and fly on
// until they hit or burn out. Units accelerate, they do not jump to a speed. Users look ahead over a half circle, or all around; hills
// hide what is behind them from tanks, not from planes. Who has been hit three times is down for a while, and starts again somewhere
// else.
//
// Every object changes by what it sees: a unit is hit when a missile is at it, a missile ends when it is at a unit. So a battle goes on
// sensibly where each user's machine decides about its own things alone.
//
// Artificial users have a purpose: they go to and fro between places, or along a line, turn to enemies that they see, keep after them and fire
// with a lead. They come to a place that everybody is called to.
//
// Source: zonal, chapter 4.
package combat
