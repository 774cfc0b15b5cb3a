package gateway

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"throng/live/livetest"
)

// served has a gateway listen for real, instead of by a test's server.
func served(t *testing.T, change func(*Config)) *site {
	t.Helper()
	s := open(t, change)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l)
	return &site{s.Gateway, &httptest.Server{URL: "http://" + l.Addr().String()}}
}

// dialFrom opens a plain connection from one of this machine's many addresses.
func (s *site) dialFrom(t *testing.T, address string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := d.Dial("tcp", strings.TrimPrefix(s.http.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// answers reports whether a request over a connection is answered.
func answers(conn net.Conn) bool {
	if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return false
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err == nil && resp.StatusCode == http.StatusOK
}

// Connections that do nothing are counted by address from their first moment.
func TestConnectionsThatSayNothingAreLimitedByAddress(t *testing.T) {
	s := served(t, func(c *Config) { c.Limits.ConnectionsPerHost = 10 })
	var idle []net.Conn
	for range 10 {
		idle = append(idle, s.dialFrom(t, "127.0.0.2"))
	}
	if answers(s.dialFrom(t, "127.0.0.2")) {
		t.Error("one more is answered")
	}
	if !answers(s.dialFrom(t, "127.0.0.3")) {
		t.Error("somebody else is not answered")
	}
	if !answers(idle[0]) {
		t.Error("one of the first is not answered")
	}
	idle[1].Close()
	until(t, "there is room again", func() bool {
		c := s.dialFrom(t, "127.0.0.2")
		defer c.Close()
		return answers(c)
	})
}

// When there are too many in all, those who do nothing give way to those who come.
func TestIdleConnectionsGiveWay(t *testing.T) {
	var d livetest.Diary
	s := served(t, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&d, nil)) })
	s.admission.mu.Lock()
	s.admission.requestsMax = 5
	s.admission.mu.Unlock()
	silent := []net.Conn{}
	for range 20 {
		silent = append(silent, s.dialFrom(t, "127.0.0.2"))
	}
	if !answers(s.dialFrom(t, "127.0.0.3")) {
		t.Error("a newcomer is not answered")
	}
	if answers(silent[0]) {
		t.Error("the oldest is still there")
	}
	s.admission.mu.Lock()
	open, known := s.admission.requests.Len(), len(s.admission.byConn)
	s.admission.mu.Unlock()
	if open > 5 || known != open {
		t.Errorf("%d connections are open, %d known", open, known)
	}
	s.sweep(time.Now().Add(time.Minute))
	if lines := d.About("clients were refused"); len(lines) != 1 || !strings.Contains(lines[0], "evicted=") {
		t.Errorf("the log says %q", lines)
	}
	s.sweep(time.Now().Add(time.Hour))
	if lines := d.About("clients were refused"); len(lines) != 1 {
		t.Errorf("the log says %q, though nothing has happened", lines)
	}
}

// A connection that becomes a WebSocket is counted as one and no longer as the other, and none is forgotten.
func TestConnectionsAreCountedOnce(t *testing.T) {
	s := served(t, nil)
	g, _ := s.seat(t, "Ada")
	counts := func() [3]int {
		s.admission.mu.Lock()
		defer s.admission.mu.Unlock()
		sum := 0
		for _, n := range s.admission.networks {
			sum += n.clients + n.requests
		}
		return [3]int{s.admission.clients, s.admission.requests.Len(), sum}
	}
	http.DefaultClient.CloseIdleConnections()
	until(t, "there is one WebSocket", func() bool { return counts() == [3]int{1, 0, 1} })
	g.conn.NetConn().Close()
	until(t, "there is nothing", func() bool { return counts() == [3]int{} })
}

func TestLimitsKeepToDescriptors(t *testing.T) {
	for _, c := range []struct {
		descriptors, wanted   int
		connections, requests int
	}{
		{1 << 20, 15_000, 15_000, 4096},
		{20_000, 15_000, 14_952, 4096 + 888},
		{1024, 15_000, 720, 240},
		{256, 100, 100, 48},
		{16, 15_000, 3, 1},
	} {
		l := Limits{Connections: c.wanted}
		requests := l.divide(c.descriptors)
		if requests != min(c.requests, requestsMax) || l.Connections > c.wanted || l.Connections+requests > max(c.descriptors-reserve, 4) {
			t.Errorf("of %d descriptors %d are for requests and %d for clients", c.descriptors, requests, l.Connections)
		}
	}
}

// What stops the server is worth a line that everybody sees.
func TestServerTroubleIsLogged(t *testing.T) {
	var d livetest.Diary
	l := newServerLog(slog.New(slog.NewTextHandler(&d, nil)))
	l.Print("http: Accept error: accept tcp: too many open files; retrying in 5ms")
	l.Print("http: TLS handshake error from 192.0.2.1: EOF")
	if s := d.String(); !strings.Contains(s, "level=ERROR") || strings.Count(s, "\n") != 1 {
		t.Errorf("%q", s)
	}
}
