package mechanismtest

import (
	"errors"
	"fmt"

	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// eavesdrop plays for a while and returns the run and a copy of the messages that were received in it.
func (s *suite) eavesdrop() (*Rig, []mechanism.Message, error) {
	var heard []mechanism.Message
	r, err := s.play(3, playTicks, func(r *Rig) {
		r.Observe = func(c *Call) {
			if c.Kind == Receive {
				m := c.Message
				m.Payload = append([]byte(nil), m.Payload...)
				heard = append(heard, m)
			}
		}
	})
	if err == nil && len(heard) == 0 {
		err = errors.New("nobody sends anything")
	}
	r.Observe = nil
	return r, heard, err
}

// reaction is what a node made of one message.
type reaction struct {
	malformed bool
	sends     int
	changed   bool // whether its view did
}

// give hands a message over and returns what came of it.
func (s *suite) give(r *Rig, m mechanism.Message) reaction {
	var got reaction
	client := r.Client(m.To)
	var before uint64
	if client != nil {
		before = client.View().Hash()
	}
	r.Observe = func(c *Call) {
		got.sends += c.Out.Sends()
		for _, e := range c.Out.Events() {
			got.malformed = got.malformed || e.Name == mechanism.Malformed
		}
	}
	r.Give(m)
	r.Observe = nil
	got.changed = client != nil && client.View().Hash() != before
	return got
}

// harmed reports whether a message had an effect although it was found malformed.
func (x *reaction) harmed() bool { return x.malformed && (x.changed || x.sends > 0) }

// harmless says that a message which was found malformed had an effect. What was found so may have been an earlier one that
// waited for this one, as in a link that keeps order; so the message is tried again on a node that was given no other.
func (s *suite) harmless(m mechanism.Message, got reaction) error {
	if !got.harmed() {
		return nil
	}
	r, _, err := s.eavesdrop()
	if err != nil {
		return err
	}
	if got = s.give(r, m); got.harmed() {
		return fmt.Errorf("%x was reported as malformed, but it changed the view (%v) or had answers (%d)", m.Payload, got.changed, got.sends)
	}
	return nil
}

// strangers replays real messages as from nodes that do not exist, and as from the receiver itself.
func (s *suite) strangers() error {
	r, heard, err := s.eavesdrop()
	if err != nil {
		return err
	}
	for _, m := range heard {
		for _, from := range []mechanism.NodeID{0, m.To, mechanism.NodeID(len(r.Session.Places) + 1), 1 << 31} {
			m.From = from
			if got := s.give(r, m); got.changed || got.sends > 0 {
				return fmt.Errorf("a %v as from node %d: view changed: %v, datagrams sent: %d", m.Class, from, got.changed, got.sends)
			}
		}
	}
	return nil
}

// garbage hands out bytes that no node ever sent.
func (s *suite) garbage() error {
	r, heard, err := s.eavesdrop()
	if err != nil {
		return err
	}
	stream := random.New(1, "garbage")
	for i := range 3000 {
		m := heard[i%len(heard)]
		m.Payload = make([]byte, stream.Below(64))
		for j := range m.Payload {
			m.Payload[j] = byte(stream.Uint64())
		}
		if err := s.harmless(m, s.give(r, m)); err != nil {
			return err
		}
	}
	if got := s.give(r, mechanism.Message{From: heard[0].From, To: heard[0].To}); got.changed {
		return errors.New("an empty message changed the view")
	}
	r.Play(playTicks) // and life goes on
	return nil
}

// damage hands out real messages that were cut short, made longer, or had a bit flipped.
func (s *suite) damage() error {
	r, heard, err := s.eavesdrop()
	if err != nil {
		return err
	}
	stream := random.New(1, "damage")
	refused := 0
	for i := range 3000 {
		m := heard[stream.Below(uint64(len(heard)))]
		if len(m.Payload) == 0 {
			continue
		}
		at := stream.Below(uint64(len(m.Payload)))
		m.Payload = append([]byte(nil), m.Payload...)
		switch i % 3 {
		case 0:
			m.Payload = m.Payload[:at]
		case 1:
			m.Payload = append(m.Payload, byte(stream.Uint64()))
		case 2:
			m.Payload[at] ^= 1 << stream.Below(8)
		}
		got := s.give(r, m)
		if got.malformed {
			refused++
		}
		if err := s.harmless(m, got); err != nil {
			return err
		}
	}
	if refused == 0 {
		return errors.New("no damaged message was ever reported as malformed")
	}
	r.Play(playTicks)
	return nil
}

// rough is a network that loses, repeats and reorders.
func rough(r *Rig, seed uint64) func(mechanism.Message) (world.Time, bool) {
	stream := random.New(seed, "network")
	repeating := false
	return func(m mechanism.Message) (world.Time, bool) {
		if !repeating && stream.Below(5) == 0 {
			repeating = true
			r.post(m)
			repeating = false
		}
		return world.Time(stream.Below(uint64(300 * world.Millisecond))), stream.Below(5) == 0
	}
}

// losing is a network that only loses.
func losing(delay world.Time, percent uint64) func(mechanism.Message) (world.Time, bool) {
	stream := random.New(1, "losses")
	return func(mechanism.Message) (world.Time, bool) { return delay, stream.Below(100) < percent }
}

func (s *suite) trouble() error {
	for seed := range uint64(5) {
		if _, err := s.play(seed, playTicks, func(r *Rig) { r.Network = rough(r, seed) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *suite) tardiness() error {
	stream := random.New(1, "tardy")
	r, err := s.play(1, playTicks, func(r *Rig) {
		r.Tardy = func(mechanism.NodeID) world.Time {
			return world.Time(stream.Below(uint64(4 * s.world.Schema().Tick)))
		}
	})
	if err != nil {
		return err
	}
	r.Tardy = nil
	r.Advance(s.Settle)
	if !s.Heals {
		return nil
	}
	return s.agree(r)
}

func (s *suite) agreement() error {
	if s.Agrees == Anyhow {
		return nil
	}
	for seed := range uint64(5) {
		r, err := s.play(seed, playTicks, nil)
		if err != nil {
			return err
		}
		r.Advance(s.Settle)
		if err := s.agree(r); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return nil
}

func (s *suite) healing() error {
	if s.Agrees == Anyhow || !s.Heals {
		return nil
	}
	for seed := range uint64(5) {
		r, err := s.play(seed, playTicks, func(r *Rig) { r.Network = rough(r, seed) })
		if err != nil {
			return err
		}
		r.Network = Constant(s.delay)
		r.Advance(s.Settle)
		if err := s.agree(r); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return nil
}

// agree compares every client's view with the first one's.
func (s *suite) agree(r *Rig) error {
	var first mechanism.Client
	for _, p := range r.Session.Places {
		client := r.Client(p.ID)
		if client == nil {
			continue
		}
		if first == nil {
			first = client
			continue
		}
		if err := Alike(first, client, s.Agrees); err != nil {
			return fmt.Errorf("node %d: %w", p.ID, err)
		}
	}
	return nil
}

// Alike says in what two clients disagree, of what both hold.
func Alike(a, b mechanism.Client, how Agreement) error {
	schema := a.View().Schema()
	if a.View().Tick() != b.View().Tick() {
		return fmt.Errorf("at tick %d instead of %d", b.View().Tick(), a.View().Tick())
	}
	for c := range world.Diff(a.View(), b.View()) {
		if c.Old == nil || c.New == nil {
			o := c.Old
			if o == nil {
				o = c.New
			}
			if holds(a, o.ID) && holds(b, o.ID) {
				return fmt.Errorf("only one view has %s", schema.Describe(o))
			}
			continue
		}
		x, y := *c.Old, *c.New
		if how == Roughly {
			schema.Round(&x)
			schema.Round(&y)
		}
		if x != y && holds(a, x.ID) && holds(b, x.ID) {
			return fmt.Errorf("%s instead of %s", schema.Describe(&y), schema.Describe(&x))
		}
	}
	return nil
}

func holds(c mechanism.Client, id world.ID) bool {
	h, ok := c.(mechanism.Holder)
	return !ok || h.Holds(id)
}
