package socket

import (
	"io"
	"net"
	"testing"
)

// speaker is a connection that is heard, and its other end.
type speaker struct {
	near, far *net.TCPConn
	socket    *Socket
}

func newSpeaker(t *testing.T) *speaker {
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
	s := &speaker{near: near.(*net.TCPConn), far: far.(*net.TCPConn)}
	s.socket = Of(s.near)
	return s
}

func newEars(t *testing.T) *Ears[*speaker] {
	t.Helper()
	e := NewEars[*speaker](4)
	if e == nil {
		t.Fatal("the system lends no ears")
	}
	return e
}

func add(t *testing.T, e *Ears[*speaker], s *speaker) {
	t.Helper()
	if err := e.Add(s.socket, s); err != nil {
		t.Fatal(err)
	}
}

// What is said through many sockets is heard, and from each its own.
func TestEarsHearMany(t *testing.T) {
	e := newEars(t)
	defer e.Close()
	const many = 10
	all := map[*speaker]byte{}
	for i := range byte(many) {
		s := newSpeaker(t)
		all[s] = i
		add(t, e, s)
		if _, err := s.far.Write([]byte{i}); err != nil {
			t.Fatal(err)
		}
	}
	for heard := 0; heard < many; {
		for i := range e.Wait() {
			s := e.Speaker(i)
			var b [2]byte
			if n, err := s.socket.Read(b[:]); n != 1 || err != nil || b[0] != all[s] {
				t.Fatalf("heard % x, %v; want %d", b[:n], err, all[s])
			}
			heard++
		}
	}
}

// Whoever hangs up is heard to; the place is used again.
func TestEarsForget(t *testing.T) {
	e := newEars(t)
	defer e.Close()
	for range 3 {
		s := newSpeaker(t)
		add(t, e, s)
		s.far.Close()
		if n := e.Wait(); n != 1 || e.Speaker(0) != s {
			t.Fatalf("heard from %d", n)
		}
		if n, err := s.socket.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Fatalf("read %d bytes, %v", n, err)
		}
		e.Forget(s.socket)
		if e.Len() != 0 || len(e.speakers) != 1 {
			t.Fatalf("%d are heard, in %d places", e.Len(), len(e.speakers))
		}
	}
}

func TestClosedEars(t *testing.T) {
	e := newEars(t)
	s := newSpeaker(t)
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
	s := newSpeaker(t)
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

// A socket of one's own outlives its connection; ears find out when it takes something, and when it is shut.
func TestSocketsOfOnesOwn(t *testing.T) {
	e := newEars(t)
	defer e.Close()
	s := newSpeaker(t)
	own, err := OwnOf(s.near)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	s.near.Close()
	if err := e.Add(&own.Socket, s); err != nil {
		t.Fatal(err)
	}
	if err := e.Watch(&own.Socket, true); err != nil {
		t.Fatal(err)
	}
	if n := e.Wait(); n != 1 || e.Speaker(0) != s {
		t.Fatalf("%d take something", n)
	}
	if err := e.Watch(&own.Socket, false); err != nil {
		t.Fatal(err)
	}
	again, err := own.Conn()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	again.Close()
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
	e.Forget(&own.Socket)
	own.Close()
	if _, err := own.Conn(); err == nil || own.CloseRead() == nil || own.Close() == nil {
		t.Error("a closed socket is still of use")
	}
	if _, err := s.far.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the other end reads %v", err)
	}
}

// Ears tell once of what has come, and again if they are asked to; who has said something and hung up is heard to the end.
func TestEarsTellAgain(t *testing.T) {
	e := newEars(t)
	defer e.Close()
	s := newSpeaker(t)
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
			if err := e.Again(s.socket); err != nil {
				t.Fatal(err)
			}
		case !e.Ends(0):
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
func (e *Ears[S]) ask() int {
	e.do(uintptr(e.fd))
	return e.count
}
