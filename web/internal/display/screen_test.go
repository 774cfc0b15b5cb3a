package display

import (
	"testing"
	"unsafe"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
	"throng/worlds/crowd"
	"throng/worlds/swarm"
)

const ms = world.Millisecond

// hive is a swarm and a state of it with one bee, the first user's, that flies east at 100 px/s.
func hive(t *testing.T) (world.World, *world.State, world.ID) {
	t.Helper()
	config := param.Default[swarm.Config]()
	w := worldtest.Make[world.World](t, &config)
	kind, _ := w.Schema().Kind("bee")
	s := world.NewState(w.Schema(), 1)
	bee := s.Put(world.Object{ID: 2, User: 1, Kind: kind})
	bee.Pos = fixed.Vec{X: 100 * fixed.One, Y: 300 * fixed.One}
	bee.Vel = fixed.Vec{X: 100 * fixed.One}
	return w, s, bee.ID
}

// The page reads records at these offsets.
func TestRecordLayout(t *testing.T) {
	var r Record
	for name, pair := range map[string][2]uintptr{
		"ID": {unsafe.Offsetof(r.ID), 0}, "User": {unsafe.Offsetof(r.User), 8}, "Kind": {unsafe.Offsetof(r.Kind), 12},
		"Flags": {unsafe.Offsetof(r.Flags), 14}, "X": {unsafe.Offsetof(r.X), 16}, "VX": {unsafe.Offsetof(r.VX), 24},
		"Attr": {unsafe.Offsetof(r.Attr), 32}, "the end": {unsafe.Sizeof(r), 96},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is at %d, not %d", name, pair[0], pair[1])
		}
	}
}

func TestMovesBetweenTicks(t *testing.T) {
	w, state, _ := hive(t)
	s := NewScreen(w)
	for _, now := range []world.Time{0, 10 * ms, 25 * ms, 49 * ms} {
		s.Update(state, 1, now)
		if got, want := s.Shown()[0].X, 100+float32(now)/1e7; got < want-0.01 || got > want+0.01 {
			t.Errorf("at %v the bee is at %v instead of %v", now, got, want)
		}
	}
}

func TestFlags(t *testing.T) {
	w, state, _ := hive(t)
	s := NewScreen(w)
	s.Update(state, 1, 0)
	if f := s.Shown()[0].Flags; f != Own {
		t.Errorf("flags %b for the bee's user", f)
	}
	s.Update(state, 2, 10*ms)
	if f := s.Shown()[0].Flags; f != 0 {
		t.Errorf("flags %b for somebody else", f)
	}
}

// A bee turns out to be 20 px beside where it was expected: it is shown where it was expected and moves over.
func TestCorrectionsFade(t *testing.T) {
	w, state, bee := hive(t)
	s := NewScreen(w)
	s.Update(state, 1, 49*ms)
	o := state.Edit(bee)
	o.Pos = fixed.Vec{X: 105 * fixed.One, Y: 320 * fixed.One}
	last := float32(300)
	for now := 50 * ms; now < 100*ms; now += 10 * ms {
		s.Update(state, 1, now)
		y := s.Shown()[0].Y
		if y < last || y-last > 5 {
			t.Errorf("at %v the bee jumped from %v to %v", now, last, y)
		}
		last = y
	}
	o.Pos.X += 5 * fixed.One
	for now := 100 * ms; now < 700*ms; now += 10 * ms {
		s.Update(state, 1, now)
	}
	if y := s.Shown()[0].Y; y < 319.5 {
		t.Errorf("after half a second the bee is at %v, not at 320", y)
	}
}

func TestWideJumpsAreShown(t *testing.T) {
	w, state, bee := hive(t)
	s := NewScreen(w)
	s.Update(state, 1, 49*ms)
	state.Edit(bee).Pos = fixed.Vec{X: 500 * fixed.One, Y: 300 * fixed.One}
	s.Update(state, 1, 50*ms)
	if x := s.Shown()[0].X; x != 500 {
		t.Errorf("the bee is at %v after a jump to 500", x)
	}
}

func TestRawShowsTicks(t *testing.T) {
	w, state, bee := hive(t)
	s := NewScreen(w)
	s.Raw = true
	s.Update(state, 1, 49*ms)
	if x := s.Shown()[0].X; x != 100 {
		t.Errorf("the bee is at %v between ticks", x)
	}
	state.Edit(bee).Pos.Y = 320 * fixed.One
	s.Update(state, 1, 50*ms)
	if y := s.Shown()[0].Y; y != 320 {
		t.Errorf("the bee is at %v after a correction to 320", y)
	}
}

