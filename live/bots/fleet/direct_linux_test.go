package fleet

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// log is a client that keeps what it hears.
type log struct{ heard []string }

func (*log) Open(*Conn, time.Duration)               {}
func (*log) Wake(time.Duration)                      {}
func (*log) Closed(error, time.Duration)             {}
func (l *log) Frame(message []byte, _ time.Duration) { l.heard = append(l.heard, string(message)) }

// However messages are cut on their way, they come out as they were sent, and nothing is held afterwards.
func TestMessagesComeOutWhole(t *testing.T) {
	w := &worker{fleet: &Fleet{}}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, 130), rapid.IntRange(0, 70_000))
		var stream []byte
		var want []string
		for i := range rapid.IntRange(1, 5).Draw(t, "messages") {
			message := string(bytes.Repeat([]byte{byte(i + 1)}, size.Draw(t, "size")))
			want = append(want, message)
			stream = append(stream, frame(whole, message)...)
		}
		var l log
		d := &direct{conn: &Conn{worker: w, client: &l}}
		in := make([]byte, 6000) // overwritten by what comes next, as a worker's is
		for len(stream) > 0 {
			n := copy(in[:rapid.IntRange(1, len(in)).Draw(t, "cut")], stream)
			if err := d.take(in[:n]); err != nil {
				t.Fatal(err)
			}
			stream = stream[n:]
		}
		if !slices.Equal(l.heard, want) || len(d.rest) > 0 || cap(d.rest) > restMax {
			t.Fatalf("%d of %d messages came out, and %d bytes in a buffer of %d are held", len(l.heard), len(want), len(d.rest), cap(d.rest))
		}
	})
}

// numbered is how large messages with a number are.
const numbered = 1000

// stuff sends messages with numbers until the server's socket is full and some more wait. It returns how many it sent.
func stuff(f *Fleet, h *hearer, more int) (sent uint32) {
	f.Do(0, func() {
		d := h.conn.way.(*direct)
		message := make([]byte, numbered)
		for ; more > 0; sent++ {
			binary.LittleEndian.PutUint32(message, sent)
			h.conn.Send(message)
			if len(d.queue) > 0 {
				more--
			}
		}
	})
	return sent
}

// What a server does not take at once waits its turn.
func TestWhatIsNotTakenWaits(t *testing.T) {
	f, h, p := connected(t, nil, nil)
	sent := stuff(f, h, 100)
	for i := range sent {
		if head, payload := p.hear(t); head != whole || binary.LittleEndian.Uint32([]byte(payload)) != i {
			t.Fatalf("message %d is %x %.4x", i, head, payload)
		}
	}
	f.Do(0, func() { h.conn.Send([]byte("after that")) })
	if _, payload := p.hear(t); payload != "after that" {
		t.Errorf("then came %q", payload)
	}
}

// A server that takes nothing while there is more and more to say is given up.
func TestWhatWaitsIsBounded(t *testing.T) {
	f, h, _ := connected(t, nil, nil)
	stuff(f, h, queueMax/numbered+1)
	if err := <-h.closed; err != errStuck {
		t.Errorf("the client learns %v, want %v", err, errStuck)
	}
}
