package fleet

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lxzan/gws"
	"pgregory.net/rapid"
)

// echo is a server that sends everything back.
type echo struct{ gws.BuiltinEventHandler }

func (echo) OnMessage(socket *gws.Conn, m *gws.Message) {
	defer m.Close()
	_ = socket.WriteMessage(m.Opcode, m.Bytes())
}

func serveEcho(tb testing.TB) (url string) {
	tb.Helper()
	upgrader := gws.NewUpgrader(echo{}, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if socket, err := upgrader.Upgrade(w, r); err == nil {
			go socket.ReadLoop()
		}
	}))
	tb.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

// caller sends a message when it is woken, and says when it has done so often enough.
type caller struct {
	conn   *Conn
	calls  int
	got    []string
	done   chan struct{}
	closed chan struct{}
}

func (c *caller) Open(conn *Conn, now time.Duration) {
	c.conn = conn
	conn.WakeAt(now)
}

func (c *caller) Wake(time.Duration) { c.conn.Send([]byte("hello")) }

func (c *caller) Frame(frame []byte, now time.Duration) {
	c.got = append(c.got, string(frame))
	if c.calls--; c.calls == 0 {
		close(c.done)
		return
	}
	c.conn.WakeAt(now)
}

func (c *caller) Closed(error, time.Duration) { close(c.closed) }

func TestClientsSpeakAndAreWoken(t *testing.T) {
	url := serveEcho(t)
	f := New(2, nil)
	clients := make([]*caller, 10)
	for i := range clients {
		clients[i] = &caller{calls: 3, done: make(chan struct{}), closed: make(chan struct{})}
		if err := f.Connect(t.Context(), url, i%f.Workers(), clients[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range clients {
		<-c.done
	}
	s := f.Stats()
	if s.Open != 10 || s.FramesIn != 30 || s.FramesOut != 30 {
		t.Errorf("open %d, frames in %d and out %d; want 10, 30 and 30", s.Open, s.FramesIn, s.FramesOut)
	}
	if want := int64(30 * (2 + 5)); s.BytesIn != want {
		t.Errorf("%d bytes in, want %d", s.BytesIn, want)
	}
	if want := int64(30 * (2 + 4 + 5)); s.BytesOut != want {
		t.Errorf("%d bytes out, want %d", s.BytesOut, want)
	}
	f.Close()
	for _, c := range clients {
		<-c.closed
		if !slices.Equal(c.got, []string{"hello", "hello", "hello"}) {
			t.Errorf("got %q", c.got)
		}
	}
	if open := f.Stats().Open; open != 0 {
		t.Errorf("%d connections are open after Close", open)
	}
}

func TestConnectFailsWhereNobodyListens(t *testing.T) {
	f := New(1, nil)
	defer f.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Connect(ctx, "ws://127.0.0.1:1/", 0, &caller{}); err == nil {
		t.Error("no error")
	}
}

func TestAlarmsComeInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a alarms
		conns := make([]*Conn, rapid.IntRange(1, 40).Draw(t, "conns"))
		for i := range conns {
			conns[i] = &Conn{place: unset}
		}
		set := map[*Conn]time.Duration{}
		moment := rapid.OneOf(rapid.Just(Never), rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.IntRange(0, 100).Draw(t, "at"))
		}))
		for range rapid.IntRange(0, 200).Draw(t, "changes") {
			c, at := rapid.SampledFrom(conns).Draw(t, "conn"), moment.Draw(t, "moment")
			a.set(c, at)
			set[c] = at
		}
		var want []time.Duration
		for _, c := range conns {
			at, ok := set[c]
			if !ok {
				at = Never
			}
			if got := a.of(c); got != at {
				t.Fatalf("the alarm is at %d, want %d", got, at)
			}
			if at != Never {
				want = append(want, at)
			}
		}
		slices.SortFunc(want, cmp.Compare[time.Duration])
		for _, at := range want {
			if got := a.first(); got != at {
				t.Fatalf("the first alarm is at %d, want %d", got, at)
			}
			a.set(a.heap[0].conn, Never)
		}
		if a.first() != Never {
			t.Fatal("alarms are left")
		}
	})
}

func TestPercentilesAreNearTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		durations := rapid.SliceOfN(rapid.Int64Range(0, int64(30*time.Second)), 1, 200).Draw(t, "durations")
		var h Histogram
		for _, d := range durations {
			h.Record(time.Duration(d))
		}
		slices.Sort(durations)
		for _, p := range []float64{0, 50, 90, 99} {
			truth := time.Duration(durations[int(p/100*float64(len(durations)))])
			got := h.Percentile(p)
			if got < truth || got > truth+truth/200+time.Microsecond {
				t.Fatalf("p%v is %v, want %v", p, got, truth)
			}
		}
		if got, want := h.Percentile(100), time.Duration(durations[len(durations)-1]); got != want {
			t.Fatalf("the longest is %v, want %v", got, want)
		}
	})
}

func TestPulseCountsLateOnesOnce(t *testing.T) {
	const interval = 100 * time.Millisecond
	for _, test := range []struct {
		name     string
		arrivals []time.Duration // in ms
		want     int64
	}{
		{"regular", []time.Duration{10, 110, 210, 310}, 4},
		{"jitter", []time.Duration{10, 140, 195, 310}, 4},
		{"parts", []time.Duration{10, 11, 12, 110, 111, 112}, 2},
		{"one comes with the next", []time.Duration{10, 208, 210, 310}, 3},
	} {
		var p Pulse
		for _, at := range test.arrivals {
			p.Beat(at*time.Millisecond, interval)
		}
		if got := p.Take(); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
		if p.Take() != 0 {
			t.Errorf("%s: what was taken is counted again", test.name)
		}
	}
}

// BenchmarkEcho is a message there and back, which includes the server in the same process.
func BenchmarkEcho(b *testing.B) {
	f := New(1, nil)
	defer f.Close()
	c := &caller{calls: b.N, done: make(chan struct{}), closed: make(chan struct{}), got: make([]string, 0, b.N)}
	if err := f.Connect(b.Context(), serveEcho(b), 0, c); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	<-c.done
}

// sleeper asks to be woken again so often.
type sleeper struct {
	conn *Conn
	left int
	done chan struct{}
}

func (s *sleeper) Open(c *Conn, now time.Duration) { s.conn = c; c.WakeAt(now) }
func (*sleeper) Frame([]byte, time.Duration)       {}
func (*sleeper) Closed(error, time.Duration)       {}

func (s *sleeper) Wake(time.Duration) {
	if s.left--; s.left == 0 {
		close(s.done)
	} else if s.left > 0 {
		s.conn.WakeAt(Never)
		s.conn.WakeAt(-1) // long past: at once
	}
}

// Whoever asks again while being woken is woken again, and nobody else.
func TestClientsAreWokenAsOftenAsTheyAsk(t *testing.T) {
	f := New(1, nil)
	defer f.Close()
	s := &sleeper{left: 3 * batch, done: make(chan struct{})}
	if err := f.Connect(t.Context(), serveEcho(t), 0, s); err != nil {
		t.Fatal(err)
	}
	<-s.done
	f.Do(0, func() {
		if s.left != 0 || f.workers[0].alarms.first() != Never {
			t.Errorf("woken %d times too often, with an alarm at %v", -s.left, f.workers[0].alarms.first())
		}
	})
}
