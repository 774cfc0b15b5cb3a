package update

import (
	"fmt"

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
	down, up [][]byte              // datagrams and receipts under way
	handles  map[world.ID]int32    // what the receiver is to see
	objects  map[world.ID]*model   // what there is
	past     map[world.Object]bool // all that objects have been, exactly and rounded
	view     map[world.ID]world.Object
	crowded  bool
	most     int        // the size of datagrams
	patience world.Time // after which what is not reported counts as lost
}

type model struct {
	world.Object
	action uint32
}

const viewer world.User = 7

func newPair() *pair {
	s := schema()
	t := NewTable(s)
	t.Group(200)
	return &pair{
		schema: s, table: t, sender: NewSender(t, nil, viewer), receiver: NewReceiver(s, viewer), most: 200, patience: 500 * world.Millisecond,
		handles: map[world.ID]int32{}, objects: map[world.ID]*model{}, past: map[world.Object]bool{},
		view: map[world.ID]world.Object{},
	}
}

func (p *pair) put(o world.Object, action uint32) {
	p.objects[o.ID] = &model{o, action}
	p.table.Put(&o, action)
	p.past[o] = true
	p.schema.Round(&o)
	p.past[o] = true
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

// gather has the receiver see everything in crowds, scatter ends it.
func (p *pair) gather() {
	p.crowded = true
	p.sender.SeeCrowds(true)
}

func (p *pair) scatter() {
	p.crowded = false
	p.sender.SeeCrowds(false)
}

// send has the sender send what is due, and returns how many items that were.
func (p *pair) send() int { return p.sendUpTo(1 << 10) }

// sendUpTo is send where there is a budget for so many datagrams.
func (p *pair) sendUpTo(datagrams int) int {
	p.now += 50 * world.Millisecond
	p.table.Renew()
	if p.crowded {
		p.table.Gather()
	}
	p.sender.Begin(p.now - p.patience)
	total := 0
	for full := true; full && !p.sender.Blocked() && datagrams > 0; datagrams-- {
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
		if !p.past[c.Object] {
			return fmt.Errorf("datagram %d: %+v has never been", h.Seq, c.Object)
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
	for id := world.ID(1); id <= ids; id++ {
		_, to := p.handles[id]
		o, is := p.objects[id]
		got, has := p.view[id]
		if is = is && (to || p.crowded); is != has || has != p.receiver.Holds(id) {
			return fmt.Errorf("object %d: that the receiver is to have it is %v, that it has it %v, that it knows %v", id, is, has, p.receiver.Holds(id))
		}
		if !is {
			continue
		}
		want := o.Object
		if want.User != viewer || !to {
			p.schema.Round(&want)
		}
		if want.User == viewer && !to {
			p.schema.Round(&got) // what was exact once may have stayed so
		}
		if got != want {
			return fmt.Errorf("object %d: the receiver has %+v, want %+v", id, got, want)
		}
	}
	return nil
}

// ids is how many objects there can be.
const ids = 12

func ball(id world.ID, x, y int64) world.Object {
	return world.Object{ID: id, Pos: fixed.Vec{X: fixed.F(x), Y: fixed.F(y)}}
}
