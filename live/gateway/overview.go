package gateway

import (
	"cmp"
	"net/http"
	"runtime"
	"slices"
	"time"
)

// overview is what the operators' page shows.
type overview struct {
	Room      string `json:"room,omitempty"`
	World     string `json:"world"`
	Mechanism string `json:"mechanism"`

	Up       float64          `json:"up"`   // seconds
	Time     float64          `json:"time"` // of the world, in seconds
	Tick     float64          `json:"tick"` // milliseconds
	Draining bool             `json:"draining"`
	Broken   string           `json:"broken"` // what of the world is gone
	Panics   int64            `json:"panics"`
	Busy     bool             `json:"busy"`   // servers do not keep up, and nobody is let in
	Slowed   float64          `json:"slowed"` // time between updates, over what it ought to be
	Servers  int              `json:"servers"`
	Nodes    []nodeInfo       `json:"nodes"` // of servers
	Memory   uint64           `json:"memory"`
	Routines int              `json:"routines"`
	Open     map[string]int   `json:"open"`
	Ended    map[string]int64 `json:"ended"`
	Drops    map[string]int64 `json:"drops"`
	Parts    []processInfo    `json:"processes"`
	Clients  []clientInfo     `json:"clients"`
	Samples  []Sample         `json:"samples"`
}

// processInfo is one line of the list of processes.
type processInfo struct {
	Number uint32 `json:"number"`
	Name   string `json:"name"`
	Nodes  string `json:"nodes"`
	State  string `json:"state"`
}

// processes lists those that the world's servers run in.
func (g *Gateway) processes() []processInfo {
	list := []processInfo{}
	if g.config.Processes == nil {
		return list
	}
	for _, p := range g.config.Processes() {
		state := "runs"
		switch {
		case p.Gone:
			state = "gone"
		case p.Draining:
			state = "about to leave"
		case p.Here:
			state = "this one"
		}
		list = append(list, processInfo{p.Number, p.Name, p.Nodes(), state})
	}
	return list
}

// nodeInfo is one line of the list of servers' nodes.
type nodeInfo struct {
	Node    uint32  `json:"node"`
	Role    string  `json:"role"`
	Busy    float64 `json:"busy"`  // seconds that it has worked so far
	Share   float64 `json:"share"` // of the time, since the start
	Handled int64   `json:"handled"`
	Queue   int     `json:"queue"`
	Dropped int64   `json:"dropped"`
}

// busy lists servers' nodes, those with most to do first.
func (g *Gateway) busy(up time.Duration) []nodeInfo {
	list := []nodeInfo{}
	for _, n := range g.hub.Nodes() {
		if n.Place.User != 0 {
			continue
		}
		busy := seconds(n.Runner.Busy)
		list = append(list, nodeInfo{uint32(n.Place.ID), n.Place.Role, busy, busy / up.Seconds(), n.Runner.Handled, n.Runner.Queue, n.Runner.Dropped})
	}
	slices.SortFunc(list, func(a, b nodeInfo) int {
		return cmp.Or(cmp.Compare(b.Queue, a.Queue), cmp.Compare(b.Busy, a.Busy), cmp.Compare(a.Node, b.Node))
	})
	return list[:min(len(list), clientsShown)]
}

// clientInfo is one line of the list of clients.
type clientInfo struct {
	Node     uint32  `json:"node"`
	User     uint32  `json:"user"`
	Name     string  `json:"name"`
	Account  string  `json:"account,omitempty"`
	Host     string  `json:"host"`
	By       string  `json:"by"`
	Since    float64 `json:"since"` // seconds
	BytesIn  int64   `json:"bytes_in"`
	BytesOut int64   `json:"bytes_out"`
	Waiting  int     `json:"waiting"`
	Dropped  int64   `json:"dropped"`
}

// clientsShown is how many clients the overview lists: those in trouble first.
const clientsShown = 50

