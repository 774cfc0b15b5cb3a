package pace

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

const (
	ms       = world.Millisecond
	interval = 100 * ms
)

// plant is a server whose work is a multiple of what it can do in the time it has, at level zero. It is looked at ten times in an
// interval.
type plant struct {
	pace    Pace
	now     world.Time
	late    world.Time
	clients int
	slower  int // by how many parts of a hundred it is slower once it is late
}

func newPlant(c Config) *plant { return &plant{pace: New(c), clients: 100} }

// run lets time pass under a load in percent.
func (x *plant) run(t *testing.T, load int, d world.Time) (most world.Time) {
	t.Helper()
	for end := x.now + d; x.now < end; x.now += interval / 10 {
		work := load
		if x.late > interval/4 {
			work += load * x.slower / 100
		}
		x.late = max(0, x.late+interval/10*world.Time(work)/world.Time(Stretch(100, x.pace.Level()))-interval/10)
		before := x.pace.Level()
		if x.pace.Note(x.now, x.late, interval, x.clients) != (x.pace.Level() != before) {
			t.Fatalf("at %v: the level is %d and was %d", x.now, x.pace.Level(), before)
		}
		most = max(most, x.late)
	}
	return most
}

func defaults() Config { return Config{Stretch: fixed.FromInt(8), Refuse: fixed.Ratio(3, 2)} }

// A server that keeps up is left as it is, however little time it has to itself.
func TestKeepsUp(t *testing.T) {
	x := newPlant(defaults())
	x.run(t, 99, 10*world.Second)
	if x.pace.Level() != 0 || x.pace.Full() {
		t.Errorf("level %d, full %v", x.pace.Level(), x.pace.Full())
	}
}

// One that has twice as much to do as it can lets about twice as long pass, is not late by more than an interval on the way there
// nor by more than a few hundredths of it for long, and is back within two seconds once the load is gone.
func TestTwiceTheLoad(t *testing.T) {
	x := newPlant(defaults())
	x.run(t, 200, 4*world.Second)
	late := x.run(t, 200, 4*world.Second)
	if stretch := Stretch(100, x.pace.Level()); stretch < 190 || stretch > 260 {
		t.Errorf("slows down to %d%%", stretch)
	}
	if late > interval {
		t.Errorf("it is late by up to %v", late)
	}
	if !x.pace.Full() {
		t.Error("newcomers are let in")
	}
	x.clients = 25
	x.run(t, 50, world.Second)
	if x.pace.Level() != 0 || x.pace.Full() {
		t.Errorf("a second after most have left the level is %d, full %v", x.pace.Level(), x.pace.Full())
	}
}

// If nobody has left, and there is less to do all the same, it takes longer to find out.
func TestLighterLoad(t *testing.T) {
	x := newPlant(defaults())
	x.run(t, 200, 10*world.Second)
	x.run(t, 50, 6*world.Second)
	if x.pace.Level() != 0 {
		t.Errorf("after six seconds the level is %d", x.pace.Level())
	}
}

// A server that could keep up, but once it is late is too slow for that, gets over being late and is not slowed down for long.
func TestLateServersAreSlower(t *testing.T) {
	x := newPlant(defaults())
	x.slower = 30
	sum, n, late := 0, 0, 0
	for range 20 {
		x.run(t, 92, 1300*ms)
		x.late += 40 * ms // something else has taken the time
		for range 13 {
			if x.run(t, 92, 100*ms) > interval/4 {
				late++
			}
			sum += int(Stretch(100, x.pace.Level()))
			n++
		}
	}
	if mean := sum / n; mean > 115 {
		t.Errorf("slowed down to %d%% on average", mean)
	}
	if 100*late > 35*n {
		t.Errorf("late in %d%% of the time", 100*late/n)
	}
}

// It goes no further than it may.
func TestLimits(t *testing.T) {
	x := newPlant(Config{Stretch: fixed.FromInt(2), Refuse: fixed.FromInt(3)})
	x.run(t, 1000, 10*world.Second)
	if got := Stretch(1000, x.pace.Level()); got > 2000 || got < 1880 || x.pace.Full() {
		t.Errorf("slowed down to %d thousandths, full %v", got, x.pace.Full())
	}
	never := newPlant(Config{Stretch: fixed.FromInt(1), Refuse: fixed.FromInt(1)})
	never.run(t, 1000, 10*world.Second)
	if never.pace.Level() != 0 || never.pace.Full() {
		t.Errorf("one that never slows down is at level %d", never.pace.Level())
	}
}

// A moment of lateness, such as a pause of the whole process, is nothing to act upon.
func TestHiccup(t *testing.T) {
	x := newPlant(defaults())
	x.run(t, 50, world.Second)
	x.late = 300 * ms
	x.run(t, 50, world.Second)
	if x.pace.Level() != 0 {
		t.Errorf("level %d", x.pace.Level())
	}
}
