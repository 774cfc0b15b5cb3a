package link

import "throng/world"

const (
	// grain is the least by which a time-out exceeds the mean round trip: hosts take some time to answer, too.
	grain = 10 * world.Millisecond
	// waitMax is how long a link waits between repeats at most, unless it is configured to begin with more. Who has been cut off
	// is back after as long; where round trips take longer, everything is sent twice, which no world is playable with anyway.
	waitMax = 4 * world.Second
	// doublingsMax keeps the count of them within reason; waitMax is reached before.
	doublingsMax = 16
)

// roundTrip is what is known of how long a peer takes to acknowledge, and the time-out that follows from it, as [RFC 6298] has
// it. A message that was repeated says nothing about it, since its receipt may be for any of the copies (Karn's rule). So while
// a link gets slower, no round trip may be measured at all: that is why the time-out stays doubled until one is.
//
// [RFC 6298]: https://www.rfc-editor.org/rfc/rfc6298
type roundTrip struct {
	known     bool
	mean      world.Time // smoothed
	deviation world.Time // smoothed, too
	doublings uint8
	doubled   world.Time // when it was last
}

// measured takes the time from when a message was sent, once, to its receipt.
func (r *roundTrip) measured(t world.Time) {
	r.doublings = 0
	if !r.known {
		r.known, r.mean, r.deviation = true, t, t/2
		return
	}
	off := max(r.mean-t, t-r.mean)
	r.deviation += (off - r.deviation) / 4
	r.mean += (t - r.mean) / 8
}

// expired takes that a message sent at a time was not acknowledged in time. All that were under way when the time-out was last
// doubled were sent in vain for the same reason, and double it no more.
func (r *roundTrip) expired(now, sent world.Time) {
	if sent >= r.doubled && r.doublings < doublingsMax {
		r.doublings++
		r.doubled = now
	}
}

// wait is the time-out of a message that is sent now.
func (r *roundTrip) wait(c *Config) world.Time {
	wait := c.Timeout + c.allowance()
	if !c.Adaptive {
		return wait
	}
	most := max(wait, waitMax)
	if r.known {
		wait = r.mean + max(4*r.deviation, grain+c.allowance())
	}
	return min(min(wait, most)<<r.doublings, most)
}
