package octree

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/assignment"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/mechanism/parts/update"
	"throng/mechanism/parts/viewer"
	"throng/world"
	"throng/world/fixed"
)

// Config is the mechanism and its parameters.
type Config struct {
	Servers int `param:"servers" default:"3" range:"1..1000" help:"nodes that run the world's rules and serve clients, any of them anywhere in the world"`
	Storage int `param:"storage" default:"3" range:"1..1000" help:"nodes that hold the world's state"`

	// Without balancers a client goes to the server with its user's number, and to the next if that fails.
	Balancers int               `param:"balancers" default:"0" range:"0..16" help:"nodes that say which server serves whom, so that those who see each other are served together; any of them can"`
	Placing   assignment.Config `param:"placing"`
	Reassign  world.Time        `param:"reassign" default:"5s" range:"0s..1h" help:"how often it is asked for each client whether another server would serve it better; 0 never does"`

	// Copies, Acks and Chunks are the source's n, m and Q. What has been acknowledged survives the loss of Acks-1 storage nodes,
	// and while no more than Copies-Acks of them are lost the world goes on.
	Copies int `param:"copies" default:"3" range:"1..16" help:"storage nodes that hold each object; no more than there are"`
	Acks   int `param:"acks" default:"2" range:"1..16" help:"storage nodes that must have a change before anybody's client hears of it"`
	Chunks int `param:"chunks" default:"1024" range:"1..1048576" help:"parts of the ring that storage nodes are assigned to in turn"`

	// Splits is how closely what a server watches is fitted, and Detail how small nodes of the tree get: a share of how far users
	// see. Finer nodes mean that servers hear of less that they do not need, and change their subscriptions more often.
	Splits int     `param:"splits" default:"3" range:"0..8" help:"how often a node is split to fit a watched volume"`
	Detail fixed.F `param:"detail" default:"0.5" range:"0.01..10" help:"the smallest node of the tree, as a share of how far users see"`

	// Pulse is how long changes wait for others to travel with them, on each of their ways.
	Pulse world.Time `param:"pulse" default:"10ms" range:"1ms..1s" help:"how often servers write and storage nodes publish"`
	Rate  int        `param:"rate" default:"0" range:"0..1000" unit:"1/s" help:"updates to each client; 0 sends one each tick"`

	Margin      fixed.F `param:"margin" default:"0.1" range:"0..10" help:"what is in sight stays so until it is farther away by this share of it"`
	Others      string  `param:"others" default:"interpolate" options:"interpolate|reckon|latest" help:"other objects move between what has arrived, go on as the rules guess, or stay as they were last heard of"`
	RenderDelay fixed.F `param:"render-delay" default:"1" range:"0..100" unit:"updates" help:"interpolated objects are shown this much behind the last update"`
	Predict     bool    `param:"predict" default:"true" help:"own actions show in the own view at once, before a server has carried them out"`
	Reconcile   string  `param:"reconcile" default:"smooth" options:"smooth|snap" help:"what was predicted wrongly moves to its place over some ticks, or jumps"`

	// Budget is what may be sent to each client in a second, the network's own headers not counted. What it does not suffice for is
	// told of by clouds: how many there are, and where they go.
	Budget int        `param:"budget" default:"0B" range:"0B..500MB" unit:"B" help:"sent to each client per second: what is near one by one, what is farther away as clouds; 0 sets no limit"`
	Clouds world.Time `param:"clouds" default:"250ms" range:"10ms..10s" help:"how often a client with a budget is told of clouds, and its budget is reviewed"`

	Datagram int `param:"datagram" default:"1200B" range:"400B..60000B" unit:"B" help:"the largest datagram sent"`
	Actions  int `param:"actions" default:"10" range:"1..1000" help:"actions that a user may take per tick; more are dropped"`

	// Lease is how long storage nodes wait for a silent server before they give what it answers for to others, and servers for a
	// silent storage node. Timeout is how long a client waits for its server, and Absence how long the world waits for a user.
	Lease   world.Time `param:"lease" default:"500ms" range:"50ms..1m" help:"servers and storage nodes that are silent for this long have failed"`
	Timeout world.Time `param:"timeout" default:"800ms" range:"100ms..1h" help:"a client goes to another server when its own is silent for this long"`
	Absence world.Time `param:"absence" default:"8s" range:"100ms..1h" help:"a user whose client no server has heard of for this long leaves the world"`
	Resend  world.Time `param:"resend" default:"250ms" range:"1ms..60s" help:"what a client has not acknowledged after this time is sent again"`

	Overload pace.Config `param:"overload" default:"stretch=4"`

	Link link.Config `param:"link" default:"timeout=100ms,receipts=20ms,batching=1ms"`
}

var (
	_ mechanism.Admitting = (*Config)(nil)
	_ mechanism.Paced     = (*Config)(nil)
	_ mechanism.Enduring  = (*Config)(nil)
)

// smooth is the setting under which what was predicted wrongly moves to its place.
const smooth = "smooth"

// The roles of nodes, in the order of their IDs.
const (
	roleStorage = "storage"
	roleServer  = "server"
	roleClient  = "client"

	roleBalancer = "balancer"
)

// storageNode is the node of a storage node by its number, and serverNode that of a server.
func (c *Config) storageNode(i int) mechanism.NodeID { return mechanism.NodeID(i + 1) }
func (c *Config) serverNode(i int) mechanism.NodeID  { return mechanism.NodeID(c.Storage + i + 1) }

