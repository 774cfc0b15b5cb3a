package optimistic

import (
	"throng/mechanism/parts/memo"
	"throng/world"
)

// checkpoints are replicas that stayed behind in past states, oldest first. The younger they are, the denser they lie, so that the steps to
// redo from the nearest one grow in proportion to how far one must go back.
type checkpoints struct {
	states []*memo.Follower
	max    int
	reach  world.Tick // once the world is this old, the oldest checkpoint is too, and at most twice as old
}

// newCheckpoints begins with the state in which the world begins.
func newCheckpoints(max int, reach world.Tick, start *memo.Follower) checkpoints {
	c := checkpoints{max: max, reach: reach}
	c.add(start)
	return c
}

// tick is when a checkpoint was taken.
func (c *checkpoints) tick(i int) world.Tick { return c.states[i].State().Tick() }

// oldest is the tick of the oldest checkpoint.
func (c *checkpoints) oldest() world.Tick { return c.tick(0) }

// before returns the place of the newest checkpoint that is not after t. There is one unless t is before the oldest.
func (c *checkpoints) before(t world.Tick) int {
	i := len(c.states) - 1
	for c.tick(i) > t {
		i--
	}
	return i
}

// add takes a checkpoint of a state that is younger than all others. Another one gives its place where there are too many.
func (c *checkpoints) add(now *memo.Follower) {
	i := c.superfluous(now.State().Tick())
	if i < 0 {
		c.states = append(c.states, &memo.Follower{})
		c.states[len(c.states)-1].Visit(now)
		return
	}
	given := c.states[i]
	copy(c.states[i:], c.states[i+1:])
	c.states[len(c.states)-1] = given
	given.Visit(now)
}

// close gives up all checkpoints.
func (c *checkpoints) close() {
	for _, s := range c.states {
		s.Close()
	}
}

// bytes is the memory that the checkpoints take beside the state that they lead to: what each does not share with the next.
func (c *checkpoints) bytes(now *world.State) (sum int) {
	for i := len(c.states) - 1; i >= 0; i-- {
		s := c.states[i].State()
		sum += s.SizeBeside(now)
		now = s
	}
	return sum
}

// superfluous finds the checkpoint that is missed least when another one is taken now, or -1 where none need go.
//
// That is the oldest if its successor is old enough to be the oldest. Else it is the one whose absence leaves the smallest
// gap, relative to how long ago the gap begins: most actions are late by a tick or two, so these cost least. The successor
// of an oldest that is old enough must stay: passed over time and again it would never grow old itself, and the oldest never
// go.
func (c *checkpoints) superfluous(now world.Tick) int {
	last := len(c.states) - 1
	if last > 0 && now-c.tick(1) >= c.reach {
		return 0
	}
	if len(c.states) < c.max {
		return -1
	}
	first := 1
	if now-c.oldest() >= c.reach {
		first = 2
	}
	best := last
	bestGap, bestAge := world.Tick(1), world.Tick(1)
	for i := first; i < last; i++ {
		gap := c.tick(i+1) - c.tick(i-1)
		age := now - c.tick(i-1)
		if gap*bestAge < bestGap*age {
			best, bestGap, bestAge = i, gap, age
		}
	}
	return best
}
