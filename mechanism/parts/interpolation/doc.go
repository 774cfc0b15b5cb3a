// Package interpolation shows objects that are moved elsewhere and of which only samples arrive.
//
// A [Playback] says which moment of the sender's time is shown. To interpolate, it stays behind what arrives, by a delay
// that gives the next sample time to come; for dead reckoning one shows the present instead. A [Track] holds the samples of
// one object: between two of them it moves the object from one to the other, and beyond the last it lets the world's rules
// guess how the object goes on, for a while.
package interpolation
