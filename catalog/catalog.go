// Package catalog is the one table of what throng can run: worlds, mechanisms, networks and measures. Adding one means
// writing it and adding a line here; nothing registers itself.
package catalog

import (
	"throng/internal/param"
	"throng/lab"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/network"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/mechanism/ideal"
	"throng/mechanism/loose"
	"throng/mechanism/optimistic"
	"throng/worlds/pong"
	"throng/worlds/swarm"
)

// Catalog lists what there is to choose from. A program adds its own to what Default returns.
type Catalog struct {
	Worlds     []World
	Mechanisms []Mechanism
	Networks   []network.Kind
	Measures   []measure.Entry
}

// World is one world. New returns its parameters; their values are set from the defaults in their tags.
type World struct {
	Name, About string
	New         func() lab.WorldConfig
}

// Mechanism is one way of sharing a world. New returns its parameters; their values are set from the defaults in their tags.
type Mechanism struct {
	Name, About string
	New         func() mechanism.Mechanism
}

// Default is everything that throng comes with.
func Default() Catalog {
	return Catalog{
		Worlds: []World{
			{"pong", "two rackets and a ball that gets faster: hard to share, since every pixel counts",
				func() lab.WorldConfig { return new(pong.Config) }},
			{"swarm", "bees that crowd around a queen and must not touch: everybody reacts to everybody",
				func() lab.WorldConfig { return new(swarm.Config) }},
		},
		Mechanisms: []Mechanism{
			{"ideal", "all views equal at all times, on a network without delay: the bound for the others",
				func() mechanism.Mechanism { return new(ideal.Config) }},
			{"loose", "owners send states, others extrapolate them (dead reckoning)",
				func() mechanism.Mechanism { return new(loose.Config) }},
			{"optimistic", "users' actions are sent; what comes late is put into the past by rolling back",
				func() mechanism.Mechanism { return new(optimistic.Config) }},
		},
		Networks: network.Kinds(),
		Measures: measure.All(),
	}
}

// Space is the catalog as the parameters that experiments can set.
func (c *Catalog) Space() experiment.Space {
	space := experiment.Space{Host: experiment.Entry{Name: "host", About: "the machines that nodes run on",
		New: func() any { return defaults(new(sim.Config)) }}}
	for _, w := range c.Worlds {
		space.Worlds = append(space.Worlds, experiment.Entry{Name: w.Name, About: w.About,
			New: func() any { return defaults(w.New()) }})
	}
	for _, m := range c.Mechanisms {
		space.Mechanisms = append(space.Mechanisms, experiment.Entry{Name: m.Name, About: m.About,
			New: func() any { return defaults(m.New()) }})
	}
	for _, n := range c.Networks {
		space.Networks = append(space.Networks, experiment.Entry{Name: n.Name, About: n.Help,
			New: func() any { return defaults(n.Config()) }})
	}
	for _, m := range c.Measures {
		space.Measures = append(space.Measures, m.Figures...)
	}
	return space
}

// defaults fills in a config's defaults. A tag that does not parse is a mistake in the code, found by the catalog's test.
func defaults[T any](config T) T {
	if err := param.Defaults(config); err != nil {
		panic(err)
	}
	return config
}
