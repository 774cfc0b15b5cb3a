package direct

import (
	"sync"
	"testing"
	"time"

	"throng/mechanism"
)

// Two programs connect over real sockets, with nothing but each other's signals, and datagrams go both ways.
func TestPion(t *testing.T) {
	var mu sync.Mutex // of all switches
	began := time.Now()
	switches := map[mechanism.NodeID]*Switch{}
	signals := make(chan func(), 100)
	arrived := map[mechanism.NodeID]chan mechanism.Message{2: make(chan mechanism.Message, 1000), 3: make(chan mechanism.Message, 1000)}
	for id := range arrived {
		switches[id] = New(Config{
			Self: id, Way: NewPion(nil), Most: 2, Local: true,
			Peer:   func(mechanism.NodeID) bool { return true },
			Signal: func(to mechanism.NodeID, payload []byte) { signals <- func() { switches[to].Signal(id, payload) } },
			Take: func(m mechanism.Message) {
				m.Payload = append([]byte(nil), m.Payload...)
				arrived[id] <- m
			},
			Post: func(f func()) {
				mu.Lock()
				defer mu.Unlock()
				f()
			},
			Now: func() time.Duration { return time.Since(began) },
		})
	}
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for heard := map[mechanism.NodeID]bool{}; len(heard) < 2; {
		select {
		case f := <-signals:
			mu.Lock()
			f()
			mu.Unlock()
		case <-ticker.C:
			mu.Lock()
			switches[2].Send(mechanism.Message{From: 2, To: 3, Class: mechanism.Update, Payload: []byte("there")})
			switches[3].Send(mechanism.Message{From: 3, To: 2, Class: mechanism.Command, Payload: []byte("back")})
			mu.Unlock()
		case m := <-arrived[3]:
			if m.From != 2 || m.To != 3 || m.Class != mechanism.Update || string(m.Payload) != "there" {
				t.Fatalf("%+v came", m)
			}
			heard[3] = true
		case m := <-arrived[2]:
			if m.From != 3 || m.Class != mechanism.Command || string(m.Payload) != "back" {
				t.Fatalf("%+v came", m)
			}
			heard[2] = true
		case <-t.Context().Done():
			t.Fatal("nothing came directly")
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for id, s := range switches {
		if c := s.Counts(); c.Opened != 1 || c.Direct == 0 {
			t.Errorf("node %d counted %+v", id, c)
		}
		s.Close()
	}
}
