package protocol

import "throng/world"

const (
	// SlewMax is how fast the estimate may be moved: by at most one part in this many of the time that passes. At a
	// twentieth, an error of 50 ms is gone after a second and nobody sees the world run faster or slower.
	SlewMax = 20

	// samplesMax is how many pongs are compared. With a ping each second they cover the jitter of a quarter of a minute.
	samplesMax = 16

	// driftMax is by how much clocks may drift apart: one part in this many. A sample counts as that much worse as it
	// could have become wrong since it was taken, so that an old one with a short round trip gives way in time.
	driftMax = 5000
)

// Offset estimates the server's time at a client, from pings.
//
// Of the last pongs the one with the shortest round trip is believed, since half of what its round trip is too long bounds
// its error. The estimate then moves there slowly: it never runs backwards, and never faster or slower than the client's own
// clock by more than one part in SlewMax. Only before it is first read does it jump.
//
// The zero Offset knows nothing and takes the server's clock to be the client's. It is for one goroutine at a time.
type Offset struct {
	samples [samplesMax]sample
	taken   int // how many there were in all

	offset world.Time // what is added to the client's time now
	target world.Time // what should be added
	read   bool       // the estimate has been used: from now on it is slewed
	last   world.Time // when, by the client's clock
	slack  world.Time // what is left of whole slewing steps, in parts of SlewMax
}

type sample struct {
	at, trip, offset world.Time
}

// Pong takes one measurement: a ping sent at the client's time sent was answered at the server's time server and the answer
// came at the client's time now.
func (o *Offset) Pong(sent, server, now world.Time) {
	if now < sent {
		return // not an answer to anything this client asked
	}
	trip := now - sent
	o.samples[o.taken%samplesMax] = sample{at: now, trip: trip, offset: server + trip/2 - now}
	o.taken++
	o.target = o.best(now).offset
	if !o.read {
		o.offset = o.target
	}
}

func (o *Offset) best(now world.Time) sample {
	best := o.samples[0]
	for _, s := range o.samples[1:min(o.taken, samplesMax)] {
		if s.doubt(now) < best.doubt(now) {
			best = s
		}
	}
	return best
}

// doubt is how far off a sample may be.
func (s *sample) doubt(now world.Time) world.Time { return s.trip/2 + (now-s.at)/driftMax }

// At is the server's time when it is local by the client's clock. Local must not run backwards.
func (o *Offset) At(local world.Time) world.Time {
	if !o.read {
		o.read, o.last = true, local
	}
	if local > o.last {
		o.slew(local - o.last)
		o.last = local
	}
	return o.last + o.offset
}

// slew moves the estimate towards the target as far as the time that has passed allows. What is lost in rounding is kept, so
// that the speed does not depend on how often the estimate is read.
func (o *Offset) slew(passed world.Time) {
	o.slack += passed
	step := o.slack / SlewMax
	o.slack %= SlewMax
	switch error := o.target - o.offset; {
	case error > step:
		o.offset += step
	case error < -step:
		o.offset -= step
	default:
		o.offset = o.target
	}
}

// Error is by how much the estimate still is to be moved. A client whose error is too large to wait for, after its machine
// slept, better joins anew.
func (o *Offset) Error() world.Time { return o.target - o.offset }

// RoundTrip is the round-trip time of the last pong.
func (o *Offset) RoundTrip() world.Time {
	if o.taken == 0 {
		return 0
	}
	return o.samples[(o.taken-1)%samplesMax].trip
}

// Samples is how many pongs there have been.
func (o *Offset) Samples() int { return o.taken }
