package zonal

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/hexagon"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/tree"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Config is the mechanism and its parameters.
type Config struct {
	// Zones is into how many hexagons the map is divided. Worlds in which users see everything are not divided: there the first hybrid node
	// does all, and the others rest.
	Zones int     `param:"zones" default:"4" range:"1..1024" help:"zones of the map, each with a hybrid node of its own"`
	Band  fixed.F `param:"band" default:"0.1" range:"0..0.5" help:"height of the bands along borders, as a share of a zone's height: who crosses a border changes zones at the far side"`

	// Hidden opens views into other zones at the check-in line. Without it two who face each other inside a band may not see each other.
	Hidden    bool       `param:"hidden-node" default:"true" help:"who sees beyond the check-in line looks into the next zone, instead of who sees beyond the border"`
	Lookahead world.Time `param:"lookahead" default:"1s" range:"0s..10s" help:"sight counts as larger by what the fastest thing moves in this time, so that nothing appears late"`
	Filter    bool       `param:"filter" default:"true" help:"parents of leaves, and hybrid nodes, pass on only what the receiver's user sees"`

	Degree    int     `param:"degree" default:"4" range:"1..64" help:"children that a peer can feed with its upload"`
	Receivers fixed.F `param:"receivers" default:"0" range:"0..1" help:"share of the peers that have no upload to feed anybody with"`
	Root      int     `param:"root" default:"4" range:"1..10000" help:"children that a hybrid node feeds"`
	Levels    int     `param:"levels" default:"3" range:"1..16" help:"levels of a tree that keep within the delay limit: with the degree they make its capacity"`

	Capacity string `param:"capacity" default:"source" options:"source|exact" help:"how many a tree has room for: by the source's formula, too large for more than two children each, or by what the levels hold"`

	Balance bool       `param:"balance" default:"true" help:"a zone with more than its tree has room for hands its outer parts to its neighbours"`
	Undo    fixed.F    `param:"undo" default:"0.7" range:"0.1..1" help:"it takes them back when all would fit into this share of its room"`
	Foresee world.Time `param:"foresee" default:"0s" range:"0s..60s" help:"it hands them out as soon as it would be too full after this time, if it goes on filling as it has in the last second"`

	Audit world.Time `param:"audit" default:"0s" range:"0s..60s" help:"how often peers compare what their parent passes on with the hybrid node's receipts, and leave one that cheats; 0s for never"`

	// Cheats and Cheat are for experiments: peers that do not pass on what they should.
	Cheats fixed.F `param:"cheats" default:"0" range:"0..1" help:"share of the peers that cheat where they pass on what others say"`
	Cheat  string  `param:"cheat" default:"drop" options:"drop|delay|alter" help:"what these do with it: nothing, pass it on a second late, or tell that things are elsewhere"`

	Candidates int        `param:"candidates" default:"8" range:"1..32" help:"parents that are proposed to who joins, whose round trips are measured"`
	Backup     bool       `param:"backup" default:"true" help:"who loses its parent turns to a backup parent, instead of joining anew"`
	KeepAlive  world.Time `param:"keep-alive" default:"1s" range:"50ms..60s" help:"parents and children hear of each other this often: two missed give a child up, three a parent"`

	Interval world.Time `param:"interval" default:"100ms" range:"1ms..10s" help:"what has changed is told this often"`
	Refresh  world.Time `param:"refresh" default:"1s" range:"10ms..60s" help:"what has not changed is told again after this time; what is not heard of for three of them is forgotten"`
	Gather   world.Time `param:"gather" default:"10ms" range:"0s..1s" help:"what is passed on waits this long for more, to share a datagram"`
	Resend   world.Time `param:"resend" default:"250ms" range:"10ms..10s" help:"key messages that are not acknowledged are sent again after this time"`
}

var (
	_ mechanism.Admitting = (*Config)(nil)
	_ mechanism.Mingling  = (*Config)(nil)
)

