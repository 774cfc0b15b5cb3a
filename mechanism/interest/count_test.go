package interest

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// With "every", each client is sent each state that it sees in each tick, changed or not; what a proxy tells all other servers
// counts once, however many they are.
func TestStatesAreCountedAsInTheSource(t *testing.T) {
	const users, each, ticks = 6, 5, 40
	counted := func(change func(*Config)) (sum [mechanism.Classes]int) {
		r := newRig(t, settled{newNomads(users, each)}, func(c *Config) {
			c.Updates, c.Bands = Every, "full"
			c.Columns, c.Rows = 2, 2
			change(c)
		})
		r.Observe = func(c *mechanismtest.Call) {
			if r.Now() <= world.Second || int(c.Node) > configOf(r).Len() {
				return
			}
			for class, n := range c.Out.Items() {
				sum[class] += n
			}
		}
		r.Advance(world.Second)
		r.Advance(ticks * r.World.Schema().Tick)
		return sum
	}
	objects := users * each
	about := func(n, want int) bool { return 20*n >= 19*want && 20*n <= 21*want } // some come and go, others cross borders
	if n := counted(func(c *Config) { c.Interest = Single })[mechanism.Update]; !about(n, ticks*users*objects) {
		t.Errorf("the whole map: %d states in %d ticks, want %d", n, ticks, ticks*users*objects)
	}
	if n := counted(func(c *Config) { c.Proxy = true })[mechanism.Border]; !about(n, ticks*objects) {
		t.Errorf("proxies: %d states in %d ticks, want %d", n, ticks, ticks*objects)
	}
}
