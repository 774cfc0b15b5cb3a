package cluster

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"throng/live/livetest"
	"throng/mechanism"
	"throng/world/wire"
)

// ear notes what a mesh hands on.
type ear struct {
	mu    sync.Mutex
	heard []string
	gone  int
}

func (e *ear) frame(from *peer, kind byte, body []byte) {
	switch kind {
	case kindMeet:
		r := wire.NewReader(body)
		for _, address := range readTexts(&r) {
			from.mesh.meet(address)
		}
	case kindRequest, kindDatagram:
		e.mu.Lock()
		defer e.mu.Unlock()
		e.heard = append(e.heard, string(body))
	}
}

func (e *ear) lost(*peer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gone++
}

func (e *ear) beat(p *peer) { p.send(kindPing) }

func (e *ear) has(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, h := range e.heard {
		if strings.HasSuffix(h, text) {
			return true
		}
	}
	return false
}

func (e *ear) losses() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.gone
}

// connect has a mesh be there until the end of the test.
func connect(t *testing.T, token string, encrypted bool, patience time.Duration) (*mesh, *ear) {
	t.Helper()
	m, err := newMesh("127.0.0.1:0", token, patience, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if encrypted {
		m.secure = newSecure(token)
	}
	e := new(ear)
	m.start(e)
	t.Cleanup(m.close)
	return m, e
}

// Three that know of one another only through one of them all speak to one another, in the open on one machine and encrypted between
// several; a connection that breaks is no death, the end of a process is.
func TestMesh(t *testing.T) {
	for name, encrypted := range map[string]bool{"open": false, "encrypted": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, heardA := connect(t, "secret", encrypted, time.Minute)
			b, heardB := connect(t, "secret", encrypted, time.Minute)
			c, heardC := connect(t, "secret", encrypted, time.Minute)
			for i, m := range []*mesh{a, b, c} {
				m.called(uint32(i + 1))
			}
			for _, m := range []*mesh{b, c} {
				if _, err := m.dial(a.address, dialTime); err != nil {
					t.Fatal(err)
				}
			}
			for _, m := range []*mesh{a, b, c} {
				livetest.Until(t, "all know one another by number", func() bool { return len(*m.numbers.Load()) == 2 })
			}
			b.of(3).send(kindRequest, []byte("from b"))
			c.of(1).carry(&mechanism.Message{From: 2, To: 1, Payload: []byte("from c")})
			livetest.Until(t, "what they say arrives", func() bool { return heardC.has("from b") && heardA.has("from c") })
			one := b.of(3)
			one.mu.Lock()
			before := one.conn
			one.mu.Unlock()
			before.Close()
			livetest.Until(t, "the connection is there again", func() bool {
				one.mu.Lock()
				defer one.mu.Unlock()
				return one.conn != before
			})
			b.of(3).send(kindRequest, []byte("again"))
			livetest.Until(t, "what is said after that arrives", func() bool { return heardC.has("again") })
			if heardB.losses()+heardC.losses() != 0 {
				t.Error("a connection that broke was taken for a death")
			}
			c.close()
			livetest.Until(t, "its death is noticed", func() bool { return heardA.losses() == 1 && heardB.losses() == 1 })
			if a.of(3) != nil || b.of(3) != nil || a.of(2) == nil {
				t.Error("the dead can be reached, or the living cannot")
			}
		})
	}
}

