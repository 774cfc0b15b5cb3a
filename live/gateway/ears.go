package gateway

import (
	"time"

	"throng/live/socket"
)

// ears hear clients that have WebSockets, where the system lends any.
type ears = socket.Ears[*socketReader]

// earsAtOnce is how many clients ears tell of at a time.
const earsAtOnce = 128

// listen has a client heard without a goroutine of its own from now on, and reports whether that can be.
func (g *Gateway) listen(r *socketReader) bool {
	e := g.nextEars()
	return e != nil && e.Add(r.socket, r) == nil
}

// nextEars are those whose turn it is to take a client.
func (g *Gateway) nextEars() *ears {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.heard++
	e := &g.ears[g.heard%len(g.ears)]
	if *e == nil {
		if *e = socket.NewEars[*socketReader](earsAtOnce); *e != nil {
			go hearAll(*e)
		}
	}
	return *e
}

// hearAll hears clients until the ears are closed.
func hearAll(e *ears) {
	for n := e.Wait(); n > 0; n = e.Wait() {
		now := time.Now()
		for i := range n {
			r := e.Speaker(i)
			_, full, more := r.read()
			switch {
			case !more || !r.hear(now):
				e.Forget(r.socket)
				r.client.ended(now)
			case full || e.Ends(i):
				e.Again(r.socket)
			}
		}
	}
}

// deafen has nobody heard any more.
func (g *Gateway) deafen() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, e := range g.ears {
		if e != nil {
			e.Close()
		}
	}
}
