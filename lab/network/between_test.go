package network

import (
	"strings"
	"testing"

	"throng/world"
)

func TestPathsBetweenRoles(t *testing.T) {
	const ms = world.Millisecond
	roles := []string{"server", "server", "client", "client", "registry"}
	m := build(t, "constant", 5, "delay=100ms loss=0 between.client-server.delay=30ms between.server-server.delay=0s "+
		"between.registry-client.loss=1 between.client-client.jitter=10ms")
	if got := m.Fate(0, 1, 3, 100); got.Delays[0] != 100*ms {
		t.Errorf("before anybody has a role: %+v", got)
	}
	if err := Assign(m, roles); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, to uint32
		want     world.Time // negative for lost
	}{{1, 3, 30 * ms}, {4, 2, 30 * ms}, {1, 2, 0}, {5, 3, -1}, {3, 5, -1}, {1, 5, 100 * ms}, {5, 2, 100 * ms}} {
		got := m.Fate(world.Second, c.from, c.to, 100)
		if got.N == 0 && c.want >= 0 || got.N > 0 && got.Delays[0] != c.want {
			t.Errorf("from %d to %d: %+v, want %v", c.from, c.to, got, c.want)
		}
	}
	var sum world.Time
	for range samples {
		delay := m.Fate(2*world.Second, 3, 4, 100).Delays[0]
		if delay < 100*ms {
			t.Fatalf("jitter takes time away: %v", delay)
		}
		sum += delay
	}
	if mean := sum / samples; mean < 109*ms || mean > 111*ms {
		t.Errorf("the mean between clients is %v", mean)
	}
}

// What is said about some pairs does not change what the others meet.
func TestPathsShiftNobody(t *testing.T) {
	roles := []string{"server", "client", "client"}
	plain := build(t, "exponential", 3, "loss=0.1 duplicate=0.1")
	other := build(t, "exponential", 3, "loss=0.1 duplicate=0.1 between.client-server.delay=10ms between.client-server.loss=0.5")
	if err := Assign(other, roles); err != nil {
		t.Fatal(err)
	}
	for i := range world.Time(1000) {
		other.Fate(i, 1, 2, 100)
		if a, b := plain.Fate(i, 2, 3, 100), other.Fate(i, 2, 3, 100); a != b {
			t.Fatalf("%+v has become %+v", a, b)
		}
	}
}

func TestPathErrors(t *testing.T) {
	roles := []string{"server", "client", "client"}
	for settings, want := range map[string]string{
		"between.client-sever.delay=1s":                                 `between: "client-sever" is no pair of roles; allowed: client-client, client-server, server-server; did you mean "client-server"?`,
		"between.peer.delay=1s":                                         `between: "peer" is no pair of roles; allowed: client-client, client-server, server-server`,
		"between.client-server.delay=1s between.server-client.delay=1s": `between: "server-client" names roles that are named in the other order too; allowed: one of both`,
	} {
		err := Assign(build(t, "constant", 3, settings), roles)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", settings, err, want)
		}
	}
	_, err := configure(t, "constant", "burst=2 between.a-b.loss=0.9").New(1, 2)
	if want := `between.a-b.loss: "0.9" is too large for burst=2`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
