package socket

import (
	"io"
	"net"
	"testing"
)

// end is one end of a connection, which is watched, and the other.
type end struct {
	near, far *net.TCPConn
	socket    *Socket
}

func newEnd(t *testing.T) *end {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	far, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	near, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	s := &end{near: near.(*net.TCPConn), far: far.(*net.TCPConn)}
	s.socket = Of(s.near)
	return s
}

func newPoller(t *testing.T) *Poller[*end] {
	t.Helper()
	e := NewPoller[*end](4)
	if e == nil {
		t.Fatal("the system has no poller")
	}
	return e
}

func add(t *testing.T, e *Poller[*end], s *end) {
	t.Helper()
	if err := e.Add(s.socket, s); err != nil {
		t.Fatal(err)
	}
}

// What is said through many sockets is heard, and from each its own.
func TestManyAreWatched(t *testing.T) {
	e := newPoller(t)
	defer e.Close()
	const many = 10
	all := map[*end]byte{}
	for i := range byte(many) {
		s := newEnd(t)
		all[s] = i
		add(t, e, s)
		if _, err := s.far.Write([]byte{i}); err != nil {
			t.Fatal(err)
		}
	}
	for heard := 0; heard < many; {
		for i := range e.Wait() {
			s := e.Value(i)
			var b [2]byte
			if n, err := s.socket.Read(b[:]); n != 1 || err != nil || b[0] != all[s] {
				t.Fatalf("heard % x, %v; want %d", b[:n], err, all[s])
			}
			heard++
		}
	}
}

// Whoever hangs up is heard to; the place is used again.
func TestRemovedPlacesAreUsedAgain(t *testing.T) {
	e := newPoller(t)
	defer e.Close()
	for range 3 {
		s := newEnd(t)
		add(t, e, s)
		s.far.Close()
		if n := e.Wait(); n != 1 || e.Value(0) != s {
			t.Fatalf("heard from %d", n)
		}
		if n, err := s.socket.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Fatalf("read %d bytes, %v", n, err)
		}
		e.Remove(s.socket)
		if e.Len() != 0 || len(e.values) != 1 {
			t.Fatalf("%d are heard, in %d places", e.Len(), len(e.values))
		}
	}
}

func TestClosedPoller(t *testing.T) {
	e := newPoller(t)
	s := newEnd(t)
	e.Close()
	if n := e.Wait(); n != 0 {
		t.Errorf("heard from %d", n)
	}
	if e.Add(s.socket, s) == nil {
		t.Error("a socket was added")
	}
}

// A socket that is full takes what it can, and one that has nothing gives nothing.
func TestSocketsDoNotWait(t *testing.T) {
	s := newEnd(t)
	if n, err := s.socket.Read(make([]byte, 1)); n != 0 || err != nil {
		t.Errorf("read %d bytes, %v", n, err)
	}
	for piece := make([]byte, 1<<20); ; {
		n, err := s.socket.Write(piece)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
	}
}

// A detached socket outlives its connection; a poller finds out when it takes something, and when it is shut.
func TestDetachedSocket(t *testing.T) {
	e := newPoller(t)
	defer e.Close()
	s := newEnd(t)
	own, err := Detach(s.near)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if _, err := s.near.Write([]byte{1}); err == nil {
		t.Error("there are two descriptors")
	}
	if err := e.Add(&own.Socket, s); err != nil {
		t.Fatal(err)
	}
	if err := e.Watch(&own.Socket, true); err != nil {
		t.Fatal(err)
	}
	if n := e.Wait(); n != 1 || e.Value(0) != s {
		t.Fatalf("%d take something", n)
	}
	if err := e.Watch(&own.Socket, false); err != nil {
		t.Fatal(err)
	}
	if n, err := own.Write([]byte{1}); n != 1 || err != nil {
		t.Fatalf("wrote %d bytes, %v", n, err)
	}
	if n, err := s.far.Read(make([]byte, 2)); n != 1 || err != nil {
		t.Fatalf("the other end reads %d bytes, %v", n, err)
	}
	own.CloseRead()
	if n := e.Wait(); n != 1 {
		t.Fatalf("heard from %d", n)
	}
	if n, err := own.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("read %d bytes, %v", n, err)
	}
	e.Remove(&own.Socket)
	own.Close()
	if own.CloseRead() == nil || own.Close() == nil {
		t.Error("a closed socket is still of use")
	}
	if _, err := s.far.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the other end reads %v", err)
	}
}

// A poller tells once of what has come, and again if it is asked to; who has said something and hung up is heard to the end.
func TestRearmedSocketIsToldOfAgain(t *testing.T) {
	e := newPoller(t)
	defer e.Close()
	s := newEnd(t)
	add(t, e, s)
	if _, err := s.far.Write([]byte("said")); err != nil {
		t.Fatal(err)
	}
	s.far.Close()
	said := ""
	for i := range 3 {
		if n := e.Wait(); n != 1 {
			t.Fatalf("heard from %d", n)
		}
		var room [2]byte
		n, err := s.socket.Read(room[:])
		said += string(room[:n])
		switch {
		case i < 2 && (n < len(room) || err != nil), i == 2 && err != io.EOF:
			t.Fatalf("read %d bytes, %v", n, err)
		case i < 2:
			if err := e.Rearm(s.socket); err != nil {
				t.Fatal(err)
			}
		case !e.Closing(0):
			t.Error("the end was not told of")
		}
	}
	if said != "said" {
		t.Errorf("heard %q", said)
	}
	if n := e.ask(); n != 0 {
		t.Errorf("told %d times of nothing new", n)
	}
}

// ask asks for news without waiting.
func (e *Poller[T]) ask() int {
	e.poll(uintptr(e.fd))
	return e.count
}