func TestNobodyLooked(t *testing.T) {
	w, state, bee := hive(t)
	s := NewScreen(w)
	s.Update(state, 1, 0)
	state.Edit(bee).Pos.Y = 320 * fixed.One
	s.Update(state, 1, 2000*ms)
	if r := s.Shown()[0]; r.Y != 320 {
		t.Errorf("two seconds later the bee is at %v, not at 320", r.Y)
	}
}

func TestComeAndGo(t *testing.T) {
	w, state, bee := hive(t)
	s := NewScreen(w)
	s.Update(state, 1, 0)
	kind := state.Get(bee).Kind
	state.Put(world.Object{ID: 1, Kind: kind})
	state.Put(world.Object{ID: 9, Kind: kind})
	s.Update(state, 1, 10*ms)
	ids := ""
	for _, r := range s.Shown() {
		ids += string(rune('0' + int(r.ID)))
	}
	if ids != "129" {
		t.Errorf("shown %s, %+v", ids, s.Shown())
	}
	state.Remove(bee)
	s.Update(state, 1, 20*ms)
	if n := len(s.Shown()); n != 2 {
		t.Errorf("%d objects after one went", n)
	}
}

func TestBetween(t *testing.T) {
	w, from, bee := hive(t)
	to := from.Clone()
	to.Edit(bee).Pos.X = 140 * fixed.One
	l := NewLister(w.Schema())
	list := l.Between(nil, from, to, 0.25, 1)
	if list[0].X != 110 || list[0].Flags != Own {
		t.Errorf("a quarter of the way from 100 to 140 is %+v", list[0])
	}
	to.Edit(bee).Pos.X = 700 * fixed.One
	if list = l.Between(list, from, to, 0.25, 1); list[0].X != 100 {
		t.Errorf("on the way of a jump the bee is at %v", list[0].X)
	}
	to.Remove(bee)
	if list = l.Between(list, from, to, 0.25, 1); len(list) != 1 || list[0].X != 100 {
		t.Errorf("a bee that goes is %+v", list)
	}
}

func TestAttributesAreReadable(t *testing.T) {
	w, state, bee := hive(t)
	o := state.Edit(bee)
	o.SetFixed(0, 3*fixed.One/2) // ax
	o.Attr[2] = 1                // dead
	r := NewLister(w.Schema()).List(nil, state, 0)[0]
	if r.Attr[0] != 1.5 || r.Attr[2] != 1 {
		t.Errorf("attributes %v", r.Attr)
	}
}

func BenchmarkScreen(b *testing.B) {
	config := param.Default[swarm.Config]()
	config.Bees = 1000
	w := worldtest.Make[world.World](b, &config)
	state := world.NewState(w.Schema(), 1)
	w.Populate(state)
	s := NewScreen(w)
	b.ReportAllocs()
	now := world.Time(0)
	for b.Loop() {
		now += 16 * ms
		s.Update(state, 1, now)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(state.Len()), "ns/object")
}

// blind is a world in which users see what is theirs.
type blind struct{ world.World }

func (blind) Sees(_ *world.State, u world.User, o *world.Object) bool { return o.User == u }

func TestWhatIsHiddenIsNotShown(t *testing.T) {
	w, state, bee := hive(t)
	state.Put(world.Object{ID: 9, Kind: state.Get(bee).Kind, User: 1})
	state.Edit(bee).User = 2
	s := NewScreen(blind{w})
	s.Update(state, 1, 0)
	if list := s.Shown(); len(list) != 1 || list[0].ID != 9 {
		t.Errorf("shown: %+v", list)
	}
}

// What people say is shown in whatever world they can speak.
func TestSaid(t *testing.T) {
	config := param.Default[crowd.Config]()
	town := worldtest.Make[world.World](t, &config)
	spoken := town.(world.Spoken)
	action := spoken.Say("hello")
	s := world.NewState(town.Schema(), 1)
	o := world.Object{ID: 7, User: 1, Kind: spoken.Speech()}
	copy(o.Attr[:], action.Args[:])
	s.Put(o)
	s.Put(world.Object{ID: 8, User: 1, Kind: 0, Attr: o.Attr})
	for id, want := range map[world.ID]string{7: "hello", 8: "", 9: ""} {
		if got := Said(town, s, id); got != want {
			t.Errorf("%d says %q", id, got)
		}
	}
	bees, state, bee := hive(t)
	if got := Said(bees, state, bee); got != "" {
		t.Errorf("a bee says %q", got)
	}
}
