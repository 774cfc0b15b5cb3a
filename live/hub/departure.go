package hub

import (
	"time"

	"throng/mechanism"
	"throng/world"
)

const (
	// lookEvery is how often servers are asked who is still in the world, while anybody is on the way out.
	lookEvery = 50 * time.Millisecond

	// goodbyeTime is how long it may take until a goodbye is acted on.
	goodbyeTime = time.Second

	// standInsMax is how many users are taken out of the world by stand-ins at once; each takes a node for a moment.
	standInsMax = 64

	// standInTime is how long that may take.
	standInTime = 5 * time.Second

	// linger is how long a stand-in stays after its user has left, for what it still has to send or repeat.
	linger = 300 * time.Millisecond
)

// departure is a user on the way out of the world, whose client is gone.
type departure struct {
	post  *post
	since time.Time // when goodbye was said in its name
	said  bool      // it was
}

// depart takes a user out of the world whose client is gone. Its place can then be given to somebody else. The caller holds the
// lock.
func (h *Hub) depart(p *post, entered bool) {
	if !entered {
		h.departed(p)
		return
	}
	p.parting = true
	h.parting++
	h.departing = append(h.departing, &departure{post: p})
	if len(h.departing) == 1 {
		h.ending.Go(h.seeOff)
	}
}

// departed makes a place vacant whose user is out of the world. The caller holds the lock.
func (h *Hub) departed(p *post) {
	if p.parting {
		p.parting = false
		h.parting--
	}
	if h.retired || p.elsewhere.Load() {
		return // somebody else sees to it
	}
	p.holder.Store(nil)
	p.runner = nil
	h.vacant = append(h.vacant, p)
	h.present(p, false)
}

// seeOff sees to all who are on their way out, until there are none. Where a mechanism lets clients say goodbye it is said in
// their name, under a later epoch, and servers are asked whether it was heard. Otherwise, or if it was not, a stand-in joins the
// run in the user's place and leaves, which any mechanism can do.
func (h *Hub) seeOff() {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		h.mu.Lock()
		all := append([]*departure(nil), h.departing...)
		h.mu.Unlock()
		for _, d := range all {
			if d.since.IsZero() {
				d.since, d.said = time.Now(), h.sayGoodbye(d.post)
			}
		}
		select {
		case <-ticker.C:
		case <-h.closing:
			return
		}
		if !h.look() {
			return
		}
	}
}

// look finds out who is out of the world by now, and who needs a stand-in. It reports whether anybody is left.
func (h *Hub) look() (more bool) {
	users := h.inWorld()
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	rest := h.departing[:0]
	for _, d := range h.departing {
		switch {
		case d.since.IsZero():
			rest = append(rest, d) // has just come
		case d.said && !users[d.post.place.User]: // or nobody can tell: then servers notice in their own time that it is silent
			h.departed(d.post)
		case d.said && now.Sub(d.since) < goodbyeTime:
			rest = append(rest, d)
		default:
			if d.said {
				d.post.epoch++
			}
			h.ending.Go(func() { h.standIn(d.post) })
		}
	}
	clear(h.departing[len(rest):])
	h.departing = rest
	return len(rest) > 0
}

// sayGoodbye says goodbye in the name of a user whose client is gone. It reports whether there was anything to say.
func (h *Hub) sayGoodbye(p *post) bool {
	h.mu.Lock()
	epoch := p.epoch
	h.mu.Unlock()
	node, err := mechanism.Build(h.mechanism, h.session.Join(p.place, epoch), p.place)
	if err != nil {
		return false
	}
	if _, departing := node.Node.(mechanism.Departing); !departing {
		return false
	}
	var out mechanism.Outbox
	m, now := mechanism.NewMachine(node), h.Now()
	m.Wake(now, &out)
	out.Reset() // it does not want to join
	m.Leave(now, &out)
	for i := range out.Sends() {
		h.Route(out.Message(i, p.place.ID))
	}
	return out.Sends() > 0
}

// inWorld asks the servers here that say what they hold which users there are.
func (h *Hub) inWorld() map[world.User]bool {
	users := map[world.User]bool{}
	for _, p := range h.session.Places {
		if p.User != 0 {
			continue
		}
		h.inspect(p.ID, func(n mechanism.Node) {
			a, ok := n.(mechanism.Authority)
			if !ok {
				return
			}
			for o := range a.Held().All() {
				if o.User != 0 && a.Owns(o.ID) {
					users[o.User] = true
				}
			}
		})
	}
	return users
}

// inspect calls f with a server's node, if there is one that this process can look at.
func (h *Hub) inspect(id mechanism.NodeID, f func(n mechanism.Node)) {
	if !h.Do(id, func(m *mechanism.Machine) { f(m.Node()) }) && h.config.Elsewhere != nil {
		h.config.Elsewhere(id, f)
	}
}

// exit is a player who takes its user out of the world, once its node is ready.
type exit struct {
	asked bool
	out   chan struct{} // closed when the user has been told to leave
}

func (e *exit) Play(v world.View, act func(world.Action)) {
	if !e.asked {
		e.asked = true
		act(world.Action{Verb: world.Leave})
		close(e.out)
	}
}

// standIn has a node join the run in the place of a user whose client is gone, and the user leave.
func (h *Hub) standIn(p *post) {
	select {
	case h.standIns <- struct{}{}:
		h.leaveAs(p)
		<-h.standIns
	case <-h.closing:
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.departed(p)
}

func (h *Hub) leaveAs(p *post) {
	out := make(chan struct{})
	h.mu.Lock()
	if h.retired {
		h.mu.Unlock()
		return
	}
	err := h.replace(p, &exit{out: out}, false)
	runner := p.runner
	h.mu.Unlock()
	if err != nil {
		h.lost.Add(1)
		return
	}
	timeout := time.NewTimer(standInTime)
	defer timeout.Stop()
	select {
	case <-out:
		timeout.Reset(linger)
		select {
		case <-timeout.C:
		case <-h.closing:
		}
	case <-timeout.C:
	case <-h.closing:
	}
	runner.Leave()
}
