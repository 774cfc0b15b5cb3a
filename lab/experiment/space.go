package experiment

import (
	"errors"
	"fmt"
	"slices"

	"throng/internal/param"
	"throng/world"
)

// Space is what experiments can be about.
type Space struct {
	Worlds     []Entry
	Mechanisms []Entry
	Networks   []Entry
	Host       Entry
	Measures   []string // the names of what trials measure; nil if that is not known
}

// Entry is one thing to choose.
type Entry struct {
	Name, About string
	New         func() any // a pointer to a fresh config with its defaults (see package param); nil without parameters
}

func (e Entry) config() any {
	if e.New == nil {
		return nil
	}
	return e.New()
}

// Check finds mistakes in the space itself: names that occur twice, and configs that package param cannot use.
func (s Space) Check() error {
	var errs []error
	for _, a := range axes {
		seen := map[string]bool{}
		for _, entry := range s.entries(a) {
			if seen[entry.Name] {
				errs = append(errs, fmt.Errorf("%s %s is there twice", a, entry.Name))
			}
			seen[entry.Name] = true
			config := entry.config()
			if err := param.Check(config); err != nil {
				errs = append(errs, fmt.Errorf("%s %s: %w", a, entry.Name, err))
			} else if _, err := param.Lookup(config, "name"); err == nil && a != host {
				errs = append(errs, fmt.Errorf("%s %s: a parameter cannot be called name", a, entry.Name))
			}
		}
	}
	return errors.Join(errs...)
}

// axis is a part of a set-up; its text is the first part of its parameters' paths.
type axis string

const (
	worlds     axis = "world"
	mechanisms axis = "mechanism"
	networks   axis = "network"
	host       axis = "host"
)

var axes = []axis{worlds, mechanisms, networks, host}

func isAxis(name string) bool { return slices.Contains(axes, axis(name)) }

// entries lists what can be chosen on an axis. There is only one sort of host.
func (s Space) entries(a axis) []Entry {
	switch a {
	case worlds:
		return s.Worlds
	case mechanisms:
		return s.Mechanisms
	case networks:
		return s.Networks
	default:
		return []Entry{s.Host}
	}
}

// Setup is all that a run depends on, and which run of the experiment it is.
type Setup struct {
	World, Mechanism, Network, Host Chosen

	Duration world.Time // simulated, the warm-up included
	Warmup   world.Time
	Seed     uint64
	Commands string // a recording whose actions are given again; empty for artificial players

	Point       []Param // what tells its point from others
	Replication int     // from 0
}

// Chosen is one entry of a space with its parameters.
type Chosen struct {
	Name   string
	Config any // what the entry's New returned, with the parameters set
}

func (s *Setup) chosen(a axis) *Chosen {
	switch a {
	case worlds:
		return &s.World
	case mechanisms:
		return &s.Mechanism
	case networks:
		return &s.Network
	default:
		return &s.Host
	}
}

// Params lists every parameter of the set-up.
func (s *Setup) Params() []Param {
	var out []Param
	if s.Commands != "" {
		out = append(out, textParam("commands", s.Commands))
	}
	for _, a := range axes {
		chosen := s.chosen(a)
		if a != host {
			out = append(out, textParam(string(a), chosen.Name))
		}
		for _, v := range param.Values(chosen.Config) {
			out = append(out, Param{Path: string(a) + "." + v.Path, Value: v.Text, Number: v.Number, Unit: v.Unit})
		}
	}
	return out
}
