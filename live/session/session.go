// Package session says what a live world is made of in a few lines of JSON, from which every process and every browser that
// takes part builds the same thing: the same rules, the same parameters, the same world at tick zero.
package session

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"throng/catalog"
	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
)

// Description is everything that decides a session.
type Description struct {
	World     Choice `json:"world"`
	Mechanism Choice `json:"mechanism"`
	Seed      uint64 `json:"seed,string"` // as text: a browser's numbers end at 53 bits

	// Places is who takes part, in the order of their IDs. Where it is empty the mechanism lays the session out, which
	// comes out the same for everybody.
	Places []mechanism.Place `json:"places,omitempty"`
}

// Choice is something from the catalog with the parameters that are not at their defaults.
type Choice struct {
	Name   string            `json:"name"`
	Params map[string]string `json:"params,omitempty"` // texts by their paths, as in an experiment
}

// ErrIdealised is the answer to serving a mechanism that assumes a network without delay.
var ErrIdealised = errors.New("the mechanism assumes a network without delay and can only be simulated")

// Build makes the session and the mechanism that its nodes come from.
func (d *Description) Build(c catalog.Catalog) (*mechanism.Session, mechanism.Mechanism, error) {
	w, err := d.buildWorld(&c)
	if err != nil {
		return nil, nil, err
	}
	m, err := d.buildMechanism(&c)
	if err != nil {
		return nil, nil, err
	}
	start := world.NewState(w.Schema(), d.Seed)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: slices.Clone(d.Places)}
	if len(s.Places) == 0 {
		s.Places = m.Places(w)
	}
	return s, m, nil
}

func (d *Description) buildWorld(c *catalog.Catalog) (world.World, error) {
	config, ok := c.World(d.World.Name)
	if !ok {
		return nil, unknown("world", d.World.Name, c.Worlds, func(w catalog.World) string { return w.Name })
	}
	if err := d.World.apply("world", config); err != nil {
		return nil, err
	}
	w, err := config.World()
	if err != nil {
		return nil, fmt.Errorf("world %s: %w", d.World.Name, err)
	}
	if err := w.Schema().Check(); err != nil {
		return nil, err
	}
	return w, nil
}

func (d *Description) buildMechanism(c *catalog.Catalog) (mechanism.Mechanism, error) {
	m, ok := c.Mechanism(d.Mechanism.Name)
	if !ok {
		return nil, unknown("mechanism", d.Mechanism.Name, c.Mechanisms, func(m catalog.Mechanism) string { return m.Name })
	}
	if _, ideal := m.(mechanism.Idealised); ideal {
		return nil, fmt.Errorf("mechanism %s: %w", d.Mechanism.Name, ErrIdealised)
	}
	return m, d.Mechanism.apply("mechanism", m)
}

// apply sets the parameters of a config, in the order of their paths so that the same mistake is always found first.
func (c *Choice) apply(what string, config any) error {
	for _, path := range slices.Sorted(maps.Keys(c.Params)) {
		if err := param.Set(config, path, c.Params[path]); err != nil {
			var wrong *param.Error
			if errors.As(err, &wrong) {
				err = wrong.Under(what)
			}
			return err
		}
	}
	if err := param.Validate(config); err != nil {
		return fmt.Errorf("%s %s: %w", what, c.Name, err)
	}
	return nil
}

func unknown[T any](what, name string, list []T, nameOf func(T) string) error {
	var known []string
	for _, entry := range list {
		known = append(known, nameOf(entry))
	}
	if nearest := param.Nearest(name, known); nearest != "" {
		return fmt.Errorf("unknown %s %q; did you mean %q?", what, name, nearest)
	}
	return fmt.Errorf("unknown %s %q; known: %s", what, name, strings.Join(known, ", "))
}

// Late returns the session as it is for a node that takes a place while the run is under way, which need not be among those
// that it began with. Epoch counts the holders of the place.
func Late(s *mechanism.Session, p mechanism.Place, epoch uint32) *mechanism.Session {
	late := *s
	late.Late, late.Epoch = true, epoch
	at, found := slices.BinarySearchFunc(s.Places, p.ID, func(q mechanism.Place, id mechanism.NodeID) int {
		return cmp.Compare(q.ID, id)
	})
	if !found {
		late.Places = slices.Insert(slices.Clone(s.Places), at, p)
	}
	return &late
}
