// Package display turns states of a world into what a page draws at any moment between two ticks.
//
// A world moves in ticks, ten or twenty a second; a screen shows sixty frames. Between ticks a [Screen] moves every object on
// by the world's own dead reckoning ([world.Rules]), so that nothing is shown later than it is known. Where the next tick
// contradicts that guess, as at every turn and after every correction by the mechanism, the object does not jump: the
// difference is shown at first and fades within a moment. A jump too wide for a correction, such as a ball that is tossed
// in again, is shown as what it is.
//
// The result is a list of [Record]. Its memory is the interface: the page reads it in place, at the offsets that
// the fields have, so that a frame costs neither a copy nor a call per object. Numbers are floating point from here on;
// nothing flows back into the world.
package display
