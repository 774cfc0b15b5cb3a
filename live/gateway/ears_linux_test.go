package gateway

import "testing"

// listeners counts those who are heard without a goroutine of their own.
func (s *site) listeners() (count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.ears {
		if e != nil {
			count += e.Len()
		}
	}
	return count
}

// listening waits until so many are.
func (s *site) listening(t *testing.T, want int) {
	t.Helper()
	until(t, "all who have a seat are listened to, and nobody else", func() bool {
		return s.listeners() == want
	})
}

func TestEarsHearMany(t *testing.T) {
	const many = 20
	s := open(t, nil)
	stranger := s.dial(t)
	var guests []*guest
	for range many {
		g, _ := s.seat(t, "somebody")
		guests = append(guests, g)
	}
	s.listening(t, many)
	for _, g := range guests {
		g.send(t, dataFrame(officeID, "echo"))
	}
	for _, g := range guests {
		if item := g.datagram(t); string(item.Payload) != "echo" {
			t.Errorf("%+v", item)
		}
	}
	stranger.hello(t, s.join(t, "late").Token, true)
	s.listening(t, many+1)
}

// Somebody who hangs up is forgotten at once, even if the end comes along with a last word.
func TestEarsForget(t *testing.T) {
	s := open(t, nil)
	for range 3 {
		g, _ := s.seat(t, "somebody")
		away := s.hub.Counters().Away
		s.listening(t, 1)
		g.send(t, dataFrame(officeID, "echo"))
		g.conn.NetConn().Close()
		s.listening(t, 0)
		until(t, "the loss is noticed", func() bool { return s.hub.Counters().Away == away+1 && s.Clients() == 0 })
	}
}
