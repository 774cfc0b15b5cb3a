package central

import (
	"throng/mechanism/update"
	"throng/world"
	"throng/world/wire"
)

// The kinds of messages: the first byte of each.
const (
	kindJoin   = 1 // client to server: here I am
	kindLeave  = 2 // client to server: farewell
	kindInput  = 3 // client to server: what I have received, what I do
	kindUpdate = 4 // server to client: what you see
)

// tickMax bounds what is believed of a tick: centuries.
const tickMax = 1 << 40

// actionsMax is how many actions an input may repeat.
const actionsMax = 32

// epoch tells the lives of clients in one place apart: who holds the place, and how often they have joined. Messages carry
// the last bits of it, so that those of an earlier life that are still on their way are recognised.
type epoch struct{ holder, life uint32 }

func (e epoch) tag() uint16 { return uint16(e.holder<<4 | e.life&15) }

func (e epoch) after(o epoch) bool {
	return e.holder > o.holder || e.holder == o.holder && e.life > o.life
}

func appendEpoch(dst []byte, e epoch) []byte {
	dst = wire.AppendUint(dst, uint64(e.holder))
	return wire.AppendUint(dst, uint64(e.life))
}

func readEpoch(r *wire.Reader) epoch {
	return epoch{uint32(r.UintMax(1<<32 - 1)), uint32(r.UintMax(1<<32 - 1))}
}

func appendTag(dst []byte, e epoch) []byte { return append(dst, byte(e.tag()), byte(e.tag()>>8)) }

func readTag(r *wire.Reader) uint16 { return uint16(r.Byte()) | uint16(r.Byte())<<8 }

func appendJoin(dst []byte, e epoch, u world.User) []byte {
	dst = appendEpoch(append(dst, kindJoin), e)
	return wire.AppendUint(dst, uint64(u))
}

// readJoin reads what follows the kind of a join.
func readJoin(r *wire.Reader) (epoch, world.User) {
	e := readEpoch(r)
	return e, world.User(r.UintMax(1<<32 - 1))
}

func appendLeave(dst []byte, e epoch) []byte { return appendEpoch(append(dst, kindLeave), e) }

// input is what a client says all the time.
type input struct {
	tag     uint16
	receipt update.Receipt
	actions []world.Action // not yet answered, the oldest first
}

func appendInput(dst []byte, e epoch, r update.Receipt, actions int) []byte {
	dst = append(dst, kindInput)
	dst = appendTag(dst, e)
	dst = update.AppendReceipt(dst, r)
	return append(dst, byte(actions)) // which follow
}

// readInput reads what follows the kind of an input. It uses the memory of in.
func readInput(r *wire.Reader, in *input) {
	in.tag = readTag(r)
	in.receipt = update.ReadReceipt(r)
	n := int(r.Byte())
	if n > actionsMax {
		r.Fail()
		return
	}
	in.actions = in.actions[:0]
	for i := range n {
		a := world.ReadAction(r)
		if i > 0 && a.Seq <= in.actions[i-1].Seq || a.Seq == 0 {
			r.Fail()
		}
		in.actions = append(in.actions, a)
	}
}

// preface is what an update says beside the objects in it.
type preface struct {
	tag    uint16
	header update.Header
	tick   world.Tick
	first  bool       // it is the first datagram of an update
	whole  bool       // it is the last, and the update left nothing out that has changed
	seq    uint32     // the last of the client's actions that was carried out
	done   world.Tick // when
}

// The flags of an update.
const (
	flagFirst = 1 << iota
	flagWhole
	flagsAll = flagFirst | flagWhole
)

// appendPreface appends all but the flags, which are known only when the objects have been appended; it returns where they
// belong.
func appendPreface(dst []byte, e epoch, s *update.Sender, tick world.Tick, seq uint32, done world.Tick) (out []byte, flags int) {
	dst = append(dst, kindUpdate)
	dst = appendTag(dst, e)
	flags = len(dst)
	dst = append(dst, 0)
	dst = s.AppendHeader(dst)
	dst = wire.AppendUint(dst, uint64(tick))
	dst = wire.AppendUint(dst, uint64(seq))
	return wire.AppendUint(dst, uint64(tick-done)), flags
}

// readPreface reads what follows the kind of an update, up to its objects.
func readPreface(r *wire.Reader) preface {
	var p preface
	p.tag = readTag(r)
	flags := r.Byte()
	if flags&^flagsAll != 0 {
		r.Fail()
	}
	p.first, p.whole = flags&flagFirst != 0, flags&flagWhole != 0
	p.header = update.ReadHeader(r)
	p.tick = world.Tick(r.UintMax(tickMax))
	p.seq = uint32(r.UintMax(1<<32 - 1))
	p.done = p.tick - world.Tick(r.UintMax(uint64(p.tick)))
	return p
}
