package aos

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/turn"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
)

// Config is the mechanism and its parameters.
type Config struct {
	area.Config

	// Turn is how often servers order what users do. It is rounded up to whole ticks.
	Turn world.Time `param:"turn" default:"100ms" range:"1ms..10s" help:"what users do in one turn is ordered, and carried out some turns later"`

	// Delay says how many turns later. Static waits the same for everybody; dynamic waits as long as messages of each client
	// take to the server and back, and lets nobody be faster than the slowest by more than Fairness turns.
	Delay    string `param:"delay" default:"static" options:"static|dynamic" help:"the delay of actions is the same for all, or follows the latency of each client"`
	Turns    int    `param:"turns" default:"2" range:"2..100" unit:"turns" help:"static delay of actions and of what servers tell each other; 2 at least, since a client knows that a turn is over when it gets the orders of the next"`
	Fairness int    `param:"fairness" default:"0" range:"0..100" unit:"turns" help:"by how much the shortest dynamic delay in an area may undercut the longest"`

	// Zone is how far beyond its border an area knows what happens. It must not be less than effects reach.
	Zone    fixed.F `param:"zone" default:"0" range:"0..1000000" help:"width of the zones that neighbours share; 0 is as far as the world's effects and sight reach"`
	Borders string  `param:"borders" default:"delta" options:"full|delta|compressed" help:"shared zones are sent in full, as differences to the turn before, or these compressed"`

	// Reckon has what is told of neighbours brought up to the present by the rules' guess, and go on by it until more is told.
	// Then only what turns out otherwise needs telling, and who crosses a border loses no time.
	Reckon bool `param:"reckon" default:"true" help:"objects of neighbours, and those that are handed over, go on as the rules guess"`

	// Manage says how a client chooses the areas that it simulates. Both begin with the area that holds most of what its user
	// has; that one is kept.
	Manage     string     `param:"manage" default:"dynamic" options:"dynamic|static" help:"areas to simulate follow the user's interest, or are picked at random and kept"`
	Areas      int        `param:"areas" default:"1" range:"0..4096" help:"areas that a client simulates at most; 0 makes it all updates"`
	Window     world.Time `param:"window" default:"30s" range:"1s..1h" help:"how often areas are ranked, delays chosen and transitions counted anew"`
	Spatial    fixed.F    `param:"spatial" default:"0.5" range:"0..1" help:"weight of what the user has in an area; the rest is that of how long it was on screen"`
	Threshold  fixed.F    `param:"threshold" default:"0.1" range:"0..1" help:"an area with less attention than this is not simulated"`
	Hysteresis fixed.F    `param:"hysteresis" default:"0.05" range:"0..1" help:"attention that an area gets on top for being simulated already"`
	Promotions int        `param:"promotions" default:"50" range:"0..1000000" help:"clients that may begin to simulate one area within a window"`
	Demotions  int        `param:"demotions" default:"50" range:"0..1000000" help:"clients that may cease to simulate one area within a window"`

	// Live has a client that is to simulate an area sent what it needs while the area goes on: rounds of differences until
	// what is left is small. Without it the area stands still for the whole of it.
	Live       bool `param:"live" default:"true" help:"areas go on while a client that is to simulate them is sent what it needs"`
	Rounds     int  `param:"rounds" default:"3" range:"0..100" help:"differences sent in between at most"`
	Difference int  `param:"difference" default:"20KB" range:"0B..1GB" unit:"B" help:"a difference up to this size is sent while the area stands still"`

	// Pool has clients that simulate an area send updates of it to others, in turn with the server.
	Pool   bool       `param:"pool" default:"false" help:"clients that simulate an area share in sending updates of it"`
	Rotate world.Time `param:"rotate" default:"10s" range:"0s..1h" help:"how long one of them sends to the same client before it is the next one's turn; 0 is for as long as it can"`

	// Updates says when an object of an update area is sent: whenever it has changed, or only when it has changed otherwise than
	// its receivers guess. Then they show it as they guess it, and what moves as the rules foresee costs nothing. Or every tick, changed
	// or not, as the source counts.
	Updates string `param:"updates" default:"reckoned" options:"every|changed|reckoned" help:"objects of update areas are sent every tick, when they change, or when they do so otherwise than the rules guess"`

	// Detail sends most objects of update areas less often.
	Detail    bool    `param:"detail" default:"false" help:"only what matters most is sent each tick, other objects now and then"`
	Top       fixed.F `param:"top" default:"0.1" range:"0..1" help:"share of objects, the most valuable, that are sent each tick nevertheless"`
	Frequency fixed.F `param:"frequency" default:"0.025" range:"0.001..1" unit:"1/tick" help:"how often the others are sent"`
	Focus     int     `param:"focus" default:"150" range:"0..100000" unit:"ticks" help:"how long what is around an object that was given a command is sent each tick"`

	// Demote relieves a client of what it cannot keep up with. Patience is also how long a silent neighbour is waited for.
	Demote   bool       `param:"demote" default:"true" help:"a client that keeps an area waiting ceases to simulate it"`
	Patience world.Time `param:"patience" default:"2s" range:"10ms..1h" help:"how long somebody may keep an area waiting"`
	Timeout  world.Time `param:"timeout" default:"10s" range:"100ms..1h" help:"who is not heard of for this long has gone; a third of it is the longest silence"`

	// Stalling is at what share of the time patience comes back that clients have used up.
	Stalling fixed.F `param:"stalling" default:"0.25" range:"0..1" help:"patience that waiting for clients has used up comes back at this share of the time"`

	// Commit has actions that touch what several servers run agreed between them. Without it each carries out its part.
	Commit bool `param:"commit" default:"true" help:"actions that touch objects of several servers are carried out as a whole or not at all"`

	Margin   fixed.F     `param:"margin" default:"0.1" range:"0..10" help:"what is in sight stays so until it is farther away by this share of it"`
	Datagram int         `param:"datagram" default:"1200B" range:"200B..60000B" unit:"B" help:"the largest datagram of updates and snapshots"`
	Link     link.Config `param:"link" default:"receipts=100ms,adaptive=false"`
}

