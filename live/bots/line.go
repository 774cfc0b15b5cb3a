package bots

import (
	"bytes"
	"context"
	"net"
	"os"
	"sync"
	"time"
)

// Line is a way to the server that is longer and narrower than the real one.
type Line struct {
	Delay time.Duration // in either direction
	Down  int64         // bits per second from the server; 0 for no limit
}

const (
	lineRead  = 2 << 10  // what is taken from the real connection at a time
	lineQueue = 1 << 12  // how many such pieces may be under way
	lineAhead = 64 << 10 // what the system may take from the server before the line does

	lineSlack = 5 * time.Millisecond // by how much sleeping too long is made up for
)

// Dial opens a connection over the network that is as good as the line. It is a [fleet.Dial].
func (l Line) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	c, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if tcp, ok := c.(*net.TCPConn); ok && l.Down > 0 {
		if err := tcp.SetReadBuffer(lineAhead); err != nil {
			return nil, err
		}
	}
	return l.lengthen(c), nil
}

// lengthen makes a connection as slow as the line.
func (l Line) lengthen(c net.Conn) net.Conn {
	s := &slowed{Conn: c, line: l, in: make(chan piece, lineQueue), out: make(chan piece, lineQueue), closed: make(chan struct{})}
	go s.takeIn()
	go s.giveOut()
	return s
}

// piece is some bytes, or an error, that arrive at a time.
type piece struct {
	at   time.Time
	data []byte
	err  error
}

// slowed is a connection over a line.
type slowed struct {
	net.Conn
	line    Line
	in, out chan piece
	rest    []byte // of the piece that was last read from
	broken  error

	closing sync.Once
	closed  chan struct{}
}

// takeIn reads from the real connection no faster than the line allows, so that what is too much waits at the server.
func (s *slowed) takeIn() {
	free := time.Now() // when the line has room for more
	for {
		data := make([]byte, lineRead)
		n, err := s.Conn.Read(data)
		if s.line.Down > 0 {
			if earliest := time.Now().Add(-lineSlack); free.Before(earliest) {
				free = earliest
			}
			free = free.Add(time.Duration(int64(n) * 8 * int64(time.Second) / s.line.Down))
			s.sleep(time.Until(free))
		}
		select {
		case s.in <- piece{time.Now().Add(s.line.Delay), data[:n], err}:
		case <-s.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// giveOut writes to the real connection what is due.
func (s *slowed) giveOut() {
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

func (s *slowed) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.closed:
	}
}

// Read waits for what has come down the line.
func (s *slowed) Read(b []byte) (int, error) {
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
func (s *slowed) Write(b []byte) (int, error) {
	select {
	case <-s.closed:
		return 0, net.ErrClosed
	default:
	}
	select {
	case s.out <- piece{at: time.Now().Add(s.line.Delay), data: bytes.Clone(b)}:
		return len(b), nil
	default:
		return 0, os.ErrDeadlineExceeded // nobody has taken anything for long
	}
}

// Close ends the connection at once: what is under way is lost.
func (s *slowed) Close() error {
	s.closing.Do(func() { close(s.closed) })
	return s.Conn.Close()
}
