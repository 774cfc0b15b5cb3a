package aos

import (
	"slices"
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
)

func none(int) bool { return false }

func managerOf(change func(*Config)) manager {
	c := param.Default[Config]()
	c.Columns, c.Rows = 4, 1
	c.Areas = 2
	change(&c)
	return newManager(&c)
}

func TestAttentionIsWhatTheUserHasAndSees(t *testing.T) {
	m := managerOf(func(*Config) {})
	// Artificial users look at wherever they have something.
	if v := m.attention(30*world.Second, 1, 25, 100); v != fixed.One/2+fixed.One/8 {
		t.Errorf("a quarter of the score and always on screen is %v", v)
	}
	if v := m.attention(30*world.Second, 1, 0, 100); v != 0 {
		t.Errorf("nothing there is %v", v)
	}
	// People say what is on their screen.
	m.watch(0, func(area int) bool { return area == 2 })
	m.watch(15*world.Second, none)
	m.count(30 * world.Second)
	if v := m.attention(30*world.Second, 2, 0, 100); v != fixed.One/4 {
		t.Errorf("on screen for half of the window is %v", v)
	}
	if v := m.attention(30*world.Second, 1, 100, 100); v != fixed.One/2 {
		t.Errorf("all of the score, out of sight, is %v", v)
	}
}

func TestTheBestAreasAreChosen(t *testing.T) {
	m := managerOf(func(c *Config) { c.Areas = 3 })
	if got := m.choose(30*world.Second, []int64{10, 0, 60, 30}, none, nil); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("chosen: %v", got)
	}
	m = managerOf(func(*Config) {})
	if got := m.choose(30*world.Second, []int64{10, 0, 60, 30}, none, nil); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("chosen: %v", got)
	}
	// The area that the user began in stays.
	m.base = 1
	if got := m.choose(60*world.Second, []int64{10, 0, 60, 30}, none, nil); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("chosen: %v", got)
	}
}

func TestLittleAttentionIsNotEnough(t *testing.T) {
	m := managerOf(func(c *Config) { c.Areas = 4 })
	m.watch(0, none)
	// On no screen, an area with a fifth of the score has a tenth of the attention: just not enough.
	if got := m.choose(30*world.Second, []int64{80, 20, 0, 0}, none, nil); !slices.Equal(got, []int{0}) {
		t.Errorf("chosen: %v", got)
	}
	if got := m.choose(60*world.Second, []int64{79, 21, 0, 0}, none, nil); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("chosen: %v", got)
	}
}

func TestHysteresisKeepsWhatIsThere(t *testing.T) {
	m := managerOf(func(c *Config) { c.Areas = 1 })
	has := func(area int) bool { return area == 0 }
	if got := m.choose(30*world.Second, []int64{48, 52, 0, 0}, has, nil); !slices.Equal(got, []int{0}) {
		t.Errorf("for little, %v is chosen", got)
	}
	if got := m.choose(60*world.Second, []int64{40, 60, 0, 0}, has, nil); !slices.Equal(got, []int{1}) {
		t.Errorf("for much, %v is chosen", got)
	}
}

func TestWhatCannotBeKeptUpWithIsLeftAlone(t *testing.T) {
	m := managerOf(func(*Config) {})
	m.bar(0, 2)
	scores := []int64{10, 0, 60, 30}
	if got := m.choose(29*world.Second, scores, none, nil); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("chosen: %v", got)
	}
	if got := m.choose(31*world.Second, scores, none, nil); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("chosen: %v", got)
	}
	m.bar(31*world.Second, 2)
	if got := m.choose(90*world.Second, scores, none, nil); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("the second time it takes twice as long, but %v is chosen", got)
	}
}

func TestFirstAreas(t *testing.T) {
	m := managerOf(func(*Config) {})
	if got := m.first(1, 1, []int64{1, 5, 3, 0}); !slices.Equal(got, []int{1}) || m.base != 1 {
		t.Errorf("dynamic: %v", got)
	}
	m = managerOf(func(c *Config) { c.Manage, c.Areas = Static, 3 })
	got := m.first(1, 1, []int64{1, 5, 3, 0})
	if len(got) != 3 || !slices.Contains(got, 1) {
		t.Errorf("static: %v", got)
	}
	m = managerOf(func(c *Config) { c.Areas = 0 })
	if got := m.first(1, 1, []int64{1, 5, 3, 0}); len(got) != 0 {
		t.Errorf("none are allowed, but %v are chosen", got)
	}
}

func TestQuota(t *testing.T) {
	q := quota{most: 2}
	for i, want := range []bool{true, true, false} {
		if q.take(world.Time(i), 30*world.Second) != want {
			t.Errorf("the %d. time", i+1)
		}
	}
	if !q.take(31*world.Second, 30*world.Second) {
		t.Error("a new window begins with nothing spent")
	}
}
