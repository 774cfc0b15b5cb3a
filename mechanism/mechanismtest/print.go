package mechanismtest

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"throng/mechanism"
	"throng/world"
)

// observe prints what came of one call: datagrams, then events.
func (r *runner) observe(c *Call) {
	if (c.Kind == Wake || c.Kind == Receive) && (c.Out.Sends() > 0 || len(c.Out.Events()) > 0) {
		fmt.Fprintf(&r.out, "%v ", r.rig.Now())
		if c.Kind == Wake {
			fmt.Fprintf(&r.out, "%d wakes\n", c.Node)
		} else {
			fmt.Fprintf(&r.out, "%d receives from %d\n", c.Node, c.Message.From)
		}
	}
	for i := 0; i < c.Out.Sends(); {
		m := c.Out.Message(i, c.Node)
		fmt.Fprintf(&r.out, "  %d>%d", m.From, m.To)
		// One line for a message to many.
		for i++; i < c.Out.Sends(); i++ {
			also := c.Out.Message(i, c.Node)
			if also.Class != m.Class || !bytes.Equal(also.Payload, m.Payload) {
				break
			}
			fmt.Fprintf(&r.out, ",%d", also.To)
		}
		r.message(m)
	}
	for _, e := range c.Out.Events() {
		fmt.Fprintf(&r.out, "  %d: %s", c.Node, e.Name)
		switch {
		case e.Object != 0:
			fmt.Fprintf(&r.out, " object %d of user %d", e.Object, e.User)
		case e.User != 0:
			fmt.Fprintf(&r.out, " action %d of user %d", e.Seq, e.User)
		}
		if e.Value != 0 {
			fmt.Fprintf(&r.out, " (%d)", e.Value)
		}
		r.out.WriteString("\n")
	}
}

func (r *runner) message(m mechanism.Message) {
	fmt.Fprintf(&r.out, " %v %dB", m.Class, len(m.Payload))
	if r.script.Describe != nil {
		fmt.Fprintf(&r.out, " %s", r.script.Describe(r.rig.Session, m))
	}
	r.out.WriteString("\n")
}

func (r *runner) inflight() {
	if len(r.rig.Flights()) == 0 {
		r.out.WriteString("nothing in flight\n")
	}
	for _, f := range r.rig.Flights() {
		fmt.Fprintf(&r.out, "  in flight %d>%d", f.From, f.To)
		if f.Arrives != world.Never {
			fmt.Fprintf(&r.out, " until %v", f.Arrives)
		}
		r.message(f.Message)
	}
}

func (r *runner) view(args []string) error {
	id, _, err := number(args)
	if err != nil || id < 1 || id > uint64(len(r.rig.Session.Places)) {
		return errors.New("want: view NODE [ID ...]")
	}
	client := r.rig.Client(mechanism.NodeID(id))
	if client == nil {
		return errors.New("it is no client")
	}
	s := client.View()
	fmt.Fprintf(&r.out, "node %d, tick %d\n", id, s.Tick())
	if len(args) == 1 {
		for o := range s.All() {
			r.object(s.Schema(), o)
		}
	}
	for _, arg := range args[1:] {
		id, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			return err
		}
		if o := s.Get(world.ID(id)); o != nil {
			r.object(s.Schema(), o)
		} else {
			fmt.Fprintf(&r.out, "  no object %d\n", id)
		}
	}
	return nil
}

func (r *runner) object(s *world.Schema, o *world.Object) {
	fmt.Fprintf(&r.out, "  %s\n", s.Describe(o))
}

func (r *runner) hash() {
	for _, p := range r.rig.Session.Places {
		if client := r.rig.Client(p.ID); client != nil {
			view := client.View()
			fmt.Fprintf(&r.out, "%d: tick %d %016x\n", p.ID, view.Tick(), view.Hash())
		}
	}
}

func (r *runner) show(args []string) error {
	id, _, err := number(args)
	if err != nil || id < 1 || id > uint64(len(r.rig.Session.Places)) {
		return errors.New("want: show NODE")
	}
	if r.rig.Node(mechanism.NodeID(id)) == nil {
		return errors.New("it has left")
	}
	if r.script.Show == nil {
		return errors.New("this script shows nothing of a node")
	}
	fmt.Fprintf(&r.out, "%s\n", r.script.Show(r.rig.Node(mechanism.NodeID(id))))
	return nil
}
