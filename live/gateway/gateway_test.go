package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lxzan/gws"

	"throng/live/protocol"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

func TestPersonJoinsAndSpeaks(t *testing.T) {
	s := open(t, nil)
	reply := s.join(t, "Ada")
	g := s.dial(t)
	w := g.hello(t, reply.Token, true)
	if w.User != 3 || w.Node != 4 || w.Epoch != 0 || string(w.Role) != "client" || w.Tick != 100*world.Millisecond {
		t.Errorf("%+v", w)
	}
	if !strings.HasSuffix(reply.WebSocket, "/ws") || reply.WebTransport != nil {
		t.Errorf("%+v", reply)
	}
	var d session.Description
	if err := json.Unmarshal(w.Description, &d); err != nil || d.World.Name != "crowd" {
		t.Errorf("description %s: %v", w.Description, err)
	}

	g.send(t, dataFrame(officeID, "echo"))
	if item := g.datagram(t); string(item.Payload) != "echo" || item.Peer != officeID || item.Class != mechanism.Command {
		t.Errorf("%+v", item)
	}
	before := s.hub.Now()
	g.send(t, protocol.AppendPing(nil, 42))
	client, server, err := protocol.ReadPong(g.next(t))
	if err != nil || client != 42 || server < before || server > s.hub.Now() {
		t.Errorf("pong %v %v %v", client, server, err)
	}

	g.send(t, protocol.AppendBye(nil))
	if reason := g.goodbye(t); reason != endLeft.text {
		t.Errorf("goodbye: %q", reason)
	}
	until(t, "the user is gone", func() bool { return s.hub.Counters().People == 0 && s.Clients() == 0 })
}

func TestDatagramsThatWaitShareAFrame(t *testing.T) {
	s := open(t, nil)
	g, w := s.seat(t, "Ada")
	c := s.idle(t)
	for range 3 {
		s.hub.Route(mechanism.Message{From: officeID, To: w.Node, Payload: []byte("hi")})
	}
	c.sent(nil)
	items := protocol.ReadData(g.next(t))
	for range 3 {
		if item, ok := items.Next(); !ok || string(item.Payload) != "hi" {
			t.Errorf("%+v %v", item, ok)
		}
	}
}

func TestFramesDoNotGetLong(t *testing.T) {
	s := open(t, nil)
	g, w := s.seat(t, "Ada")
	c := s.idle(t)
	const datagrams = 30
	for i := range datagrams {
		s.hub.Route(mechanism.Message{From: officeID, To: w.Node, Payload: slices.Repeat([]byte{byte(i)}, 1000)})
	}
	c.sent(nil)
	for i := 0; i < datagrams; {
		frame := g.next(t)
		if len(frame) > frameFull {
			t.Errorf("a frame of %d bytes", len(frame))
		}
		items := protocol.ReadData(frame)
		for item, ok := items.Next(); ok; item, ok = items.Next() {
			if len(item.Payload) != 1000 || item.Payload[0] != byte(i) {
				t.Fatalf("datagram %d is %d bytes that begin with %d", i, len(item.Payload), item.Payload[0])
			}
			i++
		}
	}
}

func TestWhatWaitsGoesOutBeforeTheGoodbye(t *testing.T) {
	s := open(t, nil)
	g, w := s.seat(t, "Ada")
	c := s.idle(t)
	s.hub.Route(mechanism.Message{From: officeID, To: w.Node, Payload: []byte("last words")})
	c.dismiss(endShutdown, time.Now())
	if s.hub.Route(mechanism.Message{From: officeID, To: w.Node, Payload: []byte("too late")}) {
		t.Error("datagrams are taken after the goodbye")
	}
	c.sent(nil)
	if item := g.datagram(t); string(item.Payload) != "last words" {
		t.Errorf("%+v", item)
	}
	if reason := g.goodbye(t); reason != endShutdown.text {
		t.Errorf("goodbye: %q", reason)
	}
}

func TestLostConnectionIsResumed(t *testing.T) {
	s := open(t, nil)
	token := s.join(t, "Ada").Token
	first := s.dial(t)
	w := first.hello(t, token, true)
	first.conn.NetConn().Close()
	until(t, "the loss is noticed", func() bool { return s.hub.Counters().Away == 1 })

	again := s.dial(t)
	if v := again.hello(t, token, false); v.User != w.User || v.Node != w.Node || v.Epoch != w.Epoch {
		t.Errorf("resumed as %+v, was %+v", v, w)
	}
	again.send(t, dataFrame(officeID, "echo"))
	again.datagram(t)

	reloaded := s.dial(t)
	if v := reloaded.hello(t, token, true); v.User != w.User || v.Epoch != w.Epoch+1 {
		t.Errorf("reloaded as %+v, was %+v", v, w)
	}
	if reason := again.goodbye(t); reason != endReplaced.text {
		t.Errorf("the connection that was replaced heard %q", reason)
	}
	reloaded.send(t, dataFrame(officeID, "echo"))
	reloaded.datagram(t)
}

func TestReplacedConnectionSaysNothingMore(t *testing.T) {
	s := open(t, nil)
	token := s.join(t, "Ada").Token
	s.dial(t).hello(t, token, true)
	old := s.all()[0]
	s.dial(t).hello(t, token, false)
	before := s.hub.Counters().Routed
	if e := old.take(dataFrame(officeID, "?"), time.Now()); e != nil {
		t.Errorf("told to go once more: %v", e.text)
	}
	if after := s.hub.Counters().Routed; after != before {
		t.Error("the old connection still speaks")
	}
}

func TestEverybodyIsToldOfTheEnd(t *testing.T) {
	s := open(t, nil)
	guests := []*guest{s.dial(t)} // one that has not said hello
	for range 5 {
		g, _ := s.seat(t, "")
		guests = append(guests, g)
	}
	until(t, "all connections are there", func() bool { return s.Clients() == len(guests) })
	done := make(chan error)
	go func() { done <- s.Close(t.Context(), "the fair is over") }()
	for i, g := range guests {
		if reason := g.goodbye(t); reason != "the fair is over" {
			t.Errorf("guest %d heard %q", i, reason)
		}
		var closing *gws.CloseError
		if !errors.As(g.closed, &closing) || closing.Code != 1001 || string(closing.Reason) != "the fair is over" {
			t.Errorf("guest %d: %v", i, g.closed)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := s.Clients(); n != 0 {
		t.Errorf("%d connections are left", n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.ended[endShutdown]; n != int64(len(guests)) {
		t.Errorf("%d endings counted", n)
	}
}

func TestCloseDoesNotWaitForTheStubborn(t *testing.T) {
	s := open(t, nil)
	s.deaf(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Close(ctx, "over"); !errors.Is(err, context.Canceled) {
		t.Errorf("closed with %v", err)
	}
	if n := s.Clients(); n != 0 {
		t.Errorf("%d connections are left", n)
	}
}

func TestNobodyGetsInWhileItCloses(t *testing.T) {
	s := open(t, nil)
	if err := s.Close(t.Context(), "over"); err != nil {
		t.Fatal(err)
	}
	for path, method := range map[string]string{"/readyz": "GET", "/api/join": "POST", "/ws": "GET"} {
		r, err := http.NewRequest(method, s.http.URL+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
	if err := s.Close(t.Context(), "again"); err == nil {
		t.Error("closed twice")
	}
}
