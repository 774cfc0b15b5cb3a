package bots

import (
	"bytes"
	"context"
	"net"
	"os"
	"sync"
	"time"
)

// Shaper makes connections longer and narrower than they are: what is sent takes a while, and what comes no more than so much
// per second.
type Shaper struct {
	Delay time.Duration // in either direction
	Down  int64         // bits per second from the server; 0 for no limit
}

const (
	shapeRead  = 2 << 10  // what is taken from the real connection at a time
	shapeQueue = 1 << 12  // how many such pieces may be under way
	shapeAhead = 64 << 10 // what the system may take from the server before we do

	shapeSlack = 5 * time.Millisecond // by how much sleeping too long is made up for
)

// Dial opens a connection over the network of that shape. It is a [fleet.Dial].
func (s Shaper) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	c, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if tcp, ok := c.(*net.TCPConn); ok && s.Down > 0 {
		if err := tcp.SetReadBuffer(shapeAhead); err != nil {
			return nil, err
		}
	}
	return s.shape(c), nil
}

// shape makes a connection as slow as it says.
func (s Shaper) shape(c net.Conn) net.Conn {
	x := &shaped{Conn: c, shaper: s, in: make(chan piece, shapeQueue), out: make(chan piece, shapeQueue), closed: make(chan struct{})}
	go x.takeIn()
	go x.giveOut()
	return x
}

// piece is some bytes, or an error, that arrive at a time.
type piece struct {
	at   time.Time
	data []byte
	err  error
}

// shaped is a connection that is.
type shaped struct {
	net.Conn
	shaper  Shaper
	in, out chan piece
	rest    []byte // of the piece that was last read from
	broken  error

	closing sync.Once
	closed  chan struct{}
}

// takeIn reads from the real connection no faster than is allowed, so that what is too much waits at the server.
func (s *shaped) takeIn() {
	free := time.Now() // when there is room for more
	for {
		data := make([]byte, shapeRead)
		n, err := s.Conn.Read(data)
		if s.shaper.Down > 0 {
			if earliest := time.Now().Add(-shapeSlack); free.Before(earliest) {
				free = earliest
			}
			free = free.Add(time.Duration(int64(n) * 8 * int64(time.Second) / s.shaper.Down))
			s.sleep(time.Until(free))
		}
		select {
		case s.in <- piece{time.Now().Add(s.shaper.Delay), data[:n], err}:
		case <-s.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// giveOut writes to the real connection what is due.
func (s *shaped) giveOut() {
	for {
		select {
		case p := <-s.out:
			s.sleep(time.Until(p.at))
			if _, err := s.Conn.Write(p.data); err != nil {
				s.Close()
				return
			}
		case <-s.closed:
			return
		}
	}
}

func (s *shaped) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.closed:
	}
}

// Read waits for what has arrived.
func (s *shaped) Read(b []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.broken != nil {
			return 0, s.broken
		}
		select {
		case p := <-s.in:
			s.sleep(time.Until(p.at))
			s.rest, s.broken = p.data, p.err
		case <-s.closed:
			return 0, net.ErrClosed
		}
	}
	n := copy(b, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Write puts something under way.
func (s *shaped) Write(b []byte) (int, error) {
	select {
	case <-s.closed:
		return 0, net.ErrClosed
	default:
	}
	select {
	case s.out <- piece{at: time.Now().Add(s.shaper.Delay), data: bytes.Clone(b)}:
		return len(b), nil
	default:
		return 0, os.ErrDeadlineExceeded // nobody has taken anything for long
	}
}

// Close ends the connection at once: what is under way is lost.
func (s *shaped) Close() error {
	s.closing.Do(func() { close(s.closed) })
	return s.Conn.Close()
}
