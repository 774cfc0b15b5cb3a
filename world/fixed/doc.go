// Package fixed is the arithmetic of every world: fixed-point numbers, angles, vectors and boxes made of
// integers alone.
//
// Replicas of a world run on different processors, and floating point does not promise them the same answer: a
// compiler may fuse x*y+z on one target and not on another. Integers agree everywhere, so a state computed with this
// package has the same bits on a server, in a laboratory run and in a browser.
//
// A number ([F]) has 24 fraction bits: its range is about ±5.5e11, its resolution about 6e-8. Distances in a world of
// a thousand kilometres are thus kept to a fraction of a micrometre, and seconds of thousands of years to 60
// nanoseconds.
//
// Numbers are added, subtracted and compared with Go's own operators, which wrap around beyond the range like any
// int64. Every method that multiplies, divides or measures works with a 128-bit intermediate result, rounds once and
// saturates at [Min] or [Max]. Dividing by zero panics, as it does for integers. Unless a method says otherwise it
// rounds to the nearest number and ties away from zero, so that a mirrored world stays mirrored.
package fixed
