package gateway

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"throng/live/hub"
)

// A server may have several rooms: worlds of their own, each with a gateway. All stand beside the first, which has the listeners, and
// share what must not be had once more by entering another room: names, bans, and what is counted by address.

// RoomPath is below what a room of a name is found; the first is found without it too.
func RoomPath(name string) string {
	if name == "" {
		return ""
	}
	return "/room/" + name
}

// rooms are all of the server's, this one too.
func (g *Gateway) rooms() []*Gateway {
	first := cmp.Or(g.config.Beside, g)
	if first.config.Rooms == nil {
		return []*Gateway{g}
	}
	return first.config.Rooms()
}

// roomOf finds a room; nil if there is none.
func (g *Gateway) roomOf(name string) *Gateway {
	list := g.rooms()
	if at := slices.IndexFunc(list, func(other *Gateway) bool { return other.config.Room == name }); at >= 0 {
		return list[at]
	}
	return nil
}

// RoomInfo is a room as people choose it.
type RoomInfo struct {
	Name       string `json:"name"`
	Path       string `json:"path"` // below the server's address
	About      string `json:"about,omitempty"`
	World      string `json:"world"`
	Mechanism  string `json:"mechanism"`
	People     int    `json:"people"`
	Artificial int    `json:"artificial"`
	Variant    bool   `json:"variant,omitempty"` // another room's world under another mechanism, for as long as somebody is there
}

// Name is what the room is called: if it is the only one, as its world is.
func (g *Gateway) Name() string { return cmp.Or(g.config.Room, g.session.World.Name) }

// roomInfos lists rooms by their names, the first one first.
func (g *Gateway) roomInfos(variants bool) []RoomInfo {
	list := []RoomInfo{}
	for _, room := range g.rooms() {
		c := &room.config
		if c.Variant && !variants {
			continue
		}
		n := room.recentCounters(time.Now())
		list = append(list, RoomInfo{room.Name(), RoomPath(room.Name()), c.About, room.session.World.Name, room.session.Mechanism.Name, n.People, n.Artificial, c.Variant})
	}
	return list
}

func (g *Gateway) serveRooms(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, g.roomInfos(false))
}

func (g *Gateway) serveAllRooms(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, g.roomInfos(true))
}

// names are who is called what, in all rooms.
type names struct {
	mu    sync.Mutex
	taken map[string]*bearer // in small letters
}

// bearer is who has a name.
type bearer struct {
	account string
	seats   []*hub.Seat // of an account, in several rooms
	finding int         // seats that are being found
}

func newNames() *names { return &names{taken: map[string]*bearer{}} }

// take finds a name that nobody else has, and keeps it until settle is called with the seat, or nil: the name that is wanted, or that with
// a number behind it. An account has the same name in all rooms.
func (n *names) take(name, account string) string {
	if name == "" {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	const tries = 100
	wanted := name
	for i := 2; !n.claim(strings.ToLower(name), account); i++ {
		number := strconv.Itoa(i)
		if i > tries {
			number = rand.Text()[:8]
		}
		if runes := []rune(wanted); len(runes)+1+len(number) > nameMax {
			wanted = string(runes[:nameMax-1-len(number)])
		}
		name = wanted + " " + number
	}
	return name
}

// claim takes a name if nobody else has it. The caller holds the lock.
func (n *names) claim(key, account string) bool {
	b := n.taken[key]
	if b == nil || b.free() {
		b = &bearer{account: account}
		n.taken[key] = b
	} else if account == "" || b.account != account {
		return false
	}
	b.finding++
	return true
}

func (b *bearer) free() bool {
	b.seats = slices.DeleteFunc(b.seats, (*hub.Seat).Gone)
	return b.finding == 0 && len(b.seats) == 0
}

// settle gives a name that was taken to a seat, or back if that is nil.
func (n *names) settle(name string, seat *hub.Seat) {
	if name == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	b := n.taken[strings.ToLower(name)]
	if b.finding--; seat != nil {
		b.seats = append(b.seats, seat)
	}
	if b.free() {
		delete(n.taken, strings.ToLower(name))
	}
}

// release gives back the name of a seat.
func (n *names) release(name string, seat *hub.Seat) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := strings.ToLower(name)
	b := n.taken[key]
	if b == nil {
		return
	}
	b.seats = slices.DeleteFunc(b.seats, func(s *hub.Seat) bool { return s == seat })
	if b.free() {
		delete(n.taken, key)
	}
}
