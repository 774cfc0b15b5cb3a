package gateway

import (
	"net"
	"runtime"
	"sync"
	"time"

	"throng/live/socket"
)

// poller watches the sockets of clients that have WebSockets.
type poller = socket.Poller[*socketReader]

// pollAtOnce is how many clients a poller tells of at a time.
const pollAtOnce = 128

// hasPollers reports whether sockets can be watched.
func (g *Gateway) hasPollers() bool {
	g.pollOnce.Do(g.startPollers)
	return g.pollers != nil
}

// startPollers has sockets watched, as many goroutines as there are processors. Where the system has no pollers there are none.
func (g *Gateway) startPollers() {
	var all []*poller
	for range runtime.GOMAXPROCS(0) {
		p := socket.NewPoller[*socketReader](pollAtOnce)
		if p == nil {
			for _, p := range all {
				p.Close()
			}
			return
		}
		all = append(all, p)
	}
	for _, p := range all {
		go poll(p)
	}
	g.pollers = all
}

// poll hears clients until the poller is closed.
func poll(p *poller) {
	for n := p.Wait(); n > 0; n = p.Wait() {
		now := time.Now()
		for i := range n {
			p.Value(i).ready(p.Closing(i), now)
		}
	}
}

func (g *Gateway) closePollers() {
	g.pollOnce.Do(func() {})
	for _, p := range g.pollers {
		p.Close()
	}
}

// nextPoller is the one whose turn it is to take a client.
func (g *Gateway) nextPoller() *poller {
	return g.pollers[g.polled.Add(1)%uint64(len(g.pollers))]
}

// polling is how a detached socket is watched. Most of the time it is, but not while its client's hello is being answered.
type polling struct {
	mu     sync.Mutex
	poller *poller // nil while none watches
	full   bool    // the socket has not taken everything that is being written
	over   bool    // none will watch any more
}

// watch has a poller tell the reader what happens to the socket.
func (p *socketPipe) watch(by *poller, r *socketReader) error {
	p.polling.mu.Lock()
	defer p.polling.mu.Unlock()
	err := by.Add(&p.detached.Socket, r)
	if err != nil {
		return err
	}
	p.poller = by
	if p.full {
		return by.Watch(&p.detached.Socket, true)
	}
	return nil
}

// unwatch ends what watch began.
func (p *socketPipe) unwatch() {
	p.polling.mu.Lock()
	defer p.polling.mu.Unlock()
	if p.poller != nil {
		p.poller.Remove(&p.detached.Socket)
		p.poller = nil
	}
}

// rearm has the poller tell again of a socket that was not read to the end.
func (p *socketPipe) rearm() {
	p.polling.mu.Lock()
	defer p.polling.mu.Unlock()
	p.poller.Watch(&p.detached.Socket, p.full)
}

// later has resume called when the socket takes more. It reports false if that cannot be.
func (p *socketPipe) later() bool {
	p.polling.mu.Lock()
	defer p.polling.mu.Unlock()
	if p.detached == nil || p.over {
		return false
	}
	p.full = true
	if p.poller != nil && p.poller.Watch(&p.detached.Socket, true) != nil {
		p.detached.CloseRead() // it will be found to have ended
	}
	return true
}

// resume writes on, if anything is left. It reports whether the writing has come to its end by that.
func (p *socketPipe) resume() (done bool, err error) {
	p.polling.mu.Lock()
	defer p.polling.mu.Unlock()
	if !p.full {
		return false, nil
	}
	all, err := p.write()
	if !all && err == nil {
		return false, nil
	}
	p.full = false
	if p.poller != nil {
		p.poller.Watch(&p.detached.Socket, false)
	}
	return true, err
}

// abandon gives up what is left to be written: nobody will call resume any more. It returns an error if there was anything.
func (p *socketPipe) abandon() error {
	p.polling.mu.Lock()
	defer p.polling.mu.Unlock()
	p.over = true
	if p.full {
		p.full = false
		return net.ErrClosed
	}
	return nil
}