func (c *Config) balancerNode(i int) mechanism.NodeID {
	return mechanism.NodeID(c.Storage + c.Servers + i + 1)
}

// nodes is how many nodes there are that are nobody's clients.
func (c *Config) nodes() int { return c.Storage + c.Servers + c.Balancers }

// serverAt is which server is at a node.
func (c *Config) serverAt(id mechanism.NodeID) (server int, ok bool) {
	i := int(id) - c.Storage - 1
	return i, i >= 0 && i < c.Servers
}

// storageAt is which storage node is at a node.
func (c *Config) storageAt(id mechanism.NodeID) (storage int, ok bool) {
	return int(id) - 1, id > 0 && int(id) <= c.Storage
}

// ring is how objects are spread over storage nodes.
func (c *Config) ring() ring {
	return ring{chunks: c.Chunks, nodes: c.Storage, copies: min(c.Copies, c.Storage)}
}

// spare is how many storage nodes may lack something that counts as stored.
func (c *Config) spare() int { return c.ring().copies - min(c.Acks, c.ring().copies) }

// Endures implements mechanism.Enduring: a server is left, and no more storage nodes are gone than may be for writes to count.
func (c *Config) Endures(lost []mechanism.NodeID) bool {
	storage, servers := 0, 0
	for _, id := range lost {
		if _, ok := c.storageAt(id); ok {
			storage++
		}
		if _, ok := c.serverAt(id); ok {
			servers++
		}
	}
	return storage <= c.spare() && servers < c.Servers
}

// home is the server that a user's client asks first.
func (c *Config) home(u world.User) int { return int(uint32(u) % uint32(c.Servers)) }

// initially is the server that answers for an object at the start.
func (c *Config) initially(w world.World, s *world.State, o *world.Object) int {
	return c.home(world.Answers(w, s, o))
}

// beat is the longest silence between servers and storage nodes.
func (c *Config) beat() world.Time { return c.Lease / 4 }

// memory is how long it is remembered what was done: for as long as a client may repeat it until it has found another server.
func (c *Config) memory() world.Time { return 4*c.Timeout + 4*c.Lease }

// times are how patient clients and servers are with each other.
func (c *Config) times() input.Times {
	return input.Times{Resend: c.Resend, Timeout: c.Timeout}
}

// Interval implements mechanism.Paced.
func (c *Config) Interval() world.Time {
	if c.Rate <= 0 {
		return 0
	}
	return world.Second / world.Time(c.Rate)
}

// interval is the time between two updates to a client.
func (c *Config) interval(tick world.Time) world.Time {
	if c.Rate == 0 {
		return tick
	}
	return max(c.Interval(), 1)
}

// Places puts storage nodes first, then servers, balancers, and a client for each user.
func (c *Config) Places(w world.World) []mechanism.Place {
	return c.seats(w).Places(roleClient, membership.Servers{Role: roleStorage, Count: c.Storage},
		membership.Servers{Role: roleServer, Count: c.Servers}, membership.Servers{Role: roleBalancer, Count: c.Balancers})
}

// Admit returns the place of a user, whether in the session from the start or later.
func (c *Config) Admit(u world.User) mechanism.Place {
	return c.seats(nil).Place(u, roleClient)
}

// seats says who sits where.
func (c *Config) seats(w world.World) membership.Seats {
	return membership.Seats{World: w, Servers: mechanism.NodeID(c.nodes())}
}

// NewNode builds a storage node, a server, a balancer or a client: one of the session's, or one that joins later.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if err := update.CheckRoom(s.World.Schema(), input.HeaderMax, c.Datagram); err != nil {
		return nil, err
	}
	if p.User == 0 {
		if mechanism.ClientsOnly {
			return nil, mechanism.ErrClientsOnly
		}
		return c.newHolder(s, p)
	}
	return viewer.New(c.viewer(s.World, p.User), s, p), nil
}

// newHolder builds a storage node, a server or a balancer.
func (c *Config) newHolder(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if i, ok := c.storageAt(p.ID); ok {
		return newStorage(c, s, i), nil
	}
	if i, ok := c.serverAt(p.ID); ok {
		return newServer(c, s, i), nil
	}
	if c.seats(s.World).User(p.ID) == 0 {
		return newBalancer(c, s, p.ID), nil
	}
	return nil, fmt.Errorf("node %d: a client needs a user", p.ID)
}

// viewer is how clients show things. A client whose server is silent asks a balancer, or tries the next one.
func (c *Config) viewer(w world.World, u world.User) viewer.Config {
	var balancers []mechanism.NodeID
	for i := range c.Balancers {
		balancers = append(balancers, c.balancerNode(i))
	}
	return viewer.Config{
		Times: c.times(), Interval: c.interval(w.Schema().Tick), Others: c.Others, Delay: c.RenderDelay,
		Predict: c.Predict, Smooth: c.Reconcile == smooth,
		Moves: &viewer.Moves{Balancers: balancers, Serves: func(id mechanism.NodeID) bool {
			_, ok := c.serverAt(id)
			return ok
		}},
		Server: func(life uint32) mechanism.NodeID {
			return c.serverNode((c.home(u) + int((life-1)%uint32(c.Servers))) % c.Servers)
		},
	}
}
