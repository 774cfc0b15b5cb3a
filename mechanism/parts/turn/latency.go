package turn

import (
	"slices"

	"throng/world"
)

const (
	// LatencyEvery is how often delays are chosen anew.
	LatencyEvery = 30 * world.Second

	// tripsKept is how many of the latest round trips count.
	tripsKept = 8

	// jitterShare is the share of the mean, as one part in so many, above which jitter is high.
	jitterShare = 5
)

// Latency estimates how long a message takes, from round trips. The zero Latency knows of none.
type Latency struct {
	trips [tripsKept]world.Time // the latest, at the count modulo their number
	count int
}

// Add notes a round trip. One that took no time is one that took next to none.
func (l *Latency) Add(trip world.Time) {
	l.trips[l.count%tripsKept] = max(trip, 0)
	l.count++
}

// Known reports whether there have been as many round trips as an estimate takes.
func (l *Latency) Known() bool { return l.count >= tripsKept/2 }

// OneWay is half the mean round trip, or half the largest of the latest ones where they differ from one another by more than
// a fifth of the mean: then the mean would be too short for half of what comes.
func (l *Latency) OneWay() world.Time {
	trips := l.trips[:min(l.count, tripsKept)]
	if len(trips) == 0 {
		return 0
	}
	var sum, apart world.Time
	for _, t := range trips {
		sum += t
	}
	mean := sum / world.Time(len(trips))
	for _, t := range trips {
		apart += max(t-mean, mean-t)
	}
	if jitter := apart / world.Time(len(trips)); jitter > mean/jitterShare {
		return slices.Max(trips) / 2
	}
	return mean / 2
}