// Who does not have the token, is of another version, says what nobody can read or nothing at all is not let in, whether what is said
// is encrypted or not; those who are in notice nothing of it.
func TestStrangersAreKeptOut(t *testing.T) {
	for name, encrypted := range map[string]bool{"open": false, "encrypted": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, heard := connect(t, "secret", encrypted, time.Minute)
			stranger, _ := connect(t, "guess", encrypted, time.Minute)
			if _, err := stranger.dial(a.address, dialTime); err == nil {
				t.Error("another token is good")
			}
			plain, _ := connect(t, "secret", !encrypted, time.Minute)
			if _, err := plain.dial(a.address, dialTime); err == nil {
				t.Error("one side encrypts, and the other does not")
			}
			h := hello{token: "secret", instance: 77, address: "127.0.0.1:1"}
			other := wire.AppendUint(nil, version+1)
			for _, text := range [][]byte{
				appendFrame(nil, kindName, append(other, h.append(nil)[1:]...)),
				appendFrame(nil, kindName, []byte{version}),
				appendFrame(nil, kindName, h.append(nil)), // which cannot be reached back
				{0xff, 0xff, 0xff, 0xff, 1}, {0, 0, 0, 0, 0}, bytes.Repeat([]byte("GET / "), 100), nil,
			} {
				if answer := intrude(t, a, text); bytes.Contains(answer, []byte("secret")) && !bytes.Contains(text, []byte("secret")) {
					t.Errorf("the token is given away to who says %q", text)
				}
			}
			friend, _ := connect(t, "secret", encrypted, time.Minute)
			friend.called(2)
			if _, err := friend.dial(a.address, dialTime); err != nil {
				t.Fatal(err)
			}
			livetest.Until(t, "a friend is let in", func() bool { return len(a.all()) == 1 && friend.find(a.instance) != nil })
			friend.find(a.instance).send(kindRequest, []byte("hello"))
			livetest.Until(t, "it is heard", func() bool { return heard.has("hello") })
		})
	}
}

// intrude says something to a mesh and returns what it answers before it hangs up.
func intrude(t *testing.T, m *mesh, text []byte) []byte {
	t.Helper()
	conn, err := net.Dial("tcp", m.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.Write(text)
	if len(text) < 5 { // it waits for more
		conn.(*net.TCPConn).CloseWrite()
	}
	answer, _ := io.ReadAll(conn)
	return answer
}

// One that is there but says nothing is dead once patience is used up.
func TestSilenceIsDeath(t *testing.T) {
	t.Parallel()
	a, heard := connect(t, "secret", false, 3*pingEvery)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	greeted := make(chan error, 1)
	go func() { // it greets once, and then only listens
		conn, err := l.Accept()
		if err == nil {
			h := hello{token: "secret", instance: 77, number: 2, address: l.Addr().String()}
			_, err = conn.Write(appendFrame(nil, kindName, h.append(nil)))
		}
		l.Close()
		greeted <- err
		if err == nil {
			io.Copy(io.Discard, conn)
		}
	}()
	if _, err := a.dial(l.Addr().String(), dialTime); err != nil {
		t.Fatal(err)
	}
	if err := <-greeted; err != nil {
		t.Fatal(err)
	}
	livetest.Until(t, "it is given up", func() bool { return heard.losses() == 1 && a.of(2) == nil })
}

// Nobody who listens between two machines learns what they say.
func TestEncryption(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	var seen livetest.Diary
	one, two := newSecure("secret"), newSecure("secret")
	go func() {
		c := two.client(there)
		c.Write([]byte("the word is plover"))
		c.Close()
	}()
	text, err := io.ReadAll(one.server(tapped{here, &seen}))
	if err != nil || string(text) != "the word is plover" {
		t.Fatalf("%q, %v", text, err)
	}
	if strings.Contains(seen.String(), "plover") || len(seen.String()) < 100 {
		t.Error("it can be read on the way")
	}
	here, there = net.Pipe()
	refused := make(chan error, 1)
	go func() {
		_, err := newSecure("guess").client(there).Write([]byte("hello"))
		refused <- err
	}()
	if n, err := one.server(here).Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("another token: %v", err)
	}
	if err := <-refused; !errors.Is(err, errKey) {
		t.Errorf("another token, where it is given: %v", err)
	}
}

// tapped writes down what is read from a connection.
type tapped struct {
	net.Conn
	to io.Writer
}

func (c tapped) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.to.Write(p[:n])
	return n, err
}
