package action

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// TestScripts runs transcripts in a tangle that does not move by itself: an object for each user, ten apart, and one more.
func TestScripts(t *testing.T) {
	scripts(func(t *tangle) world.World { return t }).Run(t, "testdata/*.txt")
}

// TestScriptsOfLeaving runs those in which users leave such a tangle.
func TestScriptsOfLeaving(t *testing.T) {
	scripts(func(t *tangle) world.World { return openTangle{t} }).Run(t, "testdata/open/*.txt")
}

func scripts(build func(*tangle) world.World) mechanismtest.Script {
	var cfg Config
	return mechanismtest.Script{
		World: func(users world.User) world.World {
			w := newTangle(users, int(users)+1)
			w.still = true
			return build(w)
		},
		Mechanism: func(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
			cfg = param.Default[Config]()
			cfg.Look, cfg.Patience, cfg.Link.Timeout, cfg.Link.Adaptive = world.Minute, 2*world.Minute, world.Second, false
			return &cfg, param.SetAll(&cfg, keys)
		},
		Describe: func(s *mechanism.Session, m mechanism.Message) string { return describe(&cfg, s, m.Payload) },
		Show: func(n mechanism.Node) string {
			if c, ok := n.(*client); ok {
				return c.describe()
			}
			return n.(*server).describe()
		},
	}
}

// describe lists the parts of a datagram.
func describe(cfg *Config, s *mechanism.Session, datagram []byte) string {
	var parts []string
	for p := range link.Parts(cfg.Link, datagram) {
		if p.Class == mechanism.Receipt {
			parts = append(parts, "receipt")
			continue
		}
		parts = append(parts, describeMessage(s, p.Payload))
	}
	return "{" + strings.Join(parts, "; ") + "}"
}

func describeMessage(s *mechanism.Session, msg []byte) string {
	r := wire.NewReader(msg)
	switch kind := r.Byte(); kind {
	case kindSubmit:
		r.Byte()
		r.Byte()
		var d mechanism.Entry
		readEntry(&r, s.World.Schema(), &d)
		return "submits " + describeEntry(&d)
	case kindComplete:
		r.Byte()
		r.Byte()
		var done []string
		for r.Len() > 0 {
			done = append(done, fmt.Sprint(r.Uint()))
			r.Bytes()
		}
		return "completes " + strings.Join(done, ", ")
	case kindLook:
		membership.ReadIdentity(&r)
		r.Uint()
		if r.Byte() == 1 {
			return "looks at everything"
		}
		return fmt.Sprintf("looks at %v", []world.ID(readIDs(&r, nil, r.Uint())))
	case kindJoin:
		t := membership.ReadIdentity(&r)
		return fmt.Sprintf("joins as of %d, life %d of epoch %d", r.Uint(), t.Life, t.Epoch)
	case kindLeave:
		return "says goodbye"
	case kindAsk:
		return latejoin.DescribeAsk(r.Rest())
	case kindNews:
		return describeNews(s, &r)
	case kindHere:
		return "is here, too"
	case kindGone:
		return "does not know you"
	case kindChunk:
		return latejoin.DescribeChunk(r.Rest())
	}
	return "?"
}

func describeEntry(d *mechanism.Entry) string {
	f := &d.Footprint
	what := fmt.Sprintf("action %d of user %d", d.Action.Seq, d.Action.User)
	switch {
	case d.Action.Verb == world.Enter:
		what = fmt.Sprintf("user %d enters", d.Action.User)
	case d.Action.Verb == world.Leave:
		what = fmt.Sprintf("user %d leaves", d.Action.User)
	case d.Steps > 0:
		what = fmt.Sprintf("%d steps by user %d", d.Steps, d.Action.User)
	}
	return fmt.Sprintf("%s at tick %d, sees %v writes %v", what, d.Tick, []world.ID(f.Reads), []world.ID(f.Writes))
}

func describeNews(s *mechanism.Session, r *wire.Reader) string {
	var x news
	if err := x.read(r, s.Start); err != nil {
		return err.Error()
	}
	parts := []string{fmt.Sprintf("installed %d", x.floor)}
	for i := range x.items {
		it := &x.items[i]
		var text string
		switch it.kind {
		case newsWelcome:
			text = "welcome"
		case newsValue:
			text = fmt.Sprintf("object %d is number %d", it.id, it.object.Attr[number])
			if it.object.ID == 0 {
				text = fmt.Sprintf("object %d is no more", it.id)
			}
		case newsEntry:
			text = fmt.Sprintf("at %d %s", it.position, describeEntry(&it.entry))
		case newsOwn:
			text = fmt.Sprintf("at %d your entry %d", it.position, it.number)
		case newsDropped:
			text = fmt.Sprintf("your entry %d is dropped", it.number)
		case newsClaim:
			text = fmt.Sprintf("what became of %d?", it.position)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func (n *client) describe() string {
	if !n.Ready() {
		return "not in"
	}
	text := fmt.Sprintf("%d entries pending; forgotten what was before %d; certain:", len(n.pending.entries), n.stable.installed)
	for o := range n.stable.latest.All() {
		text += fmt.Sprintf(" %d=%d", o.ID, o.Attr[number])
	}
	text += "; shown:"
	for o := range n.view.All() {
		text += fmt.Sprintf(" %d=%d", o.ID, o.Attr[number])
	}
	return text
}

func (n *server) describe() string {
	text := fmt.Sprintf("installed %d:", n.order.installed)
	for o := range n.state.All() {
		text += fmt.Sprintf(" %d=%d", o.ID, o.Attr[number])
	}
	for p := n.order.installed + 1; p < n.order.next; p++ {
		e := n.order.at(p)
		var nodes []mechanism.NodeID
		for _, slot := range e.sent.list(nil) {
			nodes = append(nodes, n.members.slots[slot].Node)
		}
		text += fmt.Sprintf("\n  %d: %s; depends on %v, known to %v", p, describeEntry(&e.Entry), e.depends, nodes)
		if e.done {
			text += ", completed"
		}
		if e.void {
			text += ", void"
		}
	}
	return text
}
