package gateway

import (
	"bytes"
	"container/list"
	"context"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// reason is why something was refused, for the metrics and the log.
type reason int

const (
	refusedConnections reason = iota // there are too many
	refusedAddress                   // there are too many from one address
	refusedJoins                     // too many have asked for a seat from one address
	refusedFull                      // all seats are taken
	refusedBusy                      // servers do not keep up
	refusedEvicted                   // it did nothing, and others needed the place
	refusedAccount                   // without an account that counts here, or shut out
	reasons
)

func (r reason) String() string {
	return [reasons]string{"connections", "address", "joins", "full", "busy", "evicted", "account"}[r]
}

// count counts a refusal.
func (a *admission) count(r reason) { a.refused[r].Add(1) }

const (
	// reserve is how many descriptors are kept for everything that is no client's connection.
	reserve = 64

	// requestsMax is how many connections may be open at a time that make requests and are no WebSockets.
	requestsMax = 4096
)

// divide makes the limits on connections keep to the descriptors that the process may have: a quarter of them is for requests.
func (l *Limits) divide(descriptors int) (requests int) {
	most := max(descriptors-reserve, 4)
	requests = min(most/4, requestsMax)
	l.Connections = min(l.Connections, most-requests)
	return requests
}

// request is a connection that makes requests, and may become a WebSocket.
type request struct {
	conn   net.Conn
	from   source
	active bool // a request is being answered
}

// follow returns what an HTTP server calls when a connection's state changes. Connections are counted from their first moment,
// before anything was read from them: those that say nothing cost as much as others.
func (g *Gateway) follow(operators bool) func(net.Conn, http.ConnState) {
	return func(c net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			// Behind a proxy connections are the proxy's.
			from := source{addr: parseHost(c.RemoteAddr().String())}
			from.exempt = g.config.BehindProxy || operators && from.addr.IsLoopback()
			if why, ok := g.admission.open(c, from); !ok {
				g.admission.count(why)
				c.Close()
			}
		case http.StateActive, http.StateIdle:
			g.admission.activate(c, state == http.StateActive)
		case http.StateHijacked, http.StateClosed:
			g.admission.forget(c)
		}
	}
}

// open counts a connection, unless there are too many. If there are too many in all, one that does nothing gives way.
func (a *admission) open(c net.Conn, from source) (why reason, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !from.exempt && !a.each(from.addr, func(n *network, s scope) bool { return n.requests < s.times*a.limits.ConnectionsPerHost }) {
		return refusedAddress, false
	}
	if a.requests.Len() >= a.requestsMax && !a.evict() {
		return refusedConnections, false
	}
	if !from.exempt {
		a.each(from.addr, func(n *network, _ scope) bool { n.requests++; return true })
	}
	a.byConn[c] = a.requests.PushBack(&request{conn: c, from: from})
	return 0, true
}

// evictionLooks is how many connections are looked at to find one that does nothing.
const evictionLooks = 64

// evict closes the connection that has been there for longest of those that do nothing. The caller holds the lock.
func (a *admission) evict() bool {
	for e, looks := a.requests.Front(), 0; e != nil && looks < evictionLooks; e, looks = e.Next(), looks+1 {
		if r := e.Value.(*request); !r.active {
			a.count(refusedEvicted)
			a.drop(e)
			go r.conn.Close() // under TLS it may say goodbye first
			return true
		}
	}
	return false
}

// activate notes whether a connection has a request under way.
func (a *admission) activate(c net.Conn, active bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e := a.byConn[c]; e != nil {
		e.Value.(*request).active = active
		if !active {
			a.requests.MoveToBack(e) // it has done something just now
		}
	}
}

// forget counts a connection out, or one that becomes a WebSocket, which is counted otherwise.
func (a *admission) forget(c net.Conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e := a.byConn[c]; e != nil {
		a.drop(e)
	}
}

func (a *admission) drop(e *list.Element) {
	r := a.requests.Remove(e).(*request)
	delete(a.byConn, r.conn)
	if !r.from.exempt {
		a.each(r.from.addr, func(n *network, _ scope) bool { n.requests--; return true })
	}
}

// warnEvery is how often at most the log tells of refusals.
const warnEvery = 10 * time.Second

// warn has the log tell of what was refused since it last did.
func (g *Gateway) warn(now time.Time) {
	a := g.admission
	a.mu.Lock()
	defer a.mu.Unlock()
	if now.Sub(a.warned) < warnEvery {
		return
	}
	var attrs []any
	for r := range reasons {
		if n := a.refused[r].Load(); n > a.told[r] {
			attrs = append(attrs, r.String(), n-a.told[r])
			a.told[r] = n
		}
	}
	if attrs != nil {
		a.warned = now
		g.log.Warn("clients were refused", attrs...)
	}
}

// serverLog puts what net/http has to say into the log: what strangers do wrong is of little interest, what stops us is of much.
type serverLog struct{ log *slog.Logger }

func (l serverLog) Write(line []byte) (int, error) {
	level := slog.LevelDebug
	if bytes.Contains(line, []byte("Accept error")) || bytes.Contains(line, []byte("panic serving")) {
		level = slog.LevelError
	}
	l.log.Log(context.Background(), level, string(bytes.TrimSpace(line)))
	return len(line), nil
}

// newServerLog returns a logger for an HTTP server.
func newServerLog(l *slog.Logger) *log.Logger { return log.New(serverLog{l}, "", 0) }
