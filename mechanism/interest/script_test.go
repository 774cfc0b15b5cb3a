package interest

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/link"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// TestScripts runs transcripts of two nomads, 100 and 200, who stand on either side of the border at x = 100 between two
// areas, in sight of each other.
func TestScripts(t *testing.T) {
	d := &describer{listeners: map[[2]mechanism.NodeID]*listener{}}
	mechanismtest.Script{
		World: func(users world.User) world.World {
			clear(d.listeners) // a new run
			return &placed{nomads: newNomads(users, 1), at: []fixed.Vec{at(90, 50), at(104, 50)}}
		},
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			config := param.Default[Config]()
			config.Columns, config.Rows = 2, 1
			return &config, param.SetAll(&config, keys)
		},
		Describe: d.describe,
		Show: func(n mechanism.Node) string {
			switch n := n.(type) {
			case *server:
				return n.describe()
			case *client:
				var waiting []string
				for i := range n.contacts {
					waiting = append(waiting, fmt.Sprint(len(n.contacts[i].Pending.Actions)))
				}
				return "waits for answers to " + strings.Join(waiting, " and ") + " actions"
			}
			return "?"
		},
	}.Run(t, "testdata/*.txt")
}

func (n *server) describe() string {
	text := fmt.Sprintf("area %d, tick %d", n.area, n.tick)
	for o := range n.state.All() {
		how := "own"
		if f, flying := n.flying[o.ID]; flying {
			how = fmt.Sprint("on its way to area ", f.to)
		} else if !n.Owns(o.ID) {
			how = "seen"
		}
		text += fmt.Sprintf("\n  nomad %d at %v, %s", o.ID, o.Pos.X, how)
	}
	return text
}

// describe says what is in a message.
func (d *describer) describe(s *mechanism.Session, m mechanism.Message) string {
	if !input.Is(m.Payload) {
		return d.link(s, m)
	}
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
		var in input.Packet
		input.ReadInput(&r, &in)
		text := fmt.Sprintf("have %d", in.Receipt.High)
		for _, a := range in.Actions {
			text += fmt.Sprintf("; %d: %s %d", a.Seq, s.World.Schema().Verbs[a.Verb].Name, a.Target)
		}
		return text
	case input.KindUpdate:
		p := input.ReadPreface(&r)
		text := fmt.Sprintf("no. %d: tick %d", p.Header.Seq, p.Tick)
		if p.Seq > 0 {
			text += fmt.Sprintf(", action %d done at tick %d", p.Seq, p.Done)
		}
		return text + fmt.Sprintf(", %d bytes of objects", r.Len())
	}
	return "?"
}

// describer says what is in messages: it listens to all links, as those do whom they are to.
type describer struct {
	listeners map[[2]mechanism.NodeID]*listener
}

// listener listens to what one node says to another.
type listener struct {
	layer  *link.Layer
	border *area.Border
	said   []string
}

// link describes a datagram of a link. What is said again is not news.
func (d *describer) link(s *mechanism.Session, m mechanism.Message) string {
	e := d.listeners[[2]mechanism.NodeID{m.From, m.To}]
	if e == nil {
		e = &listener{layer: link.New(param.Default[link.Config](), m.To, 0), border: area.NewBorder(s.World.Schema(), area.Delta)}
		e.layer.Expect(func(mechanism.NodeID) bool { return true })
		for range 100 { // so that it may tell of as many that have landed
			e.border.Hand(&world.Object{ID: 1}, 0)
		}
		d.listeners[[2]mechanism.NodeID{m.From, m.To}] = e
	}
	var out mechanism.Outbox
	e.said = nil
	e.layer.Receive(0, m, e, &out)
	if m.Class == mechanism.Receipt {
		return ""
	}
	return strings.Join(e.said, "; ")
}

func (e *listener) Deliver(_ world.Time, m mechanism.Message, _ *mechanism.Outbox) bool {
	r := wire.NewReader(m.Payload)
	switch r.Byte() {
	case kindFrame:
		readMovers(&r, nil)
		f, ok := e.border.Read(r.Rest())
		if !ok {
			return false
		}
		text := fmt.Sprint("tick ", f.Tick)
		if n := len(f.Landed); n > 0 {
			text += fmt.Sprintf(", %d landed", n)
		}
		for _, c := range f.Changes {
			how := "is at " + c.Object.Pos.X.String()
			if c.Gone {
				how = "is no longer to be seen"
			}
			text += fmt.Sprintf(", nomad %d %s", c.Object.ID, how)
		}
		for _, h := range f.Handed {
			text += fmt.Sprintf(", nomad %d is yours", h.Object.ID)
		}
		e.said = append(e.said, text)
	case kindForward:
		o := readForward(&r)
		e.said = append(e.said, fmt.Sprintf("action %d of user %d is for you", o.action.Seq, o.action.User))
	case kindDone:
		u, seq := readPair(&r)
		e.said = append(e.said, fmt.Sprintf("action %d of user %d is done", seq, u))
	case kindStay:
		u, stay := readPair(&r)
		e.said = append(e.said, fmt.Sprintf("user %d is at stay %d", u, stay))
	case kindStream:
		e.said = append(e.said, fmt.Sprintf("%d bytes of objects", r.Len()))
	}
	return true
}
