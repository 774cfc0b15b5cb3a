package central

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/viewer"
	"throng/world"
	"throng/world/wire"
)

func TestScripts(t *testing.T) {
	d := describer{bound: map[binding]world.Object{}}
	mechanismtest.Script{
		World: func(users world.User) world.World {
			if users == 1 {
				return newWalkers(1, 1) // a world that users can enter
			}
			return mechanismtest.Marbles(users)
		},
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			config := param.Default[Config]()
			return &config, param.SetAll(&config, keys)
		},
		Describe: d.describe,
		Show: func(n mechanism.Node) string {
			switch n := n.(type) {
			case *authority:
				return n.describe()
			case *viewer.Client:
				return n.String()
			}
			return "?"
		},
	}.Run(t, "testdata/*.txt")
}

func (n *authority) describe() string {
	text := fmt.Sprintf("tick %d", n.tick)
	for i, slot := range n.schedule.slots {
		for _, m := range slot {
			text += fmt.Sprintf("\n  slot %d: node %d, user %d, sees %d, action %d", i, m.Node, m.User, m.set.Len(), m.Executed)
		}
	}
	return text
}

// describer says what is in messages. To read a difference one must know what the handle stands for.
type describer struct {
	bound map[binding]world.Object
}

type binding struct {
	to     mechanism.NodeID
	handle int64
}

func (d *describer) describe(s *mechanism.Session, m mechanism.Message) string {
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case input.KindJoin:
		e, u := input.ReadJoin(&r)
		return fmt.Sprintf("join as user %d, life %d", u, e.Life)
	case input.KindLeave:
		return "leave"
	case input.KindUnknown:
		return "you are no member"
	case input.KindInput:
		return d.input(s, &r)
	case input.KindUpdate:
		return d.update(s, m.To, &r)
	}
	return "?"
}

func (d *describer) input(s *mechanism.Session, r *wire.Reader) string {
	var in input.Packet
	input.ReadInput(r, &in)
	text := fmt.Sprintf("receipt %d: have %d", in.Receipt.Number, in.Receipt.High)
	if in.Receipt.Missing != 0 {
		text += fmt.Sprintf(" but not %b", in.Receipt.Missing)
	}
	for _, a := range in.Actions {
		name := strconv.Itoa(int(a.Verb))
		if int(a.Verb) < len(s.World.Schema().Verbs) {
			name = s.World.Schema().Verbs[a.Verb].Name
		}
		text += fmt.Sprintf("; %d: %s", a.Seq, name)
	}
	return text
}

func (d *describer) update(s *mechanism.Session, to mechanism.NodeID, r *wire.Reader) string {
	p := input.ReadPreface(r)
	text := fmt.Sprintf("no. %d after receipt %d: tick %d", p.Header.Seq, p.Header.Echo, p.Tick)
	if p.Seq > 0 {
		text += fmt.Sprintf(", action %d done at tick %d", p.Seq, p.Done)
	}
	if !p.Whole {
		text += ", not all"
	}
	var items []string
	handle := int64(-1)
	for r.Len() > 0 && !r.Failed() {
		name := r.Uint()
		handle += int64(name>>3^-(name>>2&1)) + 1
		items = append(items, d.item(s.World.Schema(), binding{to, handle}, name&3, r))
	}
	if len(items) > 0 {
		text += ": " + strings.Join(items, ", ")
	}
	return text
}

// item describes one object and skips its numbers.
func (d *describer) item(s *world.Schema, at binding, op uint64, r *wire.Reader) string {
	o := d.bound[at]
	verb := "change of "
	switch op {
	case 1:
		verb = "all of "
		o = world.Object{ID: world.ID(r.Uint()), Kind: world.KindID(r.Uint()), User: world.User(r.Uint())}
		d.bound[at] = o
	case 2:
		return fmt.Sprintf("%s %d leaves", s.Kinds[o.Kind].Name, o.ID)
	}
	mask := r.Uint()
	for range bits.OnesCount64(mask) {
		r.Int()
	}
	if at.to == server+mechanism.NodeID(o.User) {
		for _, v := range s.Kinds[o.Kind].Variables {
			if v.Quantum > 1 {
				r.Int()
			}
		}
	}
	return verb + fmt.Sprintf("%s %d", s.Kinds[o.Kind].Name, o.ID)
}
