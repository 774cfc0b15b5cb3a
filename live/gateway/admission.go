package gateway

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// source is where a request or a connection comes from.
type source struct {
	addr   netip.Addr
	exempt bool // an operator's: it is not limited by its address
}

// admission decides who gets in: it counts connections and requests to join, in all and by the networks that they come from.
type admission struct {
	limits *Limits

	mu          sync.Mutex
	networks    map[netip.Prefix]*network
	clients     int        // connections that are WebSockets or WebTransport's
	requests    *list.List // others, those first that have done nothing for longest
	requestsMax int
	byConn      map[net.Conn]*list.Element

	thin    atomic.Int64 // thin clients' nodes
	refused [reasons]atomic.Int64
	told    [reasons]int64 // of these, in the log
	warned  time.Time      // when
}

// network is what is counted of one: an IPv4 address, or as much of an IPv6 address as one customer is given.
type network struct {
	clients  int
	requests int
	joins    bucket
}

// newAdmission returns one for limits that are within what the process may have.
func newAdmission(l *Limits, requestsMax int) *admission {
	return &admission{
		limits: l, networks: map[netip.Prefix]*network{},
		requests: list.New(), requestsMax: requestsMax, byConn: map[net.Conn]*list.Element{},
	}
}

// networksMax bounds how many networks are remembered. Those beyond it are strangers at the worst of times, and wait.
const networksMax = 1 << 16

// scope is a length of IPv6 prefixes and how many times a single network's share all addresses under one have together.
type scope struct{ bits, times int }

// scopes are from the widest to the narrowest. Homes are given a /56 or a /64, sites a /48: within it, nobody is a network of their
// own just because addresses are cheap.
var (
	scopes6 = [...]scope{{48, 4}, {56, 2}, {64, 1}}
	scopes4 = [...]scope{{32, 1}}
)

// each calls f with the networks that an address is in, and their scopes, until it returns false. It reports whether it did not.
func (a *admission) each(addr netip.Addr, f func(n *network, s scope) bool) bool {
	scopes := scopes4[:]
	if addr.Is6() {
		scopes = scopes6[:]
	}
	for _, s := range scopes {
		p, err := addr.Prefix(s.bits)
		if err != nil {
			p = netip.Prefix{} // an address that could not be read: all of them are one network
		}
		n := a.networks[p]
		if n == nil {
			if len(a.networks) >= networksMax {
				return false
			}
			n = &network{}
			a.networks[p] = n
		}
		if !f(n, s) {
			return false
		}
	}
	return true
}

// join reports whether somebody may ask for a seat now.
func (a *admission) join(from source, now time.Time) bool {
	if from.exempt {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	// One that asks too much uses up nothing that its neighbours have a share in.
	may := a.each(from.addr, func(n *network, s scope) bool {
		return n.joins.has(now, 1, s.times*a.limits.JoinsPerMinute, time.Minute)
	})
	return may && a.each(from.addr, func(n *network, s scope) bool {
		return n.joins.take(now, 1, s.times*a.limits.JoinsPerMinute, time.Minute)
	})
}

// enter counts a client's connection in, unless there are too many.
func (a *admission) enter(from source) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.clients >= a.limits.Connections {
		a.count(refusedConnections)
		return false
	}
	if !from.exempt {
		if !a.each(from.addr, func(n *network, s scope) bool { return n.clients < s.times*a.limits.ConnectionsPerHost }) {
			a.count(refusedAddress)
			return false
		}
		a.each(from.addr, func(n *network, _ scope) bool { n.clients++; return true })
	}
	a.clients++
	return true
}

// leave counts a client's connection out.
func (a *admission) leave(from source) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.clients--
	if !from.exempt {
		a.each(from.addr, func(n *network, _ scope) bool { n.clients--; return true })
	}
}

// sweep forgets networks of which nothing is left to remember.
func (a *admission) sweep(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for p, n := range a.networks {
		if n.clients == 0 && n.requests == 0 && monotonic(now)-n.joins.last > int64(time.Minute) {
			delete(a.networks, p)
		}
	}
}

// sourceOf is where a request comes from. Without a header from a proxy that is believed everybody behind one comes from the same
// address, and shares its limits.
func (g *Gateway) sourceOf(r *http.Request) source {
	from := source{addr: parseHost(r.RemoteAddr), exempt: g.isOperator(r)}
	if list := r.Header.Values("X-Forwarded-For"); g.config.BehindProxy && len(list) > 0 {
		// A proxy appends the address that it saw; what stands before it may be made up.
		last := list[len(list)-1]
		last = strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
		if addr, err := netip.ParseAddr(last); err == nil {
			from.addr = plain(addr)
		}
	}
	return from
}

// parseHost is the address in host:port; the zero address if there is none.
func parseHost(hostport string) netip.Addr {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		return netip.Addr{}
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return plain(addr)
}

// plain is an address in the form in which it is compared.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }
