package balance

import (
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism/parts/hexagon"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

const step = 250 * world.Millisecond // how often zones look at their load

var config = Config{Undo: fixed.Ratio(7, 10), Hold: 2 * world.Second, Repeat: world.Second}

// field is a map of zones whose people stay where they are: of each zone, how many are in its core and in the part next to each
// neighbour. Who is to be in another zone is there after some time.
type field struct {
	now     world.Time
	room    int
	zones   []*Zone
	to      [][]int // the neighbours of each
	people  [][]int // by part; the core last
	with    [][]int // with which zone those of each part are
	notes   []letter
	delay   func() world.Time
	lost    func() bool
	changes int // of who has which part
}

type letter struct {
	at       world.Time
	from, to int
	note     Note
}

func newField(zones, room int) *field {
	m := hexagon.Fit(fixed.Box{Max: fixed.Vec{X: 1000 * fixed.One, Y: 1000 * fixed.One}}, zones)
	f := &field{room: room, delay: func() world.Time { return 0 }, lost: func() bool { return false }}
	for z := range zones {
		var to, with []int
		for _, b := range m.Neighbours(z) {
			to, with = append(to, b.Zone), append(with, z)
		}
		f.to, f.with = append(f.to, to), append(f.with, with)
		f.people = append(f.people, make([]int, len(to)+1))
		f.zones = append(f.zones, New(config, len(to), 0))
	}
	return f
}

// side is which neighbour of one zone another is.
func (f *field) side(of, other int) int {
	for i, z := range f.to[of] {
		if z == other {
			return i
		}
	}
	panic("not neighbours")
}

func (f *field) load(z int) *Load {
	l := &Load{Room: f.room, Own: f.people[z][len(f.to[z])], Parts: make([]int, len(f.to[z])), Taken: make([]int, len(f.to[z]))}
	for i, other := range f.to[z] {
		if f.with[z][i] == z {
			l.Own += f.people[z][i]
		}
		l.Parts[i] = f.people[z][i]
		if j := f.side(other, z); f.with[other][j] == z {
			l.Own += f.people[other][j]
			l.Taken[i] = f.people[other][j]
		}
	}
	return l
}

// pass lets one step pass: zones look at their load, notes arrive, people go where they belong.
func (f *field) pass() {
	f.now += step
	tell := func(from int) func(int, Note) {
		return func(i int, n Note) {
			var r = wire.NewReader(n.Append(nil))
			if read := Read(&r); read != n || r.Done() != nil {
				panic("a note that is not read as it was written")
			}
			if !f.lost() {
				f.notes = append(f.notes, letter{f.now + f.delay(), from, f.to[from][i], n})
			}
		}
	}
	for z := range f.zones {
		f.zones[z].Step(f.now, f.load(z), tell(z))
	}
	for again := true; again; {
		again = false
		var kept []letter
		due := f.notes
		f.notes = nil
		for _, l := range due {
			if l.at > f.now {
				kept = append(kept, l)
				continue
			}
			f.zones[l.to].Hear(f.now, f.side(l.to, l.from), l.note, f.load(l.to), tell(l.to))
			again = true
		}
		f.notes = append(kept, f.notes...)
	}
	for z := range f.zones {
		if f.zones[z].Changed() {
			f.changes++
		}
		for i, other := range f.to[z] {
			if f.with[z][i] = z; f.zones[z].Given(i) {
				f.with[z][i] = other
			}
		}
	}
}

// randomField is people anywhere, and a network that loses and delays.
func randomField(t *rapid.T) *field {
	f := newField(rapid.IntRange(2, 12).Draw(t, "zones"), 100)
	f.populate(t)
	f.delay = func() world.Time { return world.Time(rapid.IntRange(0, 4).Draw(t, "delay")) * step / 2 }
	f.lost = func() bool { return rapid.IntRange(0, 9).Draw(t, "lost") == 0 }
	return f
}

func (f *field) populate(t *rapid.T) {
	for z := range f.people {
		most := rapid.SampledFrom([]int{5, 20, 60}).Draw(t, "density")
		for i := range f.people[z] {
			f.people[z][i] = rapid.IntRange(0, most).Draw(t, "people")
		}
	}
}

// Whatever the loads are, and whatever they were before: once they stay as they are, who has which part stays so, too, after a bounded
// number of changes. Nobody overflows by what it takes, and who is full has asked all who have room.
func TestOscillationDiesOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := randomField(t)
		for range rapid.IntRange(0, 3).Draw(t, "histories") {
			for range rapid.IntRange(1, 40).Draw(t, "steps") {
				f.pass()
			}
			f.populate(t)
		}
		f.changes = 0
		f.delay, f.lost = func() world.Time { return 0 }, func() bool { return false }
		for range 4 * int(3*holdMax/world.Second) {
			f.pass()
		}
		if most := 4 * len(f.zones); f.changes > most {
			t.Fatalf("%d changes where nobody moves, in %d zones", f.changes, len(f.zones))
		}
		f.changes = 0
		for range 4 * 600 {
			f.pass()
		}
		if f.changes > 0 {
			t.Fatalf("%d changes in ten minutes, where nobody has moved for long", f.changes)
		}
		f.settled(t)
	})
}

