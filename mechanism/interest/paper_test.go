package interest

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// traffic is what servers upload in a run of scattered nomads, by class, and how many objects servers and clients simulate.
type traffic struct {
	bytes              [mechanism.Classes]int
	servers, simulated int
	clients            int
}

func (t *traffic) total() (n int) {
	for _, b := range t.bytes {
		n += b
	}
	return n
}

func measure(t *testing.T, change func(*Config)) traffic {
	t.Helper()
	const users, each = 20, 10
	r := newRig(t, settled{newNomads(users, each)}, func(c *Config) {
		c.Columns, c.Rows = 2, 2 // with many more users than servers, as there
		if change != nil {
			change(c)
		}
	})
	var sum traffic
	r.Observe = func(c *mechanismtest.Call) {
		for i := range c.Out.Sends() {
			if m := c.Out.Message(i, c.Node); int(m.From) <= configOf(r).Len() && r.Now() > world.Second {
				sum.bytes[m.Class] += len(m.Payload)
			}
		}
	}
	r.Play(200)
	for _, s := range servers(r) {
		sum.simulated += s.Simulates()
		sum.servers++
	}
	for u := world.User(1); u <= users; u++ {
		if _, ok := r.Node(configOf(r).Admit(u).ID).(mechanism.Simulating); ok {
			sum.clients++
		}
	}
	return sum
}

// The source's first result: of the update-based ways a single area of interest uploads by far the most, then proxies, and
// areas around each avatar the least.
func TestPaperOrderOfUploads(t *testing.T) {
	multiple := measure(t, nil)
	proxy := measure(t, func(c *Config) { c.Proxy = true })
	single := measure(t, func(c *Config) { c.Interest = Single })
	if !(single.total() > proxy.total() && proxy.total() > multiple.total()) {
		t.Errorf("single %d B, proxy %d B, multiple %d B", single.total(), proxy.total(), multiple.total())
	}
}

// Its second: what servers upload with areas around each avatar is updates; commands are next to nothing.
func TestPaperUploadsAreUpdates(t *testing.T) {
	m := measure(t, nil)
	updates, commands := m.bytes[mechanism.Update], m.bytes[mechanism.Command]
	if toClients := updates + commands; updates*100 < toClients*95 || commands*100 > m.total()*5 {
		t.Errorf("updates %d B and commands %d B of %d B", updates, commands, m.total())
	}
}

// Also its second: each server computes the objects of its area, and clients none.
func TestPaperWorkIsDivided(t *testing.T) {
	m := measure(t, nil)
	if m.servers != 4 || m.simulated > 200 || m.simulated < 180 || m.clients != 0 { // some are on their way
		t.Errorf("%d servers simulate %d objects of 200, and %d clients some", m.servers, m.simulated, m.clients)
	}
}
