package interpolation

import (
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

const ms = world.Millisecond

// marbles is the world of the tests; its marbles go on in straight lines.
var marbles = mechanismtest.Marbles(3)

func marble(x fixed.F, vx fixed.F) *world.Object {
	return &world.Object{ID: 1, Kind: mechanismtest.Marble, Pos: fixed.Vec{X: x}, Vel: fixed.Vec{X: vx}}
}

func (t *Track) shown(moment, fresh world.Time) *world.Object {
	var o world.Object
	t.Show(marbles, moment, fresh, &o)
	return &o
}

func (t *Track) want(tt *testing.T, moment world.Time, x fixed.F) {
	tt.Helper()
	if got := t.shown(moment, 0).Pos.X; got != x {
		tt.Errorf("at %v it is shown at %v, want %v", moment, got, x)
	}
}

func TestBetweenSamples(t *testing.T) {
	var track Track
	track.Hear(100*ms, marble(10*fixed.One, 0), 0, nil)
	track.Hear(200*ms, marble(20*fixed.One, 0), 0, nil)
	track.Hear(300*ms, marble(20*fixed.One, 0), 0, nil)
	for _, c := range []struct {
		moment world.Time
		x      fixed.F
	}{{0, 10 * fixed.One}, {100 * ms, 10 * fixed.One}, {150 * ms, 15 * fixed.One}, {200 * ms, 20 * fixed.One}, {250 * ms, 20 * fixed.One}, {900 * ms, 20 * fixed.One}} {
		track.want(t, c.moment, c.x)
	}
}

func TestWhatCannotBeHalvedWaits(t *testing.T) {
	var track Track
	from, to := marble(0, 0), marble(0, 0)
	to.Attr[mechanismtest.MarbleHits] = 5
	track.Hear(0, from, 0, nil)
	track.Hear(100*ms, to, 0, nil)
	if got := track.shown(99*ms, 0).Attr[mechanismtest.MarbleHits]; got != 0 {
		t.Errorf("%d hits before they have happened", got)
	}
	if got := track.shown(100*ms, 0).Attr[mechanismtest.MarbleHits]; got != 5 {
		t.Errorf("%d hits when they have, want 5", got)
	}
}

func TestTurnsTheShortWay(t *testing.T) {
	s := &world.Schema{Kinds: []world.Kind{{Variables: []world.Variable{{Slot: world.AttrSlot(0), Type: world.Angle}}}}}
	angle := func(degrees int64) *world.Object {
		return &world.Object{Attr: [world.MaxAttributes]int64{int64(fixed.Degrees(degrees))}}
	}
	o := *angle(350)
	approach(s, &o, angle(10), fixed.One/2)
	if off := int32(fixed.Angle(o.Attr[0])); off < -2 || off > 2 {
		t.Errorf("half-way from 350 to 10 degrees is %d", o.Attr[0])
	}
}

// Beyond the last sample the rules guess, from when the object is known to have been so, and not for ever.
func TestBeyondTheLastSample(t *testing.T) {
	var track Track
	track.Hear(125*ms, marble(10*fixed.One, 8*fixed.One), 0, nil)
	track.want(t, 250*ms, 11*fixed.One)
	track.want(t, 125*ms+2*guess, 18*fixed.One)
	if got := track.shown(250*ms, 250*ms).Pos.X; got != 10*fixed.One {
		t.Errorf("shown at %v though it is known not to have moved", got)
	}
}

// An object that was guessed wrongly moves from where it is shown to where it is to be; it does not jump.
func TestMovesFromWhereItIsShown(t *testing.T) {
	var track Track
	track.Hear(0, marble(0, 80*fixed.One), 0, nil)
	shown := track.shown(125*ms, 0) // at 10, but it had stopped
	track.Hear(225*ms, marble(2*fixed.One, 0), 125*ms, shown)
	track.want(t, 125*ms, 10*fixed.One)
	track.want(t, 175*ms, 6*fixed.One)
	track.want(t, 225*ms, 2*fixed.One)
}

func TestOldSamplesAreNotUsed(t *testing.T) {
	var track Track
	track.Hear(200*ms, marble(2*fixed.One, 0), 0, nil)
	track.Hear(100*ms, marble(9*fixed.One, 0), 0, nil)
	track.want(t, 200*ms, 2*fixed.One)
	track.Hear(200*ms, marble(3*fixed.One, 0), 0, nil) // another word on the same moment
	track.want(t, 200*ms, 3*fixed.One)
	track.Clear()
	if !track.Empty() {
		t.Error("not empty after Clear")
	}
}

// Whatever arrives when, what is shown moves no faster than the samples say, so long as they come before they are needed.
func TestNoJumpsInTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var track Track
		x, moment := fixed.F(0), world.Time(0)
		const speed = 100 * fixed.One // at most, per second
		next := world.Time(0)
		last := fixed.F(0)
		for now := world.Time(0); now < 2*world.Second; now += 10 * ms {
			for next <= now+150*ms { // heard well before it is shown
				track.Hear(next, marble(x, 0), moment, track.shownOr(moment))
				gap := world.Time(rapid.Int64Range(10, 60).Draw(t, "gap")) * ms
				x += fixed.F(rapid.Int64Range(-100, 100).Draw(t, "way")).Mul(speed.Mul(world.Seconds(gap))) / 100
				next += gap
			}
			moment = now
			got := track.shown(moment, 0).Pos.X
			if step := (got - last).Abs(); now > 0 && step > speed.Mul(world.Seconds(10*ms))+fixed.One/1000 {
				t.Fatalf("at %v it moved by %v in 10 ms", now, step)
			}
			last = got
		}
	})
}

func (t *Track) shownOr(moment world.Time) *world.Object {
	if t.Empty() {
		return nil
	}
	return t.shown(moment, 0)
}

func TestPlaybackStaysBehind(t *testing.T) {
	p := NewPlayback(50 * ms)
	r := random.New(1, "playback")
	shown := world.Time(0)
	early := 0
	for i := range 2000 {
		moment := world.Time(i) * 50 * ms
		now := moment + 100*ms + world.Time(r.Below(uint64(20*ms)))
		p.Hear(now, moment)
		next := p.Moment(now)
		if next < shown {
			t.Fatalf("at %v it goes back from %v to %v", now, shown, next)
		}
		shown = next
		if i > 100 && next > moment {
			early++
		}
	}
	if early > 0 {
		t.Errorf("%d times something was to be shown of which nothing had arrived", early)
	}
	if lag := 1999*50*ms + 110*ms - shown; lag < 150*ms || lag > 190*ms {
		t.Errorf("it shows what was %v ago; the network takes 100 to 120 ms and the delay is 50 ms", lag)
	}
}

// Clocks need not agree.
func TestPlaybackWithAnotherClock(t *testing.T) {
	p := NewPlayback(50 * ms)
	p.Hear(100*ms, 3600*world.Second)
	if got := p.Moment(150 * ms); got != 3600*world.Second {
		t.Errorf("it shows %v, want an hour", got)
	}
}

func BenchmarkShow(b *testing.B) {
	var track Track
	track.Hear(0, marble(0, fixed.One), 0, nil)
	track.Hear(world.Second, marble(fixed.One, fixed.One), 0, nil)
	o := new(world.Object)
	b.ReportAllocs()
	for b.Loop() {
		track.Show(marbles, 500*ms, 0, o)
	}
}
