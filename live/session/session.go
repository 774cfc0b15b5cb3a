// Package session says what a live world is made of in a few lines of JSON, from which every process and every browser that
// takes part builds the same thing: the same rules, the same parameters, the same world at tick zero.
package session

import (
	"errors"
	"fmt"
	"slices"

	"throng/catalog"
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

// Choice is what is chosen from the catalog.
type Choice = catalog.Choice

// ErrIdealised is the answer to serving a mechanism that assumes a network without delay.
var ErrIdealised = errors.New("the mechanism assumes a network without delay and can only be simulated")

// CheckServable says why a mechanism can only be simulated, if it can only be.
func CheckServable(m mechanism.Mechanism) error {
	if _, ideal := m.(mechanism.Idealised); ideal {
		return ErrIdealised
	}
	return nil
}

// Build makes the session and the mechanism that its nodes come from.
func (d *Description) Build(c catalog.Catalog) (*mechanism.Session, mechanism.Mechanism, error) {
	w, err := c.BuildWorld(d.World)
	if err != nil {
		return nil, nil, err
	}
	m, err := c.BuildMechanism(d.Mechanism)
	if err != nil {
		return nil, nil, err
	}
	if err := CheckServable(m); err != nil {
		return nil, nil, fmt.Errorf("mechanism %s: %w", d.Mechanism.Name, err)
	}
	start := world.NewState(w.Schema(), d.Seed)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: slices.Clone(d.Places)}
	if len(s.Places) == 0 {
		s.Places = m.Places(w)
	}
	return s, m, nil
}