func (g *Gateway) serveOverview(w http.ResponseWriter, r *http.Request) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	counters, totals := g.hub.Counters(), g.totals()
	o := overview{
		Up: time.Since(g.began).Seconds(), Time: seconds(g.hub.Now()), Tick: 1e3 * seconds(g.hub.World().Schema().Tick),
		Draining: g.draining.Load() || g.shut.Load(), Servers: counters.Servers,
		Memory: memory.Sys - memory.HeapReleased, Routines: runtime.NumGoroutine(),
		Open: totals.open, Ended: map[string]int64{}, Room: g.config.Room, World: g.session.World.Name, Mechanism: g.session.Mechanism.Name,
		Drops: map[string]int64{
			"queue": totals.Dropped, "mailbox": counters.Runners.Dropped, "away": counters.Missed, "unknown": counters.Unknown,
			"rate": g.drops.rate.Load(), "stray": g.drops.stray.Load(), "malformed": g.drops.malformed.Load(),
		},
		Parts: g.processes(), Clients: g.troubled(time.Now()),
	}
	_, o.Panics = g.hub.Failures()
	o.Busy, o.Slowed, o.Nodes = g.hub.Overloaded(), g.hub.Slowed(), g.busy(time.Since(g.began))
	if err := g.hub.Whole(); err != nil {
		o.Broken = err.Error()
	}
	g.mu.Lock()
	for e, n := range g.ended {
		o.Ended[e.code] = n
	}
	g.mu.Unlock()
	m := g.config.Monitor
	m.mu.Lock()
	o.Samples = m.history.list()
	m.mu.Unlock()
	answer(w, http.StatusOK, o)
}

// troubled lists clients, those first for which most was dropped or waits.
func (g *Gateway) troubled(now time.Time) []clientInfo {
	list := []clientInfo{}
	for _, c := range g.all() {
		list = append(list, c.info(now))
	}
	slices.SortFunc(list, func(a, b clientInfo) int {
		return cmp.Or(cmp.Compare(b.Dropped, a.Dropped), cmp.Compare(b.Waiting, a.Waiting), cmp.Compare(a.Node, b.Node))
	})
	return list[:min(len(list), clientsShown)]
}

func (c *client) info(now time.Time) clientInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := clientInfo{
		Host: c.from.addr.String(), By: c.kind, Since: now.Sub(c.began).Seconds(),
		BytesIn: c.traffic.BytesIn, BytesOut: c.traffic.BytesOut, Waiting: c.waitingBytes(), Dropped: c.traffic.Dropped,
	}
	if c.ticket != nil {
		place := c.ticket.seat.Place()
		i.Node, i.User, i.Name, i.Account = uint32(place.ID), uint32(place.User), c.ticket.seat.Name, c.ticket.seat.Account
	}
	return i
}

// panicInfo is a node's panic, with what it takes to replay it.
type panicInfo struct {
	At      time.Time `json:"at"`
	Node    uint32    `json:"node"`
	Role    string    `json:"role"`
	What    string    `json:"what"`
	Outcome string    `json:"outcome"`
	From    uint32    `json:"from,omitempty"` // who sent the datagram that did it; zero if the node was woken
	Class   string    `json:"class,omitempty"`
	Payload []byte    `json:"payload,omitempty"`
	Stack   string    `json:"stack"`
}

// servePanics shows the last panics of nodes.
func (g *Gateway) servePanics(w http.ResponseWriter, r *http.Request) {
	failures, _ := g.hub.Failures()
	list := []panicInfo{}
	for _, f := range failures {
		i := panicInfo{At: f.At, Node: uint32(f.Place.ID), Role: f.Place.Role, What: f.What, Outcome: f.Outcome, Stack: string(f.Stack)}
		if m := f.Message; m != nil {
			i.From, i.Class, i.Payload = uint32(m.From), m.Class.String(), m.Payload
		}
		list = append(list, i)
	}
	answer(w, http.StatusOK, list)
}
