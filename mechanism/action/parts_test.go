package action

import (
	"slices"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

func TestSlotsAreASet(t *testing.T) {
	r := random.New(1, "slots")
	var s, o slots
	want := map[int]bool{}
	for i := range 20_000 {
		k := int(r.Below(200))
		switch r.Below(3) {
		case 0:
			s.remove(k)
			delete(want, k)
		default:
			s.add(k)
			want[k] = true
		}
		if i%500 == 0 {
			s.clear()
			clear(want)
		}
		if s.has(k) != want[k] {
			t.Fatalf("has %d: %v", k, s.has(k))
		}
		o.copy(&s)
		list := o.list(nil)
		slices.Sort(list)
		if len(list) != len(want) || len(list) > 0 && s.lowest() != list[0] || len(list) == 0 && s.lowest() != none {
			t.Fatalf("%v instead of %v, the lowest %d", list, want, s.lowest())
		}
	}
}

// TestGroundFindsWhoIsNear compares with looking at everybody.
func TestGroundFindsWhoIsNear(t *testing.T) {
	r := random.New(1, "ground")
	for _, flat := range []bool{true, false} {
		g := newGround(10*fixed.One, flat)
		places := make([]place, 60)
		for range 2000 {
			slot := int(r.Below(60))
			p := place{known: r.Below(20) != 0, radius: r.Between(0, 5*fixed.One)}
			p.centre = fixed.Vec{X: r.Between(-100*fixed.One, 100*fixed.One), Y: r.Between(-100*fixed.One, 100*fixed.One)}
			if !flat {
				p.centre.Z = r.Between(-20*fixed.One, 20*fixed.One)
			}
			places[slot] = p
			g.move(slot, &p)
			if r.Below(10) == 0 {
				g.remove(slot)
				places[slot] = place{radius: -1}
			}
			from, distance := places[r.Below(60)].centre, r.Between(0, 40*fixed.One)
			var want []int
			for i := range places {
				q := &places[i]
				if q.known && q.centre.Within(from, distance+q.radius) || !q.known && q.radius >= 0 && i < len(g.in) && g.nowhere.has(i) {
					want = append(want, i)
				}
			}
			got := slices.Clone(g.near(from, distance))
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%v instead of %v", got, want)
			}
		}
	}
}

// TestClosureIsTheTransitiveOne compares with a search through the whole queue, backwards, as the source has it.
func TestClosureIsTheTransitiveOne(t *testing.T) {
	for seed := range uint64(300) {
		r := random.New(seed, "closure")
		o := newOrder(startOf(newTangle(1, 6)))
		m := &member{slot: 3}
		for range 30 {
			e := o.slot()
			e.Footprint.Reset()
			for id := world.ID(1); id <= 6; id++ {
				switch r.Below(6) {
				case 0:
					e.Footprint.Write(id)
				case 1:
					e.Footprint.Read(id)
				}
			}
			o.link(e)
			p := o.append(e)
			var c closure
			o.begin(&c)
			o.gather(m, p, &c)
			slices.Sort(c.positions)
			if want := backwards(&o, m, p); !slices.Equal(c.positions, want) {
				t.Fatalf("seed %d: at %d %v instead of %v", seed, p, c.positions, want)
			}
			if r.Below(2) == 0 {
				o.tell(m, &c)
			}
		}
	}
}

// backwards finds what an entry depends on that a client lacks. It keeps to what entries saw: an object that was read before it
// was written again needs its earlier writer.
func backwards(o *order, m *member, position uint64) []uint64 {
	needed := map[uint64]bool{position: true}
	for p := position; p >= o.first; p-- {
		if !needed[p] || o.at(p).sent.has(m.slot) {
			delete(needed, p)
			continue
		}
		for _, id := range o.at(p).Footprint.Reads {
			for w := p - 1; w >= o.first; w-- {
				if o.at(w).Footprint.Writes.Has(id) {
					needed[w] = true
					break
				}
			}
		}
	}
	var list []uint64
	for p := o.first; p <= position; p++ {
		if needed[p] {
			list = append(list, p)
		}
	}
	return list
}

// TestServerAllocatesNothing gives the calls of some seconds of play to a server, after as many that have grown its memory.
func TestServerAllocatesNothing(t *testing.T) {
	config := param.Default[Config]()
	config.RTT, config.Link.Timeout = 200*ms, 2*world.Second
	c := newCrew(&config, newSquare(60, 687))
	c.record = true
	c.run(0, 20*world.Second)
	again := newCrew(&config, c.square)
	at := 0
	play := func(until world.Time) {
		for ; c.input[at].now < until; at++ {
			if x := &c.input[at]; x.msg.From == 0 {
				again.server.Wake(x.now, &again.out)
			} else {
				again.server.Receive(x.now, x.msg, &again.out)
			}
			again.out.Reset()
		}
	}
	play(16 * world.Second)
	now := 16 * world.Second
	n := testing.AllocsPerRun(5, func() {
		now += 500 * ms
		play(now)
	})
	if again.server.order.installed < 2000 || n > 2 { // the rare larger crowd grows something
		t.Errorf("%v allocations in half a second, in which 100 entries are placed; %d were installed", n, again.server.order.installed)
	}
}

// TestWhoHoldsEverybodyUpIsShunned has a client complete nothing. Once it is found out, the others go on.
func TestWhoHoldsEverybodyUpIsShunned(t *testing.T) {
	r, c := newRun(t, newTangle(3, 3), func(c *Config) {
		c.Protocol, c.Look, c.Patience = Incomplete, 200*ms, world.Second
	})
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		return 20 * ms, m.From == 2 && m.Class == mechanism.Update
	}
	r.Play(20)
	stuck := serverOf(r).order.installed
	r.Advance(10 * world.Second)
	if o := &serverOf(r).order; o.installed+1 != o.next || o.installed == stuck {
		t.Errorf("%d of %d entries are installed", o.installed, o.next-1)
	}
	if err := c.order.Verdict(); err != nil {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	c := param.Default[Config]()
	c.Patience = c.Look
	if param.Validate(&c) == nil {
		t.Error("patience for less than two looks passes")
	}
	if n, err := c.NewNode(nil, mechanism.Place{ID: star.Server}); err == nil {
		t.Errorf("it makes %v", n)
	}
	c = param.Default[Config]()
	if _, err := c.NewNode(&mechanism.Session{}, mechanism.Place{ID: 2}); err == nil {
		t.Error("a client without a user passes")
	}
}
