package fleet

import "time"

// Pulse counts what should come at regular intervals. Of arrivals less than half an interval apart only the first counts:
// one that is so late that it comes with the next has missed its turn, and what is sent in several parts is one.
type Pulse struct {
	last  time.Duration
	beats int64
}

// Beat says that something has come.
func (p *Pulse) Beat(now, interval time.Duration) {
	if p.last == 0 || now-p.last >= interval/2 {
		p.last = now
		p.beats++
	}
}

// Take returns how much came since the last call.
func (p *Pulse) Take() int64 {
	n := p.beats
	p.beats = 0
	return n
}
