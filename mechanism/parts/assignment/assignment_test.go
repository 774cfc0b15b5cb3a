package assignment

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

func view() *rapid.Generator[View] {
	return rapid.Custom(func(t *rapid.T) (v View) {
		for axis := range v.Low {
			a, b := rapid.Uint8Max(9).Draw(t, "a"), rapid.Uint8Max(9).Draw(t, "b")
			v.Low[axis], v.High[axis] = min(a, b), max(a, b)
		}
		return v
	})
}

// What a map knows of servers is what counting all views by hand finds.
func TestMapIsWhatBruteForceFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := NewMap(Standard(), 3)
		var views [3][]View
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			s := rapid.IntRange(0, 2).Draw(t, "server")
			if n := len(views[s]); n > 0 && rapid.Bool().Draw(t, "remove") {
				m.Remove(s, views[s][n-1])
				views[s] = views[s][:n-1]
				continue
			}
			v := view().Draw(t, "view")
			views[s] = append(views[s], v)
			m.Add(s, v)
		}
		look := view().Draw(t, "look")
		m.overlap(look)
		for s := range views {
			covers, hits, nearest := 0, uint32(0), 100
			inside := map[[3]uint8]bool{}
			for _, v := range views[s] {
				m.each(v, func(_ int, at [3]uint8) { inside[at] = true })
			}
			for at := range inside {
				covers++
				d := 0
				for axis, n := range at {
					d += max(int(look.Low[axis])-int(n), int(n)-int(look.High[axis]), 0)
				}
				if nearest = min(nearest, d); d == 0 {
					hits++
				}
			}
			x := &m.servers[s]
			if x.covers != covers || m.hits[s] != hits || x.clients != len(views[s]) {
				t.Fatalf("server %d covers %d and %d of the view, want %d and %d", s, x.covers, m.hits[s], covers, hits)
			}
			if d := x.distance(look); covers > 0 && hits == 0 && d > nearest {
				t.Fatalf("server %d is %d away, want at most %d", s, d, nearest)
			}
		}
	})
}

// What monitors report in the end is what has changed, however much came and went in between.
func TestMonitorsNet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewMap(Standard(), 1), NewMap(Standard(), 1)
		monitor := Monitor{Blocks: 10}
		at := view().Draw(t, "start")
		a.Add(0, at)
		monitor.Enter(at)
		for range rapid.IntRange(0, 6).Draw(t, "moves") {
			to := view().Draw(t, "to")
			a.Remove(0, at)
			a.Add(0, to)
			monitor.Move(at, to)
			at = to
			if rapid.Bool().Draw(t, "report") {
				b.Change(0, monitor.Take(nil))
			}
		}
		b.Change(0, monitor.Take(nil))
		if !slices.Equal(a.tallies, b.tallies) {
			t.Fatal("the reports do not add up")
		}
		if left := monitor.Take(nil); len(left) > 0 {
			t.Fatalf("%v is told twice", left)
		}
	})
}

func TestRoot(t *testing.T) {
	for n := range int64(11) {
		if got := root(fixed.F(n*n*n) * fixed.One); (got - fixed.F(n)*fixed.One).Abs() > fixed.One/200 {
			t.Errorf("the cube root of %d is %v", n*n*n, got)
		}
	}
}

func TestLeases(t *testing.T) {
	l := Leases{Map: NewMap(Standard(), 2), Term: world.Second}
	v := View{High: [3]uint8{1, 1, 1}}
	s, ok := l.Grant(0, 1, v, none)
	if other, _ := l.Grant(0, 2, v, none); !ok || l.Map.Clients(s)+l.Map.Clients(other) < 2 {
		t.Fatal("leased clients do not count")
	}
	if again, _ := l.Grant(0, 1, v, none); again != s || l.Pending() != 2 {
		t.Error("who asks again is sent elsewhere")
	}
	if other, _ := l.Grant(0, 1, v, s); other == s || l.Pending() != 2 || l.Map.clients != 2 {
		t.Error("who says that a server does not answer is sent there again")
	}
	if !l.Confirm(1) || l.Confirm(1) || l.Pending() != 1 || l.Map.clients != 1 {
		t.Error("a lease is confirmed once, and its server tells of the client from then on")
	}
	l.Map.Report(s, 5, 0, 0)
	if l.Expire(world.Second-1) != 0 || l.Expire(world.Second) != 1 || l.Map.clients != 5 {
		t.Error("what is over is taken back")
	}
	l.Note(0, 3, v, s)
	l.Bury(s)
	if l.Map.servers[s].covers != 0 || l.Map.Clients(s) != 0 || l.Map.clients != 0 || l.Pending() != 0 {
		t.Error("a dead server covers nothing")
	}
	if to, ok := l.Grant(0, 4, v, none); !ok || to == s {
		t.Error("nobody is put on a dead server")
	}
	if to, ok := l.Grant(0, 5, v, 1-s); !ok || to == s {
		t.Error("where there is one server only, that is it")
	}
	l.Bury(1 - s)
	if _, ok := l.Map.Best(v); ok {
		t.Error("there is no server")
	}
}

