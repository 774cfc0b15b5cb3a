package gateway

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"throng/live/account"
	"throng/live/hub"
	"throng/live/protocol"
)

// However many ask for tokens and never come, those who come get in.
func TestTokensThatNobodyUsesTakeNothing(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.JoinsPerMinute = 1 << 20 })
	for range 15_000 {
		if w := s.ask("POST", "/api/join", "{}", nil); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if c := s.hub.Counters(); c.Away != 0 || c.People != 0 {
		t.Errorf("seats were taken: %+v", c)
	}
	s.seat(t, "Ada")
}

func TestUnusedTokensAreBoundedAndForgotten(t *testing.T) {
	k := newTokens(newNames())
	now := time.Now()
	join := func(hub.Visitor) (*hub.Seat, error) { return &hub.Seat{}, nil }
	first := k.issue(account.Account{Name: "first"}, now)
	second := k.issue(account.Account{Name: "second"}, now)
	if c, err := k.show([]byte(first), join); c == nil || err != nil {
		t.Fatal("not known")
	}
	for range 2 * unusedMax {
		k.issue(account.Account{Name: "more"}, now)
	}
	if len(k.tickets) > unusedMax+1 || len(k.unused) > unusedMax {
		t.Errorf("%d tokens are remembered", len(k.tickets))
	}
	if c, _ := k.show([]byte(second), join); c != nil {
		t.Error("the oldest is still known")
	}
	last := k.issue(account.Account{Name: "last"}, now)
	k.sweep(now.Add(tokenLife - 1))
	if c, _ := k.show([]byte(last), join); c == nil {
		t.Error("forgotten before its time")
	}
	k.sweep(now.Add(tokenLife))
	if len(k.tickets) != 2 || len(k.unused) != 0 {
		t.Errorf("%d tokens are remembered, of which two are used", len(k.tickets))
	}
}

// Those who say hello with the same new token at once are one user.
func TestTokenIsOneSeat(t *testing.T) {
	s := open(t, nil)
	token := s.join(t, "Ada").Token
	var all sync.WaitGroup
	for range 10 {
		g := s.dial(t)
		all.Go(func() { g.conn.WriteMessage(2, helloFrame(token, true)) })
	}
	all.Wait()
	until(t, "one connection is left", func() bool { return s.Clients() == 1 })
	if c := s.hub.Counters(); c.People != 1 || c.Away != 0 {
		t.Errorf("%+v", c)
	}
}

// Seats may be gone between the request and the hello: the client is told.
func TestSeatsMayBeGoneByTheHello(t *testing.T) {
	s := openHub(t, hub.Config{SeatsMax: 1}, nil)
	late := s.join(t, "Ben").Token
	s.seat(t, "Ada")
	g := s.dial(t)
	g.send(t, helloFrame(late, true))
	if reason := g.goodbye(t); reason != endFull.text {
		t.Errorf("goodbye: %q", reason)
	}
	if w := s.ask("POST", "/api/join", "{}", nil); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if n := s.admission.refused[refusedFull].Load(); n != 2 {
		t.Errorf("%d refusals are counted", n)
	}
}

// Tokens whose seats are gone are forgotten.
func TestTokensEndWithTheirSeats(t *testing.T) {
	s := open(t, nil)
	for i := range 5 {
		g, _ := s.seat(t, fmt.Sprint(i))
		g.send(t, protocol.AppendBye(nil))
		g.goodbye(t)
	}
	until(t, "all have gone", func() bool { return s.Clients() == 0 })
	s.sweep(time.Now())
	s.tokens.mu.Lock()
	defer s.tokens.mu.Unlock()
	if n := len(s.tokens.tickets); n != 0 {
		t.Errorf("%d tokens are remembered", n)
	}
}

// A client may say hello without waiting for the answer to its request.
func TestHelloAlongWithTheRequest(t *testing.T) {
	s := open(t, nil)
	for _, cut := range []int{0, 1, 10, 1000} { // how much of the hello comes later
		token := s.join(t, "Ada").Token
		conn, response := s.raw(t, func(request []byte) []byte {
			hello := clientFrame(opBinary, helloFrame(token, true))
			early := len(hello) - min(cut, len(hello))
			return append(request, hello[:early]...)
		})
		if cut > 0 {
			hello := clientFrame(opBinary, helloFrame(token, true))
			if _, err := conn.Write(hello[len(hello)-min(cut, len(hello)):]); err != nil {
				t.Fatal(err)
			}
		}
		frame := response.frame(t)
		w, err := protocol.ReadWelcome(frame)
		if err != nil || w.User == 0 {
			t.Errorf("%x: %v", frame, err)
		}
		conn.Close()
	}
	until(t, "all have gone", func() bool { return s.Clients() == 0 })
}
