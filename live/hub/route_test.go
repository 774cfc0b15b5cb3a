package hub_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

// sink counts what it is sent, up to a number.
type sink struct {
	got, room atomic.Int64
}

func (s *sink) Send(mechanism.Message) bool { return s.got.Add(1) <= s.room.Load() }
func (s *sink) Close(string)                {}

// Route is for a sink as a fallback.
func (s *sink) Route(m mechanism.Message) bool { return s.Send(m) }

func TestDatagramsAreCountedByWhatBecomesOfThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus sink
		bus.room.Store(100)
		h := start(t, "crowd", func(c *hub.Config) {
			c.Fallback = &bus
			c.Local = func(mechanism.Place) bool { return false }
		})
		seat := join(t, h, "")
		var s sink
		s.room.Store(2)
		to := mechanism.Message{From: 5, To: seat.Place().ID, Payload: make([]byte, 10)}
		h.Route(to) // nobody is there yet
		if _, err := h.Attach(seat, &s, true); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			h.Route(to)
		}
		h.Route(mechanism.Message{From: 5, To: 4})
		h.Receive(mechanism.Message{From: 5, To: 4}) // from elsewhere: it must not go back
		h.Deliver(seat, to)                          // to themselves
		got := h.Counters()
		if want := (hub.Traffic{Routed: 3, Bytes: 30, Full: 1, Missed: 1}); got.Traffic != want {
			t.Errorf("%+v, want %+v", got.Traffic, want)
		}
		if got.Forwarded != 1 || bus.got.Load() != 1 || got.Unknown != 1 {
			t.Errorf("forwarded %d (%d came), unknown %d; want 1 each", got.Forwarded, bus.got.Load(), got.Unknown)
		}
		stop(t, h)
	})
}

// Clients speak to the server once, when they begin. Here they begin before it does.
func TestFirstWordsAreNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mirror{}
		h := start(t, "pong", func(c *hub.Config) {
			c.Description.Places = []mechanism.Place{m.Admit(1), m.Admit(2), {ID: serverID, Role: "server"}}
		})
		pass(time.Second)
		for id := mechanism.NodeID(2); id <= 3; id++ {
			if got := holding(h, id); got.Runner.Handled == 0 {
				t.Errorf("the server never heard of %+v", got)
			}
		}
		stop(t, h)
	})
}

func TestOthersAreToldWhoIsHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		h := start(t, "crowd", func(c *hub.Config) {
			c.Local = func(p mechanism.Place) bool { return p.ID == 3 }
			c.Present = func(id mechanism.NodeID, here bool) { log = append(log, fmt.Sprint(id, here)) }
		})
		seat := join(t, h, "")
		h.Leave(seat, "")
		synctest.Wait()
		join(t, h, "")
		stop(t, h)
		if got, want := fmt.Sprint(log), "[3 true 22 true 22 false 22 true]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

func TestCallbacksAreToldOfWakeUpsAndEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var woken, malformed atomic.Int64
		h := start(t, "pong", func(c *hub.Config) {
			c.Woken = func(p mechanism.Place, late, took world.Time) {
				if p.ID == serverID && late == 0 && took == 0 { // in a bubble nothing takes time
					woken.Add(1)
				}
			}
			c.Event = func(p mechanism.Place, e mechanism.Event) {
				if p.User == 2 && e.Name == mechanism.Malformed {
					malformed.Add(1)
				}
			}
		})
		h.Route(mechanism.Message{From: serverID, To: 3, Payload: []byte("nonsense")})
		pass(time.Second - time.Nanosecond)
		if want := int64(world.Second / h.World().Schema().Tick); woken.Load() != want || malformed.Load() != 1 {
			t.Errorf("%d wake-ups, want %d; %d malformed", woken.Load(), want, malformed.Load())
		}
		stop(t, h)
	})
}

// People come, go, lose their connections and talk, all at once. What is checked is that nothing is torn: the race detector
// and the bubble's end do that, and the counts must add up.
func TestManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, "crowd", func(c *hub.Config) { c.Grace = 50 * time.Millisecond })
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() {
				for round := range 5 {
					seat, err := h.Join(fmt.Sprint(i, round))
					if err != nil {
						t.Error(err)
						return
					}
					c := &sink{}
					if _, err := h.Attach(seat, c, true); err != nil {
						t.Error(err)
						return
					}
					for to := range mechanism.NodeID(60) {
						h.Deliver(seat, mechanism.Message{To: to, Payload: []byte{hello, 0}})
					}
					h.Detach(seat, c)
					if round%2 == 0 {
						h.Leave(seat, "")
					}
				}
			})
		}
		all.Wait()
		pass(time.Minute)
		if got := h.Counters(); got.People+got.Away != 0 || got.Artificial != 20 || got.Lost != 0 {
			t.Errorf("%+v", got)
		}
		stop(t, h)
	})
}

// quiet is a world in which nothing happens by itself, with people attached.
func quiet(tb testing.TB, people int) (*hub.Hub, []*hub.Seat) {
	h, err := hub.Start(hub.Config{
		Description: description("crowd"),
		Local:       func(mechanism.Place) bool { return false },
	}, withMirror(nil))
	if err != nil {
		tb.Fatal(err)
	}
	seats := make([]*hub.Seat, people)
	for i := range seats {
		if seats[i], err = h.Join(""); err != nil {
			tb.Fatal(err)
		}
		if _, err := h.Attach(seats[i], &sink{}, true); err != nil {
			tb.Fatal(err)
		}
	}
	return h, seats
}

func TestRoutingDoesNotAllocate(t *testing.T) {
	h, seats := quiet(t, 2)
	m := mechanism.Message{To: seats[1].Place().ID, Payload: make([]byte, 100)}
	if n := testing.AllocsPerRun(100, func() { h.Deliver(seats[0], m) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRoute(b *testing.B) {
	for _, people := range []int{10, 10_000} {
		h, seats := quiet(b, people)
		b.Run(fmt.Sprintf("conns=%d", people), func(b *testing.B) {
			b.ReportAllocs()
			m := mechanism.Message{Payload: make([]byte, 100)}
			for i := range b.N {
				m.To = seats[i%people].Place().ID
				h.Route(m)
			}
		})
		b.Run(fmt.Sprintf("conns=%d/parallel", people), func(b *testing.B) {
			b.ReportAllocs()
			var start atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				m := mechanism.Message{Payload: make([]byte, 100)}
				for i := int(start.Add(7919)); pb.Next(); i++ {
					m.To = seats[i%people].Place().ID
					h.Route(m)
				}
			})
		})
	}
}

// BenchmarkAttach is a client's coming back; it also says what an idle user costs the hub.
func BenchmarkAttach(b *testing.B) {
	const people = 10_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	h, seats := quiet(b, people)
	runtime.GC()
	runtime.ReadMemStats(&after)
	c := &sink{}
	for i := 0; b.Loop(); i++ {
		if _, err := h.Attach(seats[i%people], c, false); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/people, "B/user")
}
