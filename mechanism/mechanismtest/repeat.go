package mechanismtest

import (
	"bytes"
	"errors"
	"fmt"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

const playTicks = 200

// log writes down everything that nodes do.
type log struct {
	entries [][]byte
	looks   int // how often to look at the view before writing it down
}

func (l *log) observe(r *Rig) func(*Call) {
	return func(c *Call) {
		var b []byte
		b = append(b, byte(c.Node), byte(c.Kind))
		b = wire.AppendInt(b, int64(r.Now()))
		for i := range c.Out.Sends() {
			m := c.Out.Message(i, c.Node)
			b = wire.AppendUint(b, uint64(m.To))
			b = append(b, byte(m.Class))
			b = wire.AppendBytes(b, m.Payload)
		}
		wake, asked := c.Out.Wake()
		if asked {
			b = wire.AppendInt(b, int64(wake))
		}
		b = wire.AppendInt(b, int64(c.Out.Work()))
		for _, items := range c.Out.Items() {
			b = wire.AppendInt(b, int64(items))
		}
		for _, e := range c.Out.Events() {
			b = fmt.Appendf(b, "%s %d %d %d\n", e.Name, e.User, e.Seq, e.Value)
		}
		if client := r.Client(c.Node); client != nil {
			for range l.looks {
				client.View()
			}
			b = wire.AppendUint64(b, client.View().Hash())
		}
		l.entries = append(l.entries, b)
	}
}

// compare plays the same game twice, prepared in two ways, and wants the same from every call.
func (s *suite) compare(one, other func(*Rig, *log)) error {
	var logs [2]log
	for i, prepare := range []func(*Rig, *log){one, other} {
		_, err := s.play(7, playTicks, func(r *Rig) {
			r.Observe = logs[i].observe(r)
			if prepare != nil {
				prepare(r, &logs[i])
			}
		})
		if err != nil {
			return err
		}
	}
	a, b := logs[0].entries, logs[1].entries
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Errorf("call %d of node %d differs:\n%q\n%q", i, a[i][0], a[i], b[i])
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("%d calls in one run, %d in the other", len(a), len(b))
	}
	return nil
}

func (s *suite) repeatable() error { return s.compare(nil, nil) }

func (s *suite) looking() error {
	return s.compare(nil, func(_ *Rig, l *log) { l.looks = 3 })
}

func (s *suite) start() error {
	var before *world.State
	r, err := s.play(1, playTicks, func(r *Rig) { before = r.Session.Start.Detach() })
	if err != nil {
		return err
	}
	if before.Hash() != r.Session.Start.Hash() {
		return errors.New("it was changed")
	}
	return nil
}

func (s *suite) payload() error {
	return s.compare(nil, func(r *Rig, _ *log) {
		observe := r.Observe
		r.Observe = func(c *Call) {
			for i := range c.Message.Payload {
				c.Message.Payload[i] ^= 0x5a
			}
			observe(c)
		}
	})
}

func (s *suite) outbox() error {
	return s.compare(nil, func(r *Rig, _ *log) {
		observe := r.Observe
		r.Observe = func(c *Call) {
			observe(c)
			// The old one goes on to be used by somebody else.
			old := r.out
			r.out = &mechanism.Outbox{}
			for i := range old.Sends() {
				clear(old.Message(i, c.Node).Payload)
			}
			old.Reset()
			old.Send(1, mechanism.Control, []byte{1, 2, 3})
			old.WakeAt(1)
		}
	})
}
