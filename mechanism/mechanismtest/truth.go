package mechanismtest

import (
	"fmt"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// truth lets users walk about and wants to see every walker near where it is, in every view and at every tick: near is how far
// two who go opposite ways come in the time that the mechanism may be late, since whatever somebody does shows elsewhere later. Where it is, those say who decide about it; under
// mechanisms in which nobody does, it is where it would be if everybody's actions had taken effect at once. It is done on a
// network that loses nothing and, where views heal, on one that does.
func (s *suite) truth() error {
	if s.Blind {
		return nil
	}
	s.Users, s.world = 6, newWalkers(6)
	if err := s.compareWithTruth(0, s.Late); err != nil || !s.Heals {
		return err
	}
	if err := s.compareWithTruth(3, 3*s.Late); err != nil {
		return fmt.Errorf("where messages are lost: %w", err)
	}
	return nil
}

func (s *suite) compareWithTruth(loss uint64, late world.Time) error {
	r, err := s.rig(1)
	if err != nil {
		return err
	}
	if loss > 0 {
		r.Network = losing(s.delay, loss)
	}
	is := r.Session.Start.Clone()
	window := world.NewWindow(is)
	r.Observe = func(c *Call) {
		if c.Kind == Act {
			a := c.Action
			window.Do(s.world, &a)
		}
	}
	r.Start()
	near := 2 * pace.Mul(world.Seconds(late))
	for range 4 * playTicks {
		window.Advance(s.world)
		r.Play(1)
		for _, p := range r.Session.Places {
			client := r.Client(p.ID)
			if client == nil {
				continue
			}
			for o := range client.View().All() {
				at := r.whereabouts(o.ID, is)
				if off := o.Pos.Dist(at); off > near && holds(client, o.ID) {
					return fmt.Errorf("at %v user %d sees %s, %v from where it is", r.Now(), p.User, s.world.Schema().Describe(o), off)
				}
			}
		}
	}
	return nil
}

// whereabouts is where an object is.
func (r *Rig) whereabouts(id world.ID, truth *world.State) fixed.Vec {
	for _, p := range r.Session.Places {
		if n, ok := r.Node(p.ID).(mechanism.Authority); ok && n.Owns(id) {
			return n.Held().Get(id).Pos
		}
	}
	return truth.Get(id).Pos
}
