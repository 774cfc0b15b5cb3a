package cluster

import (
	"net"
	"net/netip"
	"sync"
)

// How many connections may be open of which it is not known yet whether they have the token: in all, and from one address. Each costs a
// goroutine and a buffer until it has said hello or the time for that is over.
const (
	strangersMax     = 256
	strangersPerHost = 32
)

// door counts the connections that have not said hello.
type door struct {
	mu   sync.Mutex
	all  int
	from map[netip.Addr]int
}

// enter counts a connection in, unless there are too many.
func (d *door) enter(conn net.Conn) bool {
	at := addressOf(conn)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all >= strangersMax || d.from[at] >= strangersPerHost {
		return false
	}
	if d.from == nil {
		d.from = map[netip.Addr]int{}
	}
	d.all++
	d.from[at]++
	return true
}

// leave counts it out: it is no stranger any more, or gone.
func (d *door) leave(conn net.Conn) {
	at := addressOf(conn)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all--
	if d.from[at]--; d.from[at] == 0 {
		delete(d.from, at)
	}
}

func addressOf(conn net.Conn) netip.Addr {
	at, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	return at.Addr().Unmap()
}
