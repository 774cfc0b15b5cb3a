package update

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// schema has a kind whose numbers are rounded on the wire, and one whose are not.
func schema() *world.Schema {
	box := fixed.Box{Max: fixed.Vec{X: 1000 * fixed.One, Y: 1000 * fixed.One}}
	return &world.Schema{
		Name: "things", Tick: 50 * world.Millisecond, Bounds: box,
		Kinds: []world.Kind{
			{Name: "ball", Variables: append(world.Placed(box, 1, fixed.One/64), world.Moving(box, 10*fixed.One, 1, fixed.One/16)...)},
			{Name: "sign", Variables: []world.Variable{{Name: "text", Slot: world.AttrSlot(0), Max: 1 << 40}}},
		},
	}
}

// pair is a sender and a receiver with a network between them that does as it is told.
type pair struct {
	schema   *world.Schema
	table    *Table
	sender   *Sender
	receiver *Receiver
	now      world.Time
	down, up [][]byte            // datagrams and receipts under way
	handles  map[world.ID]int32  // what the receiver is to see
	objects  map[world.ID]*thing // what there is
	view     map[world.ID]world.Object
	most     int // the size of datagrams
}

type thing struct {
	world.Object
	action uint32
}

const viewer world.User = 7

func newPair() *pair {
	s := schema()
	t := NewTable(s)
	return &pair{
		schema: s, table: t, sender: NewSender(t, nil, viewer), receiver: NewReceiver(s, viewer), most: 200,
		handles: map[world.ID]int32{}, objects: map[world.ID]*thing{}, view: map[world.ID]world.Object{},
	}
}

func (p *pair) put(o world.Object, action uint32) {
	p.objects[o.ID] = &thing{o, action}
	p.table.Put(&o, action)
}

func (p *pair) remove(id world.ID) {
	delete(p.objects, id)
	p.table.Remove(id)
}

func (p *pair) enter(id world.ID) { p.handles[id] = p.sender.Enter(id) }

func (p *pair) leave(id world.ID) {
	p.sender.Leave(p.handles[id])
	delete(p.handles, id)
}

// send has the sender send what is due, and returns how many items that were.
func (p *pair) send() int {
	p.now += 50 * world.Millisecond
	p.table.Renew()
	p.sender.Begin(p.now - 500*world.Millisecond)
	total := 0
	for full := true; full && !p.sender.Blocked(); {
		var items int
		msg := p.sender.AppendHeader(nil)
		msg, items, full = p.sender.Append(msg, p.most)
		if items > 0 {
			p.sender.Sent(p.now, 0)
			p.down = append(p.down, msg)
		}
		total += items
	}
	return total
}

// receive hands a datagram to the receiver.
func (p *pair) receive(msg []byte) error {
	r := wire.NewReader(msg)
	h := ReadHeader(&r)
	switch p.receiver.Judge(h) {
	case Impossible:
		return fmt.Errorf("header %+v is impossible", h)
	case Stale:
		return nil
	}
	switch p.receiver.Read(&r, h) {
	case Impossible:
		return fmt.Errorf("datagram %d cannot be read", h.Seq)
	case Stale:
		return nil
	}
	for _, c := range p.receiver.Accept(h) {
		if c.What == Left {
			delete(p.view, c.Object.ID)
			continue
		}
		if _, has := p.view[c.Object.ID]; has != (c.What == Changed) {
			return fmt.Errorf("object %d: %v although held: %v", c.Object.ID, c.What, has)
		}
		p.view[c.Object.ID] = c.Object
	}
	return nil
}

func (p *pair) report() { p.up = append(p.up, AppendReceipt(nil, p.receiver.Receipt())) }

func (p *pair) confirm(msg []byte) error {
	r := wire.NewReader(msg)
	receipt := ReadReceipt(&r)
	if r.Done() != nil || !p.sender.Plausible(receipt) {
		return fmt.Errorf("receipt %+v is refused", receipt)
	}
	p.sender.Confirm(receipt)
	return nil
}

