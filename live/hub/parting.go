package hub

import (
	"time"

	"throng/world"
)

const (
	// partingsMax is how many users are taken out of the world at once; each takes a node for a moment.
	partingsMax = 16

	// partingTime is how long it may take.
	partingTime = 5 * time.Second

	// lingerTicks is how long a node stays after its user has left its own view, for what it still has to send or repeat.
	lingerTicks = 20
)

// farewell is a player who takes its user out of the world.
type farewell struct {
	user  world.User
	asked bool
	ticks int           // since the user was last seen
	out   chan struct{} // closed when the user is out
}

func (f *farewell) Play(v world.View, act func(world.Action)) {
	if !f.asked {
		f.asked = true
		act(world.Action{Verb: world.Leave})
		return
	}
	f.ticks++
	if world.Present(v.State, f.user) {
		f.ticks = 0
	}
	if f.ticks >= lingerTicks && f.out != nil {
		close(f.out)
		f.out = nil
	}
}

// part takes a user out of the world whose client is gone: a node in its place joins the run, and its user leaves. Any
// mechanism can do that, whatever it does about clients that vanish. The place can then be given to somebody else.
func (h *Hub) part(p *post, entered bool) {
	if entered {
		select {
		case h.partings <- struct{}{}:
			h.farewell(p)
			<-h.partings
		case <-h.closing:
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.retired {
		return // somebody else sees to it
	}
	p.holder.Store(nil)
	p.runner, p.parting = nil, false
	h.vacant = append(h.vacant, p)
	h.present(p, false)
}

func (h *Hub) farewell(p *post) {
	out := make(chan struct{})
	h.mu.Lock()
	if h.retired {
		h.mu.Unlock()
		return
	}
	err := h.replace(p, &farewell{user: p.place.User, out: out}, false)
	runner := p.runner
	h.mu.Unlock()
	if err != nil {
		h.lost.Add(1)
		return
	}
	timeout := time.NewTimer(partingTime)
	defer timeout.Stop()
	select {
	case <-out:
	case <-timeout.C:
	case <-h.closing:
	}
	runner.Leave()
}
