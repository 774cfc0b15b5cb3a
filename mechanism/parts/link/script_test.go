package link

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// post is a mechanism that is nothing but its links: users send numbers to each other, in the mode that the verb names.
type post struct{ Config }

func (c *post) Places(w world.World) []mechanism.Place { return mechanism.Peers(w) }

func (c *post) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n := &postman{layer: New(c.Config, p.ID, s.Epoch), view: s.Start.Detach()}
	n.layer.Expect(anybody)
	return n, nil
}

type postman struct {
	layer *Layer
	view  *world.State
}

func (p *postman) Receive(now world.Time, m mechanism.Message, out *mechanism.Outbox) {
	p.layer.Receive(now, m, p, out)
	out.WakeAt(p.layer.Next())
}

func (p *postman) Wake(now world.Time, out *mechanism.Outbox) {
	p.layer.Wake(now, p, out)
	out.WakeAt(p.layer.Next())
}

func (p *postman) Act(now world.Time, a world.Action, out *mechanism.Outbox) {
	switch peer, n := mechanism.NodeID(a.Target), a.Args[0]; a.Verb {
	case verbForget:
		p.layer.Forget(peer)
	case verbMeet:
		p.layer.Meet(peer, uint32(n))
	default:
		p.layer.Send(now, peer, mechanism.Command, []byte{byte(n)}, Mode(a.Verb), out)
	}
	out.WakeAt(p.layer.Next())
}

func (p *postman) View() *world.State { return p.view }

func (p *postman) Deliver(_ world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	out.Report(mechanism.Event{Name: fmt.Sprintf("got from %d", m.From), Value: int64(m.Payload[0])})
	return true
}

// The verbs after the modes.
const (
	verbForget = world.VerbID(Ordered) + 1 + iota
	verbMeet
)

// letterbox is a world in which nothing happens.
type letterbox struct {
	world.World
	schema world.Schema
}

func (l *letterbox) Schema() *world.Schema { return &l.schema }

func newLetterbox(users world.User) world.World {
	l := &letterbox{World: mechanismtest.Marbles(users)}
	l.schema = *l.World.Schema()
	n := []world.Variable{{Name: "n", Min: 0, Max: 255}}
	l.schema.Verbs = []world.Verb{
		Unreliable: {Name: "unreliable", Args: n},
		Reliable:   {Name: "reliable", Args: n},
		Ordered:    {Name: "ordered", Args: n},
		verbForget: {Name: "forget"},
		verbMeet:   {Name: "meet", Args: n},
	}
	return l
}

// describe lists the parts of a datagram.
func describe(cfg Config, datagram []byte) string {
	var parts []string
	for p := range Parts(cfg, datagram) {
		text := p.String()
		if p.Class != mechanism.Receipt {
			text += fmt.Sprintf(": %d", p.Payload)
		}
		parts = append(parts, text)
	}
	return "{" + strings.Join(parts, "; ") + "}"
}

func TestScripts(t *testing.T) {
	var cfg post
	mechanismtest.Script{
		World: newLetterbox,
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = post{param.Default[Config]()}
			for key, value := range keys {
				if err := param.Set(&cfg.Config, key, value); err != nil {
					return nil, err
				}
			}
			return &cfg, nil
		},
		Describe: func(_ *mechanism.Session, m mechanism.Message) string {
			return describe(cfg.Config, m.Payload)
		},
	}.Run(t, "testdata/*.txt")
}

func TestParameters(t *testing.T) {
	if err := param.Check(new(Config)); err != nil {
		t.Error(err)
	}
	var c Config
	if err := param.Defaults(&c); err != nil || c != param.Default[Config]() {
		t.Errorf("the tags say %+v, Default says %+v (%v)", c, param.Default[Config](), err)
	}
}
