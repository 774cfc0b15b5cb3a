package experiment

import (
	"slices"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab/churn"
	"throng/lab/sim"
	"throng/world"
)

// Space is what experiments can be about.
type Space struct {
	catalog.Catalog
	Measures []string            // the names of what trials measure; nil if that is not known
	Groups   map[string][]string // those that can be asked for together, by a name for all of them
}

// axis is a part of a set-up; its text is the first part of its parameters' paths.
type axis string

const (
	worlds     axis = "world"
	mechanisms axis = "mechanism"
	networks   axis = "network"
	host       axis = "host"
	happening  axis = "churn"
)

var axes = []axis{worlds, mechanisms, networks, host, happening}

func isAxis(name string) bool { return slices.Contains(axes, axis(name)) }

// single reports whether there is nothing to choose on an axis, only parameters to set.
func (a axis) single() bool { return a == host || a == happening }

// names lists what can be chosen on an axis.
func (s *Space) names(a axis) []string {
	var names []string
	switch a {
	case worlds:
		for _, w := range s.Worlds {
			names = append(names, w.Name)
		}
	case mechanisms:
		for _, m := range s.Mechanisms {
			names = append(names, m.Name)
		}
	case networks:
		for _, n := range s.Networks {
			names = append(names, n.Name)
		}
	}
	return names
}

// Setup is all that a run depends on, and which run of the experiment it is.
type Setup struct {
	World     catalog.ChosenWorld
	Mechanism catalog.ChosenMechanism
	Network   catalog.ChosenNetwork
	Host      *sim.Config
	Churn     *churn.Config // who comes, goes and fails

	Duration world.Time // simulated, the warm-up included
	Warmup   world.Time
	Seed     uint64
	Commands string // a recording whose actions are given again; empty for artificial players

	Point       []Param // what tells its point from others
	Replication int     // from 0
}

// choose puts something on an axis, with its parameters at their defaults.
func (s *Setup) choose(from *Space, a axis, name string) (err error) {
	switch a {
	case worlds:
		s.World, err = from.World(name)
	case mechanisms:
		s.Mechanism, err = from.Mechanism(name)
	case networks:
		s.Network, err = from.Network(name)
	}
	return err
}

// chosen is what an axis has: the name, empty if nothing is chosen or there is no choice, and the parameters.
func (s *Setup) chosen(a axis) (name string, config any) {
	switch a {
	case worlds:
		return s.World.Name, s.World.Config
	case mechanisms:
		return s.Mechanism.Name, s.Mechanism.Config
	case networks:
		return s.Network.Name, s.Network.Config
	case host:
		return "", s.Host
	}
	if s.Churn == nil {
		return "", nil // a set-up that is made by hand
	}
	return "", s.Churn
}

// Params lists every parameter of the set-up.
func (s *Setup) Params() []Param {
	var out []Param
	if s.Commands != "" {
		out = append(out, textParam("commands", s.Commands))
	}
	for _, a := range axes {
		name, config := s.chosen(a)
		if !a.single() {
			out = append(out, textParam(string(a), name))
		}
		changed := param.Changed(config)
		for _, v := range param.Values(config) {
			if _, ok := changed[v.Path]; a == happening && !ok {
				continue // in most runs nothing happens
			}
			out = append(out, Param{Path: string(a) + "." + v.Path, Value: v.Text, Number: v.Number, Unit: v.Unit})
		}
	}
	return out
}
