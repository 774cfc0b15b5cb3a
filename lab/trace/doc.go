// Package trace keeps the commands of a run and gives them again to a run under another mechanism.
//
// A trace is a recording of package record that shows no views: its header says which world it was, with every parameter and
// the seed, and its groups hold the actions with their times. Any other recording serves as well. Given again, a user's
// actions are issued at the times at which they were issued first, whatever the views show by then: the same game under
// another mechanism.
package trace
