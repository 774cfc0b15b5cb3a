package optimistic

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
)

// bench is a node among others that do not exist.
type bench struct {
	*node
	now world.Time
	out mechanism.Outbox
	seq []uint32 // by user
}

func newBench(users world.User, objects int, change func(*Config)) *bench {
	cfg := param.Default[Config]()
	if change != nil {
		change(&cfg)
	}
	s := session(newStrip(users, objects-1))
	return &bench{node: newNode(&cfg, s, s.Places[0]), seq: make([]uint32, users+1)}
}

// pass lets a tick pass.
func (b *bench) pass() {
	b.now += b.length
	b.Wake(b.now, &b.out)
	b.out.Reset()
}

// hear lets an action of another user come that should have taken effect some ticks ago.
func (b *bench) hear(u world.User, late world.Tick) {
	b.seq[u]++
	a := write(1)
	a.User, a.Seq = u, b.seq[u]
	b.enter(&news{tick: max(0, b.tick-late), action: a})
}

// warm lets the history fill.
func (b *bench) warm(tick func()) {
	for range 1200 {
		tick()
	}
}

var sizes = []int{10, 100, 1000}

// BenchmarkTick measures a tick in which nothing is late: one step of the world and one checkpoint.
func BenchmarkTick(b *testing.B) {
	for _, objects := range sizes {
		b.Run(fmt.Sprintf("objects=%d", objects), func(b *testing.B) {
			n := newBench(8, objects, nil)
			n.warm(n.pass)
			b.ReportAllocs()
			for b.Loop() {
				n.pass()
			}
			b.ReportMetric(float64(n.Bytes()), "B-held")
		})
	}
}

// BenchmarkStep measures the world alone, for comparison with a tick.
func BenchmarkStep(b *testing.B) {
	for _, objects := range sizes {
		b.Run(fmt.Sprintf("objects=%d", objects), func(b *testing.B) {
			s := session(newStrip(8, objects-1))
			r := mechanism.NewReplica(s.World, s.Start)
			b.ReportAllocs()
			for b.Loop() {
				r.Advance()
			}
		})
	}
}

// BenchmarkLate measures a tick in which four actions came late, by one to four ticks.
func BenchmarkLate(b *testing.B) {
	for _, objects := range sizes {
		b.Run(fmt.Sprintf("objects=%d", objects), func(b *testing.B) {
			n := newBench(8, objects, nil)
			tick := func() {
				for late := world.Tick(1); late <= 4; late++ {
					n.hear(world.User(1+late), late)
				}
				n.pass()
			}
			n.warm(tick)
			b.ReportAllocs()
			for b.Loop() {
				tick()
			}
			b.ReportMetric(float64(n.Bytes()), "B-held")
		})
	}
}

// BenchmarkEnter measures how long it takes to put one late action into a history with those of many users, with its share
// of the tick.
func BenchmarkEnter(b *testing.B) {
	for _, users := range []world.User{8, 128, 512} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			n := newBench(users, 10, nil)
			u := world.User(0)
			hear := func() {
				if u = u%users + 1; u == 1 { // everybody acts once a tick
					n.pass()
				}
				n.hear((u*7919)%users+1, 3)
			}
			n.warm(func() {
				for range users {
					hear()
				}
			})
			b.ReportAllocs()
			for b.Loop() {
				hear()
			}
		})
	}
}

// BenchmarkJoin measures what a join costs: the snapshot of a node with a full history of eight users who act in every other
// tick, and the newcomer's way from there to the present.
func BenchmarkJoin(b *testing.B) {
	for _, objects := range sizes {
		b.Run(fmt.Sprintf("objects=%d", objects), func(b *testing.B) {
			t := newTalk(8, objects)
			for range 1200 {
				t.pass()
			}
			guide := t.nodes[0]
			late := *guide.session
			late.Late, late.Epoch = true, 1
			cfg := param.Default[Config]()
			var text []byte
			b.ReportAllocs()
			for b.Loop() {
				text = guide.appendSnapshot(text[:0])
				n := newNode(&cfg, &late, late.Places[1])
				if err := n.settleIn(t.now, text); err != nil {
					b.Fatal(err)
				}
				for !n.Ready() {
					n.catchUp(t.now)
				}
			}
			b.ReportMetric(float64(len(text)), "B-sent")
		})
	}
}

// BenchmarkTalk measures a tick of some nodes, each of which acts in every other tick and hears of the others 100 ms later:
// all that the mechanism does, the world's steps included. With as many objects as nodes it must grow as their square.
func BenchmarkTalk(b *testing.B) {
	for _, users := range []world.User{8, 32, 128} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			t := newTalk(users, int(users)+1)
			for range 1200 {
				t.pass()
			}
			b.ReportAllocs()
			for b.Loop() {
				t.pass()
			}
		})
	}
}

// talk is some nodes and a network that takes two ticks.
type talk struct {
	nodes   []*node
	now     world.Time
	out     mechanism.Outbox
	transit [3][]mechanism.Message // by tick of arrival
	spare   [][]byte
	seq     uint32
}

func newTalk(users world.User, objects int) *talk {
	cfg := param.Default[Config]()
	s := session(newStrip(users, objects-1))
	t := &talk{}
	for _, p := range s.Places {
		t.nodes = append(t.nodes, newNode(&cfg, s, p))
	}
	return t
}

func (t *talk) pass() {
	t.now += t.nodes[0].length
	tick := mechanism.TickAt(t.now, t.nodes[0].length)
	arrived := &t.transit[tick%3]
	for _, m := range *arrived {
		t.nodes[m.To-1].Receive(t.now-1, m, &t.out)
		t.post(m.To, tick)
		t.spare = append(t.spare, m.Payload)
	}
	*arrived = (*arrived)[:0]
	t.seq++
	for i, n := range t.nodes {
		n.Wake(t.now, &t.out)
		t.post(n.place.ID, tick)
		if (int(tick)+i)%2 == 0 {
			a := write(1)
			a.User, a.Seq = n.place.User, t.seq
			n.Act(t.now, a, &t.out)
			t.post(n.place.ID, tick)
		}
	}
}

func (t *talk) post(from mechanism.NodeID, tick world.Tick) {
	at := &t.transit[(tick+2)%3]
	for i := range t.out.Sends() {
		m := t.out.Message(i, from)
		var buf []byte
		if last := len(t.spare) - 1; last >= 0 {
			buf, t.spare = t.spare[last], t.spare[:last]
		}
		m.Payload = append(buf[:0], m.Payload...)
		*at = append(*at, m)
	}
	t.out.Reset()
}

func TestSteadyPlayAllocatesNothing(t *testing.T) {
	play := newTalk(8, 30)
	for range 1200 {
		play.pass()
	}
	if n := testing.AllocsPerRun(200, play.pass); n > 0 {
		t.Errorf("%v allocations per tick", n)
	}
}