// flush delivers everything under way, in order.
func (p *pair) flush() error {
	for _, msg := range p.down {
		if err := p.receive(msg); err != nil {
			return err
		}
	}
	p.report()
	for _, msg := range p.up {
		if err := p.confirm(msg); err != nil {
			return err
		}
	}
	p.down, p.up = nil, nil
	return nil
}

// check compares what the receiver has with what it is to have.
func (p *pair) check() error {
	for id := range p.handles {
		o, ok := p.objects[id]
		if !ok {
			continue
		}
		want := o.Object
		if want.User != viewer {
			p.schema.Round(&want)
		}
		if got, has := p.view[id]; !has || got != want {
			return fmt.Errorf("object %d: the receiver has %+v, want %+v", id, got, want)
		}
	}
	for id := range p.view {
		_, to := p.handles[id]
		if _, is := p.objects[id]; !to || !is {
			return fmt.Errorf("object %d: the receiver has it, but should not", id)
		}
		if !p.receiver.Holds(id) {
			return fmt.Errorf("object %d is not held", id)
		}
	}
	return nil
}

func ball(id world.ID, x, y int64) world.Object {
	return world.Object{ID: id, Pos: fixed.Vec{X: fixed.F(x), Y: fixed.F(y)}}
}

// Whatever is lost, repeated or overtaken on the way: every datagram that is taken is understood, and once the network has
// recovered the receiver has just what it is to have, and nothing more is sent.
func TestAnyNetwork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPair()
		p.most = rapid.IntRange(60, 300).Draw(t, "datagram")
		fail := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		id := func() world.ID { return world.ID(rapid.IntRange(1, 12).Draw(t, "id")) }
		steps := map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				o := ball(id(), rapid.Int64Range(0, 1<<30).Draw(t, "x"), rapid.Int64Range(0, 1<<20).Draw(t, "y"))
				o.User = world.User(rapid.SampledFrom([]int{0, 0, 3, 7}).Draw(t, "user"))
				if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
					o.Kind, o.Pos = 1, fixed.Vec{}
					o.Attr[0] = rapid.Int64Range(0, 1<<40).Draw(t, "text")
				}
				p.put(o, rapid.Uint32Range(0, 100).Draw(t, "action"))
			},
			"remove": func(t *rapid.T) { p.remove(id()) },
			"enter": func(t *rapid.T) {
				id := id()
				_, in := p.handles[id]
				if _, is := p.objects[id]; is && !in {
					p.enter(id)
				}
			},
			"leave": func(t *rapid.T) {
				id := id()
				if _, in := p.handles[id]; in {
					p.leave(id)
				}
			},
			"send":   func(t *rapid.T) { p.send() },
			"report": func(t *rapid.T) { p.report() },
			"deliver": func(t *rapid.T) {
				if len(p.down) == 0 {
					return
				}
				i := rapid.IntRange(0, len(p.down)-1).Draw(t, "which")
				if rapid.IntRange(0, 3).Draw(t, "lost") > 0 {
					fail(p.receive(p.down[i]))
				}
				if rapid.IntRange(0, 4).Draw(t, "again") > 0 {
					p.down = append(p.down[:i:i], p.down[i+1:]...)
				}
			},
			"confirm": func(t *rapid.T) {
				if len(p.up) == 0 {
					return
				}
				i := rapid.IntRange(0, len(p.up)-1).Draw(t, "which")
				fail(p.confirm(p.up[i]))
				if rapid.Bool().Draw(t, "keep") {
					p.up = append(p.up[:i:i], p.up[i+1:]...)
				}
			},
		}
		t.Repeat(steps)
		// Those that no longer exist are taken out, as interest would; then all is delivered.
		for id := world.ID(1); id <= 12; id++ {
			if _, in := p.handles[id]; in && p.objects[id] == nil {
				p.leave(id)
			}
		}
		for range 40 {
			p.send()
			fail(p.flush())
		}
		fail(p.check())
		if n := p.send(); n != 0 {
			t.Fatalf("%d items are sent though nothing has changed", n)
		}
	})
}
