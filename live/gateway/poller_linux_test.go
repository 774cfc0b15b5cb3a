package gateway

import (
	"os"
	"runtime"
	"testing"
)

// watched counts those who are heard without a goroutine of their own.
func (s *site) watched() (count int) {
	s.hasPollers()
	for _, p := range s.pollers {
		count += p.Len()
	}
	return count
}

// watching waits until so many are.
func (s *site) watching(t *testing.T, want int) {
	t.Helper()
	until(t, "all are watched", func() bool { return s.watched() == want })
}

func TestClientsNeedNoGoroutines(t *testing.T) {
	const many = 20
	s := open(t, nil)
	stranger := s.dial(t)
	var guests []*guest
	for range many {
		g, _ := s.seat(t, "somebody")
		guests = append(guests, g)
	}
	s.watching(t, many+1) // who has not said hello included
	for _, g := range guests {
		g.send(t, dataFrame(officeID, "echo"))
	}
	for _, g := range guests {
		if item := g.datagram(t); string(item.Payload) != "echo" {
			t.Errorf("%+v", item)
		}
	}
	stranger.hello(t, s.join(t, "late").Token, true)
	s.watching(t, many+1)
}

// Somebody who hangs up is forgotten at once, even if the end comes along with a last word.
func TestWhoHangsUpIsForgotten(t *testing.T) {
	s := open(t, nil)
	for range 3 {
		g, _ := s.seat(t, "somebody")
		away := s.hub.Counters().Away
		s.watching(t, 1)
		g.send(t, dataFrame(officeID, "echo"))
		g.conn.NetConn().Close()
		s.watching(t, 0)
		until(t, "the loss is noticed", func() bool { return s.hub.Counters().Away == away+1 && s.Clients() == 0 })
	}
}

// A connection takes one descriptor and, where there is a poller, no goroutine, whether it has said hello or not.
func TestWhatAConnectionTakes(t *testing.T) {
	s := open(t, nil)
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	s.raw(t, nil)
	until(t, "the connection is there", func() bool { return s.watched() == 1 })
	before, goroutines := count(), runtime.NumGoroutine()
	const many = 50
	for range many {
		s.raw(t, nil)
	}
	until(t, "all connections are watched", func() bool { return s.watched() == 1+many })
	until(t, "requests have ended", func() bool { return runtime.NumGoroutine() <= goroutines })
	if after := count(); after-before > 2*many+5 { // the other ends are here too
		t.Errorf("%d descriptors for %d connections", after-before-many, many)
	}
}