// A server that is to be emptied gets nobody, and everybody on it moves.
func TestRetiring(t *testing.T) {
	m := NewMap(Standard(), 2)
	v := View{High: [3]uint8{1, 1, 1}}
	for range 10 {
		m.Add(0, v)
	}
	m.Retire(0, true)
	if to, ok := m.Better(v, 0); !ok || to != 1 {
		t.Errorf("a client stays: %d, %t", to, ok)
	}
	if to, ok := m.Best(v); !ok || to != 1 {
		t.Errorf("a client is put on server %d", to)
	}
	m.Retire(0, false)
	if to, ok := m.Best(Nowhere); !ok || to != 1 {
		t.Errorf("who is nowhere is put on server %d, which has more to do", to)
	}
}

// Who has not been told anything is told everything, and then the same as others.
func TestMonitorsTellAll(t *testing.T) {
	old, late := NewMap(Standard(), 1), NewMap(Standard(), 1)
	monitor := Monitor{Blocks: 10}
	monitor.Enter(View{High: [3]uint8{3, 2, 1}})
	old.Change(0, monitor.Take(nil))
	monitor.Move(View{High: [3]uint8{3, 2, 1}}, View{Low: [3]uint8{1}, High: [3]uint8{4, 2, 1}})
	old.Change(0, monitor.Take(nil))
	late.Change(0, monitor.All(nil))
	if !slices.Equal(old.tallies, late.tallies) {
		t.Error("the two know different things")
	}
	heats := late.Heats(nil)
	if len(heats) != 4*3*2 || heats[0] != (Heat{Block: 1, Views: 1, Most: 1, Servers: 1}) {
		t.Errorf("%v", heats)
	}
	bounds := fixed.Box{Max: fixed.Vec{X: 100 * fixed.One, Y: 50 * fixed.One}}
	if b := Standard().Box(bounds, 1); Standard().ViewOf(bounds, fixed.Box{Min: b.Centre(), Max: b.Centre()}) != (View{Low: [3]uint8{1}, High: [3]uint8{1}}) {
		t.Errorf("block 1 is %v", b)
	}
}

// A client moves only where that is worth it.
func TestHysteresis(t *testing.T) {
	m := NewMap(Standard(), 2)
	near, far := View{Low: [3]uint8{1, 1, 1}, High: [3]uint8{2, 2, 2}}, View{Low: [3]uint8{8, 8, 8}, High: [3]uint8{9, 9, 9}}
	for range 10 {
		m.Add(0, near)
		m.Add(1, far)
	}
	if to, ok := m.Better(far, 1); ok {
		t.Errorf("one who is well off moves to %d", to)
	}
	m.Remove(0, near)
	m.Add(0, far)
	if to, ok := m.Better(far, 0); !ok || to != 1 {
		t.Errorf("one who is far from the others moves to %d: %t", to, ok)
	}
}

// population draws places as the source does (section 6.5).
func population(r *random.Stream, how string, n int) []View {
	const unit = 1 << 20
	var centres [10][3]uint64
	for i := range centres {
		for axis := range centres[i] {
			centres[i][axis] = r.Below(unit)
		}
	}
	views := make([]View, n)
	for i := range views {
		var at [3]uint64
		group := r.Below(100)
		centre := centres[r.Below(10)]
		for axis := range at {
			switch {
			case how == "skewed" && group < 60:
				at[axis] = r.Below(unit * 3 / 10)
			case how == "clustered" && group < 75:
				at[axis] = min(centre[axis]+r.Below(unit/20), unit-1)
			default:
				at[axis] = r.Below(unit)
			}
			low := at[axis] - min(at[axis], unit/50)
			high := min(at[axis]+unit/50, unit-1)
			views[i].Low[axis], views[i].High[axis] = uint8(low*10/unit), uint8(high*10/unit)
		}
	}
	return views
}

// Section 6.6, figure 6.6: those of one region are on one server, and servers have about as many each. Put on servers in turn, as
// many servers cover every block as there are.
func TestClientsAreGrouped(t *testing.T) {
	r := random.New(1, "population")
	for _, how := range []string{"uniform", "skewed", "clustered"} {
		for _, servers := range []int{3, 7, 100} {
			m := NewMap(Standard(), servers)
			for _, v := range population(&r, how, 20_000) {
				s, _ := m.Best(v)
				m.Add(s, v)
			}
			most := 0
			for s := range servers {
				most = max(most, m.Clients(s))
			}
			t.Logf("%s on %d servers: %v servers per block, the fullest has %d of %d", how, servers, m.Spread(), most, 20_000/servers)
			if m.Spread() > fixed.F(servers)*fixed.One*2/3 || most > 2*20_000/servers {
				t.Errorf("%s on %d servers: %v servers per block, the fullest has %d of %d", how, servers, m.Spread(), most, 20_000/servers)
			}
		}
	}
}

// An assignment among clients that have been assigned before: go test -run '^$' -bench . ./mechanism/parts/assignment
func BenchmarkAssign(b *testing.B) {
	bench := func(clients, servers int, kin fixed.F) {
		b.Run(fmt.Sprintf("clients=%d/servers=%d/kin=%v", clients, servers, kin), func(b *testing.B) {
			r := random.New(1, "population")
			c := Standard()
			c.Kin = kin
			m := NewMap(c, servers)
			views := population(&r, "clustered", clients)
			for _, v := range views {
				s, _ := m.Best(v)
				m.Add(s, v)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				s, _ := m.Best(views[i%clients])
				m.Add(s, views[i%clients])
				m.Remove(s, views[i%clients])
				i++
			}
		})
	}
	for _, clients := range []int{1000, 100_000, 1_000_000} {
		for _, servers := range []int{7, 100} {
			bench(clients, servers, 0)
			bench(clients, servers, fixed.One)
		}
	}
}
