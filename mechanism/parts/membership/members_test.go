package membership

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

const (
	ms       = world.Millisecond
	patience = 2 * world.Second
)

// guest is a member of a server that knows nothing else of it.
type guest struct{ Member }

// open is a world that takes in more users than it began with.
type open struct{ world.World }

func (open) Enter(*world.Window, world.User) {}
func (open) Leave(*world.Window, world.User) {}

func TestSeats(t *testing.T) {
	closed, entered := Seats{mechanismtest.Marbles(2), 3}, Seats{open{mechanismtest.Marbles(2)}, 3}
	for _, x := range []struct {
		seats Seats
		id    mechanism.NodeID
		want  world.User
	}{
		{closed, 0, 0}, {closed, 3, 0}, {closed, 4, 1}, {closed, 5, 2}, {closed, 6, 0}, {closed, 1<<32 - 1, 0},
		{entered, 0, 0}, {entered, 3, 0}, {entered, 6, 3}, {entered, 3 + usersMax, usersMax}, {entered, 4 + usersMax, 0},
	} {
		if got := x.seats.User(x.id); got != x.want || got != 0 && x.seats.Node(got) != x.id {
			t.Errorf("node %d is of user %d instead of %d", x.id, got, x.want)
		}
	}
}

func TestByUser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b ByUser[int]
		model := map[world.User]int{}
		for range 50 {
			u := world.User(rapid.SampledFrom([]uint32{0, 1, 2, 100, lowMax - 1, lowMax, lowMax + 1, 1<<32 - 1}).Draw(t, "user"))
			if rapid.Bool().Draw(t, "set") {
				model[u] = rapid.IntRange(0, 3).Draw(t, "value")
				b.Set(u, model[u])
			}
			if b.Get(u) != model[u] {
				t.Fatalf("user %d has %v, want %v", u, b.Get(u), model[u])
			}
		}
	})
}

func TestAllowance(t *testing.T) {
	var a Allowance
	taken := func(now world.Tick) (n int) {
		for a.Allow(now, 3, 20) {
			n++
		}
		return n
	}
	for _, c := range []struct {
		now  world.Tick
		want int
	}{{5, 20}, {5, 0}, {6, 3}, {6, 0}, {8, 6}, {7, 0}, {1000, 20}, {1 << 60, 20}} {
		if got := taken(c.now); got != c.want {
			t.Errorf("%d actions are allowed at tick %d, want %d", got, c.now, c.want)
		}
	}
	var wide Allowance // who may do more in a tick than can be saved up
	for range 30 {
		if !wide.Allow(1, 30, 20) {
			t.Fatal("what is allowed in a tick is not")
		}
	}
	if wide.Allow(1, 30, 20) {
		t.Error("more is allowed than that")
	}
}

// model is what a server should know, kept in the simplest way.
type model struct {
	in   map[world.User]guest
	left map[world.User]departure
}

func (m *model) depart(now world.Time, u world.User, i Identity) {
	if d, ok := m.left[u]; ok && now-d.at <= patience && d.identity.After(i) {
		i = d.identity
	}
	m.left[u] = departure{i, now}
}

func (m *model) judge(now world.Time, from mechanism.NodeID, u world.User, i Identity) Verdict {
	x, in := m.in[u]
	gone, left := m.left[u]
	switch {
	case u < 1 || u > 5 || from != mechanism.NodeID(u)+1:
		return Refused
	case in && x.Identity == i:
		return Known
	case in && x.Identity.After(i), !in && left && now-gone.at <= patience && !i.After(gone.identity):
		return Stale
	}
	return Welcome
}