// Partners is how many a peer feeds in need, with its parent and those whose round trips it measures.
func (c *Config) Partners() int { return c.Degree + c.Degree/2 + 2 + c.Candidates }

// every is in how many ticks peers say something once.
func (c *Config) every(tick world.Time) world.Tick { return max(world.TicksIn(c.Interval, tick), 1) }

// missedByParent and missedByChild are how many keep-alives may be missed. The parent gives up first, so that its hybrid node knows
// before the children of the lost one ask for another parent.
const (
	missedByParent = 2
	missedByChild  = 3
)

// patience is how long silence lasts when so many keep-alives have been missed.
func (c *Config) patience(missed int) world.Time {
	return c.KeepAlive*world.Time(missed) + c.KeepAlive/4
}

// forgets is after how long what is not heard of is forgotten.
func (c *Config) forgets() world.Time { return 3*c.Refresh + c.Refresh/4 }

// degreeOf is how many children a user's peer can feed.
func (c *Config) degreeOf(u world.User) int {
	stream := random.New(uint64(u), "upload")
	if stream.Chance(c.Receivers) {
		return 0
	}
	return c.Degree
}

// cheats reports whether a user's peer is one of those that cheat.
func (c *Config) cheats(u world.User) bool {
	stream := random.New(uint64(u), "cheat")
	return c.Cheats > 0 && stream.Chance(c.Cheats)
}

// room is how many a tree has room for where each peer feeds so many on average.
func (c *Config) room(degree fixed.F) int {
	if c.Capacity == "exact" {
		return tree.Room(c.Root, degree, c.Levels)
	}
	return tree.Capacity(degree, c.Levels)
}

// seats says who sits where: hybrid nodes first, in the order of zones, and then a peer for each user.
func (c *Config) seats(w world.World) membership.Seats {
	return membership.Seats{World: w, Servers: mechanism.NodeID(c.Zones)}
}

// Places puts the hybrid nodes first, and then a peer for each user.
func (c *Config) Places(w world.World) []mechanism.Place {
	return c.seats(w).Places("peer", membership.Servers{Role: "hybrid", Count: c.Zones})
}

// Admit returns the place of a user, whether in the session from the start or later.
func (c *Config) Admit(u world.User) mechanism.Place {
	return c.seats(nil).Place(u, "peer")
}

// NewNode builds a hybrid node or a peer.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	switch {
	case p.ID <= mechanism.NodeID(c.Zones):
		if mechanism.ClientsOnly { // as it stands, so that what only hybrid nodes need is left out
			return nil, mechanism.ErrClientsOnly
		}
		return newHybrid(c, s, p), nil
	case p.User == 0:
		return nil, fmt.Errorf("node %d: a peer needs a user", p.ID)
	}
	return newPeer(c, s, p), nil
}

// land is a world's division into zones and how far one sees in it.
type land struct {
	*hexagon.Map
	open   bool    // users see everything: then there is one zone
	band   fixed.F // of borders
	sight  fixed.F // how far users see
	margin fixed.F // what is added to it, for what moves meanwhile
	reach  fixed.F // how far beyond its border who counts as in a zone may be, for those who want to see them
}

// newLand divides a world, if its users do not see all of it.
func newLand(c *Config, w world.World) land {
	bounds := w.Schema().Bounds
	l := land{sight: bounds.Size().Len(), open: true}
	zones := 1
	if limited, ok := w.(world.Limited); ok {
		if limits := limited.Limits(); limits.Sight < l.sight {
			zones = c.Zones
			l.sight, l.open = limits.Sight, false
			l.margin = limits.Speed.Mul(world.Seconds(c.Lookahead))
		}
	}
	l.Map = hexagon.Fit(bounds, zones)
	l.band = l.Height().Mul(c.Band)
	if c.Hidden {
		l.reach = l.band / 2
	}
	return l
}
