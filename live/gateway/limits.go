package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// bucket allows so many units in a period on average, and a period's worth at once.
type bucket struct {
	level float64 // what may be taken now
	last  int64   // when something was last wanted, in nanoseconds since 1970; zero for never
}

// take reports whether n units may be taken now where so many may be in a period.
func (b *bucket) take(now time.Time, n, allowed int, period time.Duration) bool {
	most, at := float64(allowed), now.UnixNano()
	if b.last == 0 {
		b.level = most
	} else {
		b.level = min(most, b.level+most*(float64(max(0, at-b.last))/float64(period)))
	}
	b.last = at
	if b.level < float64(n) {
		return false
	}
	b.level -= float64(n)
	return true
}

// doormen keep count of connections and joins, by the address that they come from.
type doormen struct {
	limits *Limits

	mu    sync.Mutex
	hosts map[netip.Addr]*doorman
	open  int
}

type doorman struct {
	open  int
	joins bucket
}

func newDoormen(l *Limits) *doormen { return &doormen{limits: l, hosts: map[netip.Addr]*doorman{}} }

func (d *doormen) of(host netip.Addr) *doorman {
	m := d.hosts[host]
	if m == nil {
		m = &doorman{}
		d.hosts[host] = m
	}
	return m
}

// join reports whether somebody from a host may ask for a seat now.
func (d *doormen) join(host netip.Addr, now time.Time) bool {
	if host.IsLoopback() {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.of(host).joins.take(now, 1, d.limits.JoinsPerMinute, time.Minute)
}

// enter counts a connection in, unless there are too many.
func (d *doormen) enter(host netip.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.of(host)
	if d.open >= d.limits.Connections || m.open >= d.limits.ConnectionsPerHost && !host.IsLoopback() {
		return false
	}
	d.open++
	m.open++
	return true
}

// leave counts a connection out.
func (d *doormen) leave(host netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
	d.of(host).open--
}

// sweep forgets hosts of which nothing is left to remember.
func (d *doormen) sweep(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for host, m := range d.hosts {
		if m.open == 0 && now.UnixNano()-m.joins.last > int64(time.Minute) {
			delete(d.hosts, host)
		}
	}
}

// hostOf is the address that a request counts against.
func (g *Gateway) hostOf(r *http.Request) netip.Addr {
	if g.config.BehindProxy {
		// A proxy appends the address that it saw; what stands before it may be made up.
		list := r.Header.Values("X-Forwarded-For")
		if len(list) > 0 {
			last := list[len(list)-1]
			last = strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
			if addr, err := netip.ParseAddr(last); err == nil {
				return household(addr)
			}
		}
	}
	return parseHost(r.RemoteAddr)
}

func parseHost(hostport string) netip.Addr {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		return netip.Addr{}
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return household(addr)
}

// household is an address as far as it tells people apart: of IPv6 everybody has 64 bits to spare.
func household(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if a.Is4() || a.IsLoopback() {
		return a
	}
	p, err := a.Prefix(64)
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr()
}
