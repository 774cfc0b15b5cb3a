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
	pace Pace
	now  world.Time
	late world.Time
}

func newPlant(c Config) *plant { return &plant{pace: New(c)} }

// run lets time pass under a load in percent.
func (x *plant) run(t *testing.T, load int, d world.Time) (most world.Time) {
	t.Helper()
	for end := x.now + d; x.now < end; x.now += interval / 10 {
		x.late = max(0, x.late+interval/10*world.Time(load)/world.Time(Stretch(100, x.pace.level))-interval/10)
		before := x.pace.Level()
		if x.pace.Note(x.now, x.late, interval) != (x.pace.Level() != before) {
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
	x.run(t, 50, 2*world.Second)
	if x.pace.Level() != 0 || x.pace.Full() {
		t.Errorf("two seconds after the load is gone the level is %d, full %v", x.pace.Level(), x.pace.Full())
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
