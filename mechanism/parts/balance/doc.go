// Package balance has zones that are too full hand their outer parts to their neighbours, and take them back.
//
// Each zone has fixed parts: a core, and one next to each neighbour. When more are in a zone than it can hold, it wishes its neighbours to
// take the parts next to them, and hands back whatever it had taken itself. A neighbour that is full, sheds parts of its own, or would be
// full with what comes refuses. When all of a zone's people would fit into a share of what it can hold, it takes its parts back.
//
// A [Zone] is one zone's side of that. It is told what the zone's load is and what its neighbours say, and says what they are to be told. Each
// [Note] is the whole of what there is to say to a neighbour, so that one that gets lost does no harm and the next one makes up for it.
//
// Oscillation dies out: parts are given whenever there is need, but taken back only after a time in which there was none, which doubles
// whenever need comes again soon after; and who was refused, or had something handed back, waits twice as long each time before it
// asks again. Loads that stay as they are change nothing at all after a bounded number of steps, whatever they are.
//
// Source: zonal, section 3.3, which leaves it unbuilt. Departures: a wish says how many would come, so that nobody takes what makes it
// overflow, and no wave of overflows runs over the map.
package balance
