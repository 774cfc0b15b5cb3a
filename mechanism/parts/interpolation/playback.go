package interpolation

import "throng/world"

// Playback decides which moment is shown, from when updates arrive and what moments they describe. It does not rely on
// clocks that agree: an offset between them looks like a delay of the network.
type Playback struct {
	delay  world.Time
	behind world.Time // how old an update usually is when it arrives: rather one of the later ones
	heard  bool
	shown  world.Time
}

// NewPlayback returns a playback that stays behind what usually arrives by a delay.
func NewPlayback(delay world.Time) Playback { return Playback{delay: delay} }

// Hear notes that an update that describes a moment has arrived.
func (p *Playback) Hear(now, moment world.Time) {
	age := now - moment
	switch {
	case !p.heard:
		p.behind, p.heard = age, true
	case age > p.behind:
		p.behind += (age - p.behind) / 4 // being too early shows at once,
	default:
		p.behind -= (p.behind - age) / 64 // being too late does not
	}
}

// Moment is what is shown now. It never goes back.
func (p *Playback) Moment(now world.Time) world.Time {
	p.shown = max(p.shown, now-p.behind-p.delay)
	return p.shown
}
