// Package catalog is the one table of what throng can run: worlds, mechanisms and networks. Adding one means writing it and
// adding a line here; nothing registers itself. What a run is measured by stands in measure.All.
package catalog

import (
	"throng/internal/param"
	"throng/lab/network"
	"throng/mechanism"
	"throng/mechanism/action"
	"throng/mechanism/aos"
	"throng/mechanism/broadcast"
	"throng/mechanism/central"
	"throng/mechanism/ideal"
	"throng/mechanism/interest"
	"throng/mechanism/lockstep"
	"throng/mechanism/loose"
	"throng/mechanism/octree"
	"throng/mechanism/optimistic"
	"throng/mechanism/ring"
	"throng/mechanism/zonal"
	"throng/world"
	"throng/worlds/combat"
	"throng/worlds/crowd"
	"throng/worlds/manhattan"
	"throng/worlds/philosophers"
	"throng/worlds/pong"
	"throng/worlds/rts"
	"throng/worlds/shooters"
	"throng/worlds/swarm"
)

// Catalog lists what there is to choose from. A program adds its own to what Default returns.
type Catalog struct {
	Worlds     []World
	Mechanisms []Mechanism
	Networks   []network.Kind
}

// WorldConfig is the parameters of a world: a pointer to a struct that describes itself by its tags.
type WorldConfig interface {
	World() (world.World, error)
}

// World is one world. New returns its parameters; their values are set from the defaults in their tags.
type World struct {
	Name, About string
	New         func() WorldConfig
}

// Mechanism is one way of sharing a world. New returns its parameters; their values are set from the defaults in their tags.
type Mechanism struct {
	Name, About string
	New         func() mechanism.Mechanism
}

// Default is everything that throng comes with.
func Default() Catalog {
	return Catalog{Worlds: worlds(), Mechanisms: mechanisms(), Networks: network.Kinds()}
}

func worlds() []World {
	return []World{
		{"pong", "two rackets and a ball that gets faster: hard to share, since every pixel counts",
			func() WorldConfig { return new(pong.Config) }},
		{"swarm", "bees that crowd around a queen and must not touch: everybody reacts to everybody",
			func() WorldConfig { return new(swarm.Config) }},
		{"crowd", "people in a town whose squares draw them: many users, who gather and disperse",
			func() WorldConfig { return new(crowd.Config) }},
		{"rts", "bases and armies on a large map: every user has many avatars, in several places",
			func() WorldConfig { return new(rts.Config) }},
		{"combat", "tanks and planes that hunt each other over several kilometres and see only what is ahead",
			func() WorldConfig { return new(combat.Config) }},
		{"manhattan", "people among walls whose every move is expensive to work out and depends on those nearby",
			func() WorldConfig { return new(manhattan.Config) }},
		{"shooters", "three archers and a wall: what one cannot see matters all the same",
			func() WorldConfig { return new(shooters.Config) }},
		{"philosophers", "a ring of people who reach for the same forks at the same moment: chains without end",
			func() WorldConfig { return new(philosophers.Config) }},
	}
}

func mechanisms() []Mechanism {
	return []Mechanism{
		// Everybody holds and computes the whole world.
		{"ideal", "all views equal at all times, on a network without delay: the bound for the others",
			func() mechanism.Mechanism { return new(ideal.Config) }},
		{"loose", "owners send states, others extrapolate them (dead reckoning)",
			func() mechanism.Mechanism { return new(loose.Config) }},
		{"optimistic", "users' actions are sent; what comes late is put into the past by rolling back",
			func() mechanism.Mechanism { return new(optimistic.Config) }},
		{"lockstep", "a server puts actions into an order, in turns; everybody carries out all of them and waits for everybody",
			func() mechanism.Mechanism { return new(lockstep.Config) }},

		// Servers carry actions out and tell clients what became of things.
		{"central", "a server carries actions out and sends each user what is in sight, within a budget",
			func() mechanism.Mechanism { return new(central.Config) }},
		{"interest", "areas with a server each, which send each user the states of what is in sight of any of the user's objects, or all",
			func() mechanism.Mechanism { return new(interest.Config) }},
		{"octree", "any server serves any place: storage nodes hold the world and publish what servers watch of it (QuP)",
			func() mechanism.Mechanism { return new(octree.Config) }},

		// Users' machines pass on what they tell of.
		{"zonal", "zones with a tree of their users' machines each, along which states travel; a server per zone is its root and keeper",
			func() mechanism.Mechanism { return new(zonal.Config) }},

		// Everybody computes parts of the world.
		{"aos", "a server for each part of the map; clients simulate the parts that matter to them and are sent what they see of others",
			func() mechanism.Mechanism { return new(aos.Config) }},

		// A server orders actions and leaves it to clients to carry them out.
		{"action", "a server orders actions, clients carry them out: SEVE's four protocols",
			func() mechanism.Mechanism { return new(action.Config) }},
		{"broadcast", "a server orders actions and passes all of them on to everybody, who carry all of them out",
			func() mechanism.Mechanism { return new(broadcast.Config) }},
		{"ring", "a server passes an action on to those who can see its actor: cheap, and inconsistent",
			func() mechanism.Mechanism { return new(ring.Config) }},
	}
}

// Defaults fills in a config's defaults. A tag that does not parse is a mistake in the code, found by the catalog's test.
func Defaults[T any](config T) T {
	if err := param.Defaults(config); err != nil {
		panic(err)
	}
	return config
}
