package gateway

import (
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"
)

func at(address string) source { return source{addr: netip.MustParseAddr(address)} }

func TestConnectionsAreCountedByNetwork(t *testing.T) {
	l := Limits{Connections: 12, ConnectionsPerHost: 2, JoinsPerMinute: 60}
	a := newAdmission(&l, requestsMax)
	operator := source{addr: netip.MustParseAddr("127.0.0.1"), exempt: true}
	for i, c := range []struct {
		from source
		want bool
	}{
		{at("192.0.2.1"), true}, {at("192.0.2.1"), true}, {at("192.0.2.1"), false}, {at("192.0.2.2"), true},
		{at("127.0.0.1"), true}, {at("127.0.0.1"), true}, {at("127.0.0.1"), false},
		{source{}, true}, {source{}, true}, {source{}, false}, // addresses that could not be read
		{operator, true}, {operator, true}, {operator, true}, {operator, true}, {operator, true},
		{operator, false}, {at("192.0.2.2"), false}, // in all
	} {
		if got := a.enter(c.from); got != c.want {
			t.Errorf("%d: %v from %v", i, got, c.from)
		}
	}
	a.leave(operator)
	if !a.enter(at("192.0.2.2")) || a.enter(at("192.0.2.2")) {
		t.Error("a place that was left is there for one")
	}
}

// Whoever has many IPv6 networks has little more than whoever has one.
func TestIPv6NetworksAreCountedTogether(t *testing.T) {
	l := Limits{Connections: 1000, ConnectionsPerHost: 2, JoinsPerMinute: 2}
	now := time.Now()
	for _, c := range []struct {
		name      string
		addresses func(i int) [16]byte
		want      int
	}{
		{"a /64", func(i int) [16]byte { return [16]byte{0: 0x20, 1: 1, 15: byte(i)} }, 2},
		{"a /56", func(i int) [16]byte { return [16]byte{0: 0x20, 1: 1, 7: byte(i)} }, 4},
		{"a /48", func(i int) [16]byte { return [16]byte{0: 0x20, 1: 1, 6: byte(i), 7: byte(i)} }, 8},
		{"different /48s", func(i int) [16]byte { return [16]byte{0: 0x20, 1: 1, 5: byte(i)} }, 100},
	} {
		a := newAdmission(&l, requestsMax)
		entered, joined := 0, 0
		for i := range 100 {
			from := source{addr: netip.AddrFrom16(c.addresses(i))}
			if a.enter(from) {
				entered++
			}
			if a.join(from, now) {
				joined++
			}
		}
		if entered != c.want || joined != c.want {
			t.Errorf("%s: %d connections and %d joins, want %d", c.name, entered, joined, c.want)
		}
	}
}

// One network that asks too much leaves its neighbours their share.
func TestRefusedJoinsUseNothingUp(t *testing.T) {
	l := Limits{JoinsPerMinute: 2}
	a := newAdmission(&l, requestsMax)
	now := time.Now()
	for range 100 {
		a.join(at("2001:db8::1"), now)
	}
	if !a.join(at("2001:db8:0:1::1"), now) {
		t.Error("a neighbour was refused")
	}
}

func TestJoinsAreAllowedAtARate(t *testing.T) {
	l := Limits{JoinsPerMinute: 60}
	a := newAdmission(&l, requestsMax)
	host, now := at("192.0.2.1"), time.Now()
	for range 60 {
		a.join(host, now)
	}
	if a.join(host, now) || !a.join(host, now.Add(time.Second)) || a.join(host, now.Add(time.Second)) {
		t.Error("a minute's worth at once, then one a second")
	}
}

func TestNetworksAreForgotten(t *testing.T) {
	l := Limits{Connections: 9, ConnectionsPerHost: 9, JoinsPerMinute: 60}
	a := newAdmission(&l, requestsMax)
	now := time.Now()
	a.enter(at("192.0.2.1"))
	a.join(at("192.0.2.2"), now)
	a.join(at("2001:db8::1"), now)
	a.sweep(now.Add(time.Second))
	if len(a.networks) != 5 {
		t.Errorf("%d networks are remembered", len(a.networks))
	}
	a.sweep(now.Add(2 * time.Minute))
	if len(a.networks) != 1 {
		t.Errorf("%d networks are remembered, of which one is connected", len(a.networks))
	}
	for i := range 2 * networksMax {
		a.join(source{addr: netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})}, now)
	}
	if len(a.networks) > networksMax {
		t.Errorf("%d networks are remembered", len(a.networks))
	}
}

func TestSourceOfARequest(t *testing.T) {
	plain, proxied := open(t, nil), open(t, func(c *Config) { c.BehindProxy = true })
	for _, c := range []struct {
		site              *site
		remote, forwarded string
		want              string
	}{
		{plain, "192.0.2.1:99", "", "192.0.2.1"},
		{plain, "192.0.2.1:99", "198.51.100.7", "192.0.2.1"},
		{plain, "[2001:db8:1:2:3:4:5:6%eth0]:99", "", "2001:db8:1:2:3:4:5:6"},
		{plain, "[::ffff:192.0.2.1]:99", "", "192.0.2.1"},
		{plain, "[::1]:99", "", "::1"},
		{plain, "pipe", "", "invalid IP"},
		{proxied, "127.0.0.1:99", "198.51.100.7", "198.51.100.7"},
		{proxied, "127.0.0.1:99", "1.1.1.1, 198.51.100.7", "198.51.100.7"},
		{proxied, "127.0.0.1:99", "nonsense", "127.0.0.1"},
		{proxied, "127.0.0.1:99", "", "127.0.0.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := c.site.sourceOf(r).addr.String(); got != c.want {
			t.Errorf("%s (%s): %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}
