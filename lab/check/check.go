// Package check has observers that fail a run: things that must never happen, whatever the network does, and things that
// must have come about once users are at rest.
//
// They are kept apart from the probes of package measure on purpose. A probe says how good a run was; a check says whether
// the code that ran it can be trusted.
package check

import (
	"errors"
	"fmt"

	"throng/lab/measure"
	"throng/lab/serial"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Check is an observer with a verdict. Beside Verdict it implements whichever of sim's observer interfaces it needs.
type Check interface {
	// Verdict is called after the run; an error says what went wrong, where and when.
	Verdict() error
}

// Checks are the checks of one run.
type Checks []Check

// Attach has a run watched by every check that applies to its mechanism.
func Attach(r *sim.Run) Checks {
	checks := Checks{&sound{}, &causal{issued: make([]uint32, r.Setup().Timeline.LastUser(r.Setup().World.Users())+1)}, &replicas{}}
	if _, ok := r.Setup().Mechanism.(mechanism.Converging); ok && r.Setup().Settle > 0 {
		checks = append(checks, &agreement{run: r})
	}
	for _, c := range checks {
		r.Observe(c)
	}
	if _, ok := r.Setup().Mechanism.(mechanism.Serial); ok {
		checks = append(checks, serial.Watch(r))
	}
	return checks
}

// Verdict gathers what all checks found.
func (c Checks) Verdict() error {
	var errs []error
	for _, check := range c {
		if err := check.Verdict(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// sound: the laboratory's network does not garble datagrams, so no node may find one malformed.
type sound struct{ err error }

func (s *sound) Event(h *sim.Host, now world.Time, e mechanism.Event) {
	if e.Name == mechanism.Malformed && s.err == nil {
		s.err = fmt.Errorf("node %d could not read a message of %d bytes at %v, though the network garbles none", h.Place.ID, e.Value, now)
	}
}

func (s *sound) Verdict() error { return s.err }

// causal: no action takes effect that no user has taken.
type causal struct {
	issued []uint32 // by user, the highest number of an action; those who return begin anew
	err    error
}

func (c *causal) Acted(_ *sim.Host, _ world.Time, a *world.Action) {
	c.issued[a.User] = max(c.issued[a.User], a.Seq)
}

func (c *causal) Event(h *sim.Host, now world.Time, e mechanism.Event) {
	if e.Name != mechanism.Applied || c.err != nil {
		return
	}
	if int(e.User) >= len(c.issued) || e.User == 0 || e.Seq > c.issued[e.User] {
		c.err = fmt.Errorf("node %d applied action %d of user %d at %v, which nobody has taken", h.Place.ID, e.Seq, e.User, now)
	}
}

func (c *causal) Verdict() error { return c.err }

// agreement: once users have rested for as long as the mechanism needs, all views are equal.
type agreement struct{ run *sim.Run }

func (a *agreement) Verdict() error {
	var first *sim.Host
	for _, h := range a.run.Hosts() {
		if h.Client == nil || h.Frozen() {
			continue
		}
		if first == nil {
			first = h
			continue
		}
		if h.View().Hash() != first.View().Hash() {
			return fmt.Errorf("nodes %d and %d disagree after %v of rest: %s", first.Place.ID, h.Place.ID,
				a.run.Setup().Settle, measure.Difference(first.View(), h.View()))
		}
	}
	return nil
}
