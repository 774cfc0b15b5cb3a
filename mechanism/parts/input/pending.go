package input

import (
	"throng/mechanism/parts/prediction"
	"throng/world"
)

// Pending are a user's actions that the server has not answered, the oldest first.
type Pending struct {
	Actions []prediction.Pending
	shown   []bool // whether the view has shown what they do
	repeats int    // how often they were repeated since the server last answered one
}

// patience is how long to wait for an answer before the next repeat: for a time at first, then for twice as long each time.
func (p *Pending) patience(first world.Time, doublings int) world.Time {
	return first << min(p.repeats, doublings)
}

// PendingMax is how many there may be. What the user does beyond that is dropped.
const PendingMax = 64

// Full reports whether there is no room for another.
func (p *Pending) Full() bool { return len(p.Actions) == PendingMax }

// Add puts an action at the end that was issued at a tick of the user's clock and whose effects have been shown, or not.
func (p *Pending) Add(a *world.Action, issued world.Tick, shown bool) {
	p.Actions = append(p.Actions, prediction.Pending{Action: *a, Issued: issued})
	p.shown = append(p.shown, shown)
}

// Renew has actions that could not be sent before be taken now.
func (p *Pending) Renew(now world.Tick) {
	for i := range p.Actions {
		p.Actions[i].Issued = now
	}
}

// Answered reports whether the first is up to an answer.
func (p *Pending) Answered(seq uint32) bool { return len(p.Actions) > 0 && p.Actions[0].Seq <= seq }

// Take takes the first off.
func (p *Pending) Take() (a world.Action, shown bool) {
	p.repeats = 0
	a, shown = p.Actions[0].Action, p.shown[0]
	p.Actions = p.Actions[:copy(p.Actions, p.Actions[1:])]
	p.shown = p.shown[:copy(p.shown, p.shown[1:])]
	return a, shown
}

// Bytes is the memory that they hold.
func (p *Pending) Bytes() int { return cap(p.Actions)*96 + cap(p.shown) }