var _ mechanism.Admitting = (*Config)(nil)

// The settings that are words.
const (
	Static  = "static"
	Dynamic = "dynamic"

	Every    = "every"
	Changed  = "changed"
	Reckoned = "reckoned"
)

// fullBorders is the setting under which everything near a border is told again each turn.
var fullBorders = area.Encodings[area.Full]

const headerMax = 40 // what a datagram of updates holds beside objects, at most

// registryID is the node of the registration server. The area servers follow, then the clients in the order of their users.
const registryID mechanism.NodeID = 1

// servers are the nodes of the area servers.
func (c *Config) servers() area.Servers { return area.Servers{First: registryID + 1, Count: c.Len()} }

// plan is how the world is cut into areas.
func (c *Config) plan(w world.World) *area.Map {
	plan := area.NewMap(w, c.Config, true)
	if c.Zone > 0 {
		plan.Reach = min(c.Zone, plan.Everywhere())
	}
	return plan
}

// Places puts the registration server first, then the area servers and then a client for each user.
func (c *Config) Places(w world.World) []mechanism.Place {
	return c.seats(w).Places("client", membership.Servers{Role: "registry", Count: 1}, membership.Servers{Role: "server", Count: c.Len()})
}

// Admit returns the place of a user, whether in the session from the start or later.
func (c *Config) Admit(u world.User) mechanism.Place {
	return c.seats(nil).Place(u, "client")
}

// seats says who sits where.
func (c *Config) seats(w world.World) membership.Seats {
	return membership.Seats{World: w, Servers: c.servers().Of(c.Len() - 1)}
}

// home is the area whose server answers for a user: it lets the user into the world, and notices when the user's client is gone.
func (c *Config) home(u world.User) int { return int(u) % c.Len() }

// NewNode builds a node for one of the places.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := update.CheckRoom(s.World.Schema(), headerMax, c.Datagram); err != nil {
		return nil, err
	}
	if l, ok := s.World.(world.Limited); ok && c.Zone > 0 && c.Len() > 1 {
		if limits := l.Limits(); c.Zone < limits.Effect {
			return nil, fmt.Errorf("zone: effects reach %v in the world %s; areas that know only %v beyond their borders would miss some. 0 is as far as it takes", limits.Effect, s.World.Schema().Name, c.Zone)
		}
	}
	if p.ID == registryID {
		return newRegistry(c, s), nil
	}
	if number, ok := c.servers().Area(p.ID); ok {
		if mechanism.ClientsOnly {
			return nil, mechanism.ErrClientsOnly
		}
		return newServer(c, s, number), nil
	}
	if p.User == 0 {
		return nil, fmt.Errorf("node %d: a client needs a user", p.ID)
	}
	return newClient(c, s, p), nil
}

// pace is how time falls into turns.
func (c *Config) pace(s *world.Schema) turn.Pace { return turn.NewPace(c.Turn, s.Tick) }
