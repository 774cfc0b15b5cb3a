package aos

import (
	"cmp"
	"slices"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// manager chooses the areas that a client simulates, from what its user has in each and how long each was on screen.
type manager struct {
	config *Config
	base   int          // the area that is kept whatever happens, or below zero
	seen   []world.Time // how long each area was on screen in this window
	screen []bool       // whether it is now
	since  world.Time   // up to when seen is counted
	began  world.Time   // of the window
	human  bool         // whether somebody has ever said what is on screen
	barred []world.Time // until when the client is not to try an area again
	bars   []int        // how often it was barred from it
	levels []level
}

// level is how much attention an area gets.
type level struct {
	area  int
	value fixed.F
	rank  fixed.F // the same, and what it gets on top for being simulated already
}

func newManager(c *Config) manager {
	n := c.Len()
	return manager{config: c, base: -1, seen: make([]world.Time, n), screen: make([]bool, n), barred: make([]world.Time, n), bars: make([]int, n)}
}

// watch notes which areas are on screen from now on.
func (m *manager) watch(now world.Time, on func(area int) bool) {
	m.count(now)
	m.human = true
	for i := range m.screen {
		m.screen[i] = on(i)
	}
}

// count adds up to now how long areas were on screen.
func (m *manager) count(now world.Time) {
	for i, on := range m.screen {
		if on {
			m.seen[i] += now - m.since
		}
	}
	m.since = now
}

// bar keeps an area from being chosen for a window, and for twice as long each further time: its level of attention is taken
// to be zero.
func (m *manager) bar(now world.Time, area int) {
	m.barred[area] = now + m.config.Window<<min(m.bars[area], barsMax)
	m.bars[area]++
}

// barsMax is how often the time doubles.
const barsMax = 6

// choose ends a window and appends the areas to be simulated in the next one. Scores are what the user has in each area;
// has says which areas are simulated now.
func (m *manager) choose(now world.Time, scores []int64, has func(area int) bool, dst []int) []int {
	m.count(now)
	m.rank(now, scores, has)
	m.began = now
	clear(m.seen)
	if m.base >= 0 && now >= m.barred[m.base] && m.config.Areas > 0 {
		dst = append(dst, m.base)
	}
	for _, l := range m.levels {
		if len(dst) >= m.config.Areas {
			break
		}
		if l.area != m.base && l.rank > m.config.Threshold {
			dst = append(dst, l.area)
		}
	}
	slices.Sort(dst)
	return dst
}

// rank puts the areas in the order of attention.
func (m *manager) rank(now world.Time, scores []int64, has func(area int) bool) {
	var total int64
	for _, s := range scores {
		total += s
	}
	m.levels = m.levels[:0]
	for i, s := range scores {
		l := level{area: i, value: m.attention(now, i, s, total)}
		if l.rank = l.value; l.rank > 0 && has(i) {
			l.rank += m.config.Hysteresis
		}
		m.levels = append(m.levels, l)
	}
	slices.SortFunc(m.levels, func(a, b level) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.area, b.area))
	})
}

// attention is the level of attention of an area: the share of the user's score that is in it, and the share of the window
// in which it was on screen. For a user who never says what is on screen that is every area where the user has something.
func (m *manager) attention(now world.Time, area int, score, total int64) fixed.F {
	if now < m.barred[area] {
		return 0
	}
	var spatial, temporal fixed.F
	if total > 0 {
		spatial = fixed.Ratio(score, total)
	}
	switch length := now - m.began; {
	case !m.human && score > 0:
		temporal = fixed.One
	case m.human && length > 0:
		temporal = fixed.Ratio(int64(m.seen[area]), int64(length))
	}
	w := m.config.Spatial
	return w.Mul(spatial) + (fixed.One - w).Mul(temporal)
}

// first returns the areas that a user's client simulates from the start: the one that holds most of what the user has, and
// under static management as many others, picked at random, as are allowed.
func (m *manager) first(u world.User, seed uint64, scores []int64) []int {
	if m.config.Areas == 0 {
		return nil
	}
	for i, s := range scores {
		if s > 0 && (m.base < 0 || s > scores[m.base]) {
			m.base = i
		}
	}
	var chosen []int
	if m.base >= 0 {
		chosen = append(chosen, m.base)
	}
	if m.config.Manage == Static {
		r := random.New(seed, "areas", uint64(u))
		order := make([]int, len(scores))
		for i := range order {
			order[i] = i
		}
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			if i != m.base && len(chosen) < m.config.Areas {
				chosen = append(chosen, i)
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}

// quota limits how often something may happen to an area within a window.
type quota struct {
	most  int
	spent int
	until world.Time // the end of the window
}

// take reports whether it may happen once more.
func (q *quota) take(now, window world.Time) bool {
	if now >= q.until {
		q.spent, q.until = 0, now+window
	}
	if q.spent >= q.most {
		return false
	}
	q.spent++
	return true
}