// settled checks what holds once nothing changes any more.
func (f *field) settled(t *rapid.T) {
	for z := range f.zones {
		l := f.load(z)
		taken, given := 0, 0
		for i, other := range f.to[z] {
			taken += l.Taken[i]
			if f.zones[z].Given(i) != f.zones[other].Has(f.side(other, z)) {
				t.Fatalf("zones %d and %d do not agree", z, other)
			}
			if f.zones[z].Given(i) {
				given += f.people[z][i]
			}
		}
		if l.Own > f.room && taken > 0 {
			t.Fatalf("zone %d is full with %d, %d of them a neighbour's", z, l.Own, taken)
		}
		if given > 0 && l.Own+given <= f.room*6/10 {
			t.Fatalf("zone %d has given %d away, and would have %d", z, given, l.Own+given)
		}
		for i, other := range f.to[z] {
			next := f.load(other)
			if l.Own > f.room && !f.zones[z].Given(i) && !f.zones[other].sheds() && next.Own+f.people[z][i] < f.room {
				t.Fatalf("zone %d is full, and zone %d with %d of %d has not taken %d", z, other, next.Own, f.room, f.people[z][i])
			}
		}
	}
}

func (z *Zone) sheds() bool {
	for i := range z.shares {
		if z.shares[i].mine.wished {
			return true
		}
	}
	return false
}

// crowd is one zone with a full core and full parts, in the midst of six empty ones.
func crowd() (f *field, hot int) {
	f = newField(16, 100)
	for z := range f.to {
		if len(f.to[z]) == 6 {
			hot = z
		}
	}
	for i := range f.people[hot] {
		f.people[hot][i] = 20
	}
	return f, hot
}

// Section 3.3.3: who is full sheds its outer parts, each to the neighbour that it is next to, at once.
func TestAFullZoneSheds(t *testing.T) {
	f, hot := crowd()
	f.pass()
	if l := f.load(hot); l.Own != 20 {
		t.Errorf("%d are left", l.Own)
	}
	for i, other := range f.to[hot] {
		if !f.zones[hot].Given(i) || f.load(other).Own != 20 {
			t.Errorf("zone %d has %d", other, f.load(other).Own)
		}
	}
}

// Section 3.3.4: who would be full with what comes, or sheds itself, refuses.
func TestRefusal(t *testing.T) {
	f, hot := crowd()
	nearly, full := f.to[hot][0], f.to[hot][1]
	f.people[nearly][len(f.people[nearly])-1] = 90
	f.people[full][len(f.people[full])-1] = 150
	for range 8 {
		f.pass()
	}
	for i, want := range []bool{false, false, true, true, true, true} {
		if f.zones[hot].Given(i) != want {
			t.Errorf("neighbour %d: given %v", i, !want)
		}
	}
}

// Section 3.3.5: who becomes full hands back what it has taken, and sheds in turn.
func TestHandingBack(t *testing.T) {
	f, hot := crowd()
	f.pass()
	next := f.to[hot][0]
	f.people[next][len(f.people[next])-1] = 200
	f.pass()
	f.pass()
	if f.zones[hot].Given(0) || f.zones[next].Has(f.side(next, hot)) {
		t.Error("the part was not handed back")
	}
	if !f.zones[next].sheds() {
		t.Error("who is full does not shed")
	}
}

// Section 3.3.6: parts are taken back when all would fit into 70%, not before, and not at once.
func TestUndo(t *testing.T) {
	f, hot := crowd()
	f.pass()
	spread := func(each int) {
		for i := range f.people[hot] {
			f.people[hot][i] = each
		}
	}
	spread(11) // 77 of 100
	for range 80 {
		f.pass()
	}
	if !f.zones[hot].Given(0) {
		t.Error("parts are taken back with 77% of what there is room for")
	}
	spread(9)
	f.pass()
	if f.pass(); !f.zones[hot].Given(0) {
		t.Error("parts are taken back at once")
	}
	for range 16 {
		f.pass()
	}
	if f.zones[hot].Given(0) || f.load(hot).Own != 63 {
		t.Errorf("parts are not taken back: %d are in the zone", f.load(hot).Own)
	}
}

// A crowd that comes and goes has parts given and taken back less and less often.
func TestComingAndGoing(t *testing.T) {
	f, hot := crowd()
	count := func(minutes int) int {
		f.changes = 0
		for i := range minutes * 60 * 4 {
			each := 20
			if i/24%2 == 1 { // six seconds each
				each = 5
			}
			for j := range f.people[hot] {
				f.people[hot][j] = each
			}
			f.pass()
		}
		return f.changes
	}
	first, later := count(1), count(10)
	if first == 0 || later > first {
		t.Errorf("%d changes in the first minute, %d in the ten that follow", first, later)
	}
}

// With foresight a zone that fills sheds before it is full.
func TestForesight(t *testing.T) {
	for _, foresee := range []world.Time{0, 3 * world.Second} {
		f, hot := crowd()
		c := config
		c.Foresee = foresee
		f.zones[hot] = New(c, 6, 0)
		for i := range f.people[hot] {
			f.people[hot][i] = 0
		}
		core := len(f.people[hot]) - 1
		for f.people[hot][core] < 96 {
			f.people[hot][core]++
			f.pass()
		}
		if f.zones[hot].Given(0) != (foresee > 0) {
			t.Errorf("foresight of %v: given %v", foresee, f.zones[hot].Given(0))
		}
	}
}

// A zone that begins anew takes back what the one before had given.
func TestWhoBeginsAnewHasEverything(t *testing.T) {
	f, hot := crowd()
	f.pass()
	for i := range f.people[hot] {
		f.people[hot][i] = 1
	}
	f.zones[hot] = New(config, 6, 1000)
	f.pass()
	f.pass()
	for i, other := range f.to[hot] {
		if f.zones[hot].Given(i) || f.zones[other].Has(f.side(other, hot)) {
			t.Errorf("zone %d still has its part", other)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add((&Note{Number: 3, Wished: true, Count: 7, Answer: 9, Granted: true, Held: 2}).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := wire.NewReader(b)
		n := Read(&r)
		if r.Done() != nil {
			return
		}
		r = wire.NewReader(n.Append(nil))
		if again := Read(&r); again != n || r.Done() != nil {
			t.Errorf("%+v is read as %+v", n, again)
		}
	})
}
