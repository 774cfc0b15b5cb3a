package gateway

import "testing"

// listeners counts those who are heard without a goroutine of their own.
func (s *site) listeners() (n int) {
	for _, e := range s.ears {
		e.mu.Lock()
		n += len(e.readers) - len(e.free)
		e.mu.Unlock()
	}
	return n
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
	until(t, "all but the stranger are listened to", func() bool { return s.listeners() == many })
	for _, g := range guests {
		g.send(t, dataFrame(officeID, "echo"))
	}
	for _, g := range guests {
		if item := g.datagram(t); string(item.Payload) != "echo" {
			t.Errorf("%+v", item)
		}
	}
	stranger.hello(t, s.join(t, "late").Token, true)
	until(t, "the stranger is listened to as well", func() bool { return s.listeners() == many+1 })
}

// Somebody who hangs up is forgotten at once, even if the end comes along with a last word; the place is used again.
func TestEarsForget(t *testing.T) {
	s := open(t, nil)
	for range 3 {
		g, _ := s.seat(t, "somebody")
		away := s.hub.Counters().Away
		until(t, "somebody is listened to", func() bool { return s.listeners() == 1 })
		g.send(t, dataFrame(officeID, "echo"))
		g.conn.NetConn().Close()
		until(t, "nobody is", func() bool { return s.listeners() == 0 && s.hub.Counters().Away == away+1 && s.Clients() == 0 })
	}
	places := 0
	for _, e := range s.ears {
		places += len(e.readers)
	}
	if places > len(s.ears) {
		t.Errorf("%d places were needed, one after the other", places)
	}
}
