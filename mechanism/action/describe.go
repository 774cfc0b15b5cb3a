package action

import (
	"fmt"
	"strings"

	"throng/mechanism"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

var _ mechanism.Described = (*Config)(nil)

// Describer implements mechanism.Described.
func (c *Config) Describer(s *mechanism.Session) func(m mechanism.Message) string {
	return func(m mechanism.Message) string { return describe(c, s, m.Payload) }
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
			text = fmt.Sprintf("object %d is no more", it.id)
			if it.object.ID != 0 {
				text = "there is " + s.World.Schema().Describe(&it.object)
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