// TestMembersAgainstAModel does anything to members, hostile things included, and compares all that can be seen of them.
func TestMembersAgainstAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := NewMembers[*guest](Seats{mechanismtest.Marbles(5), 1}, patience)
		m := model{map[world.User]guest{}, map[world.User]departure{}}
		remove := func(now world.Time, x *guest) {
			members.Remove(now, x)
			delete(m.in, x.User)
			m.depart(now, x.User, x.Identity)
		}
		now := world.Time(0)
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			now += world.Time(rapid.SampledFrom([]int64{0, 1, 500, 2000, 2001}).Draw(t, "pause")) * ms
			from := mechanism.NodeID(rapid.IntRange(0, 8).Draw(t, "from"))
			u := world.User(rapid.IntRange(0, 7).Draw(t, "user"))
			if rapid.Bool().Draw(t, "honest") {
				u = world.User(max(from, 1) - 1)
			}
			who := Identity{uint32(rapid.IntRange(0, 3).Draw(t, "epoch")), uint32(rapid.IntRange(0, 3).Draw(t, "life"))}
			switch rapid.SampledFrom([]string{"join", "join", "leave", "hear", "silence"}).Draw(t, "what") {
			case "join":
				want := m.judge(now, from, u, who)
				was, verdict := members.Judge(now, from, u, who)
				if verdict != want {
					t.Fatalf("user %d as %v from node %d: verdict %d, want %d", u, who, from, verdict, want)
				}
				if verdict == Known {
					m.in[u] = guest{Member{Node: from, User: u, Identity: who, Heard: now}}
				}
				if verdict == Welcome {
					if was != nil {
						remove(now, was)
					}
					x := guest{Member{Node: from, User: u, Identity: who, Heard: now}}
					m.in[u] = x
					members.Add(&x)
				}
			case "leave":
				x, in := m.in[world.User(max(from, 1)-1)]
				goes := from > 1 && in && !x.Identity.After(who)
				leaver := members.Leaver(now, from, who)
				if (leaver != nil) != goes {
					t.Fatalf("%v at node %d leaves as %v: %v", x.Identity, from, who, leaver)
				}
				if leaver != nil {
					members.Remove(now, leaver)
					delete(m.in, leaver.User)
					m.depart(now, leaver.User, who)
				} else if u := world.User(max(from, 1) - 1); u >= 1 && u <= 5 {
					m.depart(now, u, who)
				}
			case "hear":
				if x := members.At(from); x != nil {
					x.Heard = now
					y := m.in[x.User]
					y.Heard = now
					m.in[x.User] = y
				}
			case "silence":
				for x := range members.Silent(now) {
					if now-m.in[x.User].Heard <= patience {
						t.Fatalf("user %d was heard at %v, and is silent at %v", x.User, m.in[x.User].Heard, now)
					}
					remove(now, x)
				}
				for u, x := range m.in {
					if now-x.Heard > patience {
						t.Fatalf("user %d was heard at %v, and is not silent at %v", u, x.Heard, now)
					}
				}
			}
			m.compare(t, &members)
			if len(members.order)-members.first > 5 {
				t.Fatalf("%d of five users are remembered", len(members.order)-members.first)
			}
		}
		now += patience + 1
		members.forget(now)
		if len(members.departed) > 0 || len(members.order) > 0 {
			t.Fatalf("%d are remembered, %d in order", len(members.departed), len(members.order))
		}
	})
}

func (m *model) compare(t *rapid.T, members *Members[*guest]) {
	if members.Len() != len(m.in) || len(members.All()) != len(m.in) || len(members.Nodes()) != len(m.in) {
		t.Fatalf("%d members, want %d", members.Len(), len(m.in))
	}
	for u := range world.User(9) {
		want, in := m.in[u]
		got := members.Of(u)
		if (got != nil) != in || members.At(mechanism.NodeID(u)+1) != got {
			t.Fatalf("user %d is known: %v, want %v", u, got != nil, in)
		}
		if in && (got.Identity != want.Identity || got.Heard != want.Heard) {
			t.Fatalf("user %d is %+v, want %+v", u, got.Member, want.Member)
		}
	}
	for i, x := range members.All() {
		if members.Nodes()[i] != x.Node || members.Of(x.User) != x {
			t.Fatalf("member %d is user %d, at node %d", i, x.User, members.Nodes()[i])
		}
	}
}

// Members stay in the order of their coming while nobody leaves.
func TestMembersKeepTheirOrder(t *testing.T) {
	members := NewMembers[*guest](Seats{mechanismtest.Marbles(5), 1}, patience)
	for _, u := range []world.User{3, 1, 5, 2} {
		members.Add(&guest{Member{Node: mechanism.NodeID(u) + 1, User: u}})
	}
	if want := []mechanism.NodeID{4, 2, 6, 3}; !slices.Equal(members.Nodes(), want) {
		t.Errorf("nodes %v, want %v", members.Nodes(), want)
	}
	members.Remove(0, members.Of(1))
	if want := []mechanism.NodeID{4, 3, 6}; !slices.Equal(members.Nodes(), want) {
		t.Errorf("nodes %v, want %v", members.Nodes(), want)
	}
}

// Whoever comes and goes costs nothing afterwards, in memory or in time to find the others.
func TestChurnLeavesNothing(t *testing.T) {
	members := NewMembers[*guest](Seats{open{mechanismtest.Marbles(1)}, 1}, patience)
	now := world.Time(0)
	most := 0
	for i := range 200_000 {
		now += ms
		x := &guest{Member{Node: mechanism.NodeID(i%1000) + 2, User: world.User(i%1000) + 1, Identity: Identity{Epoch: uint32(i)}}}
		members.Add(x)
		members.Remove(now, x)
		most = max(most, members.Bytes())
	}
	if limit := 200_000; most > limit {
		t.Errorf("%d bytes at a time, want at most %d", most, limit)
	}
	if now += patience + 1; true {
		members.forget(now)
	}
	if len(slices.Collect(maps.Keys(members.departed))) != 0 {
		t.Errorf("%d are remembered", len(members.departed))
	}
}
