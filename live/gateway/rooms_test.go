package gateway

import (
	"context"
	"net/http"
	"testing"
	"time"

	"throng/live/hub"
)

// twoRooms are gateways of a server with two rooms.
func twoRooms(t *testing.T) (first, second *site) {
	t.Helper()
	var list []*Gateway
	first = open(t, func(c *Config) { c.Room, c.Limits.Thin, c.Rooms = "plaza", 1, func() []*Gateway { return list } })
	second = open(t, func(c *Config) { c.Room, c.Beside = "arena", first.Gateway })
	list = []*Gateway{first.Gateway, second.Gateway}
	return first, second
}

// Who is banned in one room is out of all, and gets into none.
func TestBansHoldInAllRooms(t *testing.T) {
	first, second := twoRooms(t)
	_, ada := first.seat(t, "Ada")
	ben, _ := second.seat(t, "Ben")
	first.operate(t, "POST", "/admin/api/ban", `{"user": `+itoa(uint32(ada.User))+`, "reason": "enough"}`, nil)
	if reason := ben.goodbye(t); reason != "enough" {
		t.Errorf("from the same address, in another room: %q", reason)
	}
	if w := second.ask("POST", "/api/join", "{}", func(r *http.Request) { r.RemoteAddr = "127.0.0.1:1" }); w.Code != http.StatusUnauthorized {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A token is good in its own room only.
func TestTokensAreOfOneRoom(t *testing.T) {
	first, second := twoRooms(t)
	reply := first.join(t, "Ada")
	g := second.dial(t)
	g.send(t, helloFrame(reply.Token, true))
	if reason := g.goodbye(t); reason != endStranger.text {
		t.Errorf("%q", reason)
	}
	if want := "/room/plaza/ws"; len(reply.WebSocket) < len(want) || reply.WebSocket[len(reply.WebSocket)-len(want):] != want {
		t.Errorf("the socket is at %s", reply.WebSocket)
	}
}

// What an address may have it has once, and thin clients are so many in all.
func TestLimitsHoldForAllRooms(t *testing.T) {
	first, second := twoRooms(t)
	if first.admission != second.admission || first.bans != second.bans || second.config.Limits.Thin != 1 {
		t.Error("rooms count for themselves")
	}
}

// A name that nobody has any more can be had; an account's is its own in all rooms for as long as it is in one.
func TestNamesInSeveralRooms(t *testing.T) {
	n := newNames()
	taken := func(name, account string) (string, *hub.Seat) {
		got, seat := n.take(name, account), &hub.Seat{}
		n.settle(got, seat)
		return got, seat
	}
	_, here := taken("Ada", "1")
	if got, there := taken("Ada", "1"); got != "Ada" {
		t.Errorf("the same account is called %q", got)
	} else {
		n.release("Ada", here)
		if got, _ := taken("ada", ""); got != "ada 2" {
			t.Errorf("another is called %q", got)
		}
		n.release("Ada", there)
	}
	if got, _ := taken("ADA", "2"); got != "ADA" {
		t.Errorf("called %q when nobody else is", got)
	}
	n.settle(n.take("Ben", ""), nil) // no seat was found
	if got := n.take("Ben", ""); got != "Ben" {
		t.Errorf("called %q", got)
	}
	if got := n.take("Ben", ""); got != "Ben 2" {
		t.Errorf("called %q while the first is still finding a seat", got)
	}
}

// A room that ends gives its people's names back.
func TestNamesOfARoomThatEnds(t *testing.T) {
	first, second := twoRooms(t)
	second.seat(t, "Ada")
	if got := first.tokens.names.take("Ada", ""); got != "Ada 2" {
		t.Errorf("called %q in another room", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the connection is cut
	second.Close(ctx, "lunch")
	if got := first.tokens.names.take("Ada", ""); got != "Ada" {
		t.Errorf("called %q", got)
	}
}

// Rooms are listed with who is there; those under other mechanisms only to operators.
func TestRoomsAreListed(t *testing.T) {
	first, second := twoRooms(t)
	second.config.Variant = true
	second.seat(t, "Ada")
	until(t, "the person is counted", func() bool { return second.recentCounters(time.Now().Add(time.Hour)).People == 1 })
	if list := first.roomInfos(false); len(list) != 1 || list[0].Name != "plaza" {
		t.Errorf("%+v", list)
	}
	if list := second.roomInfos(true); len(list) != 2 || list[1].Name != "arena" || list[1].People != 1 || list[1].Path != "/room/arena" || !list[1].Variant {
		t.Errorf("%+v", list)
	}
	if first.roomOf("arena") != second.Gateway || first.roomOf("none") != nil {
		t.Error("not found by name")
	}
}

// WebTransport to every room comes in by the first one's port.
func TestRoomsShareAPort(t *testing.T) {
	first, second := twoRooms(t)
	first.serveFast(t)
	second.seatFast(t)
	if a, b := first.Clients(), second.Clients(); a != 0 || b != 1 {
		t.Errorf("%d in the first room, %d in the second", a, b)
	}
	second.draining.Store(true)
	reply := second.join(t, "Ben")
	if _, err := dialFast(t, reply.WebTransport, nil); err == nil {
		t.Error("into a room that is about to end")
	}
	second.draining.Store(false) // for the test's own end
}
