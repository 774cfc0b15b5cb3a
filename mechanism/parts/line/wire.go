package line

import (
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// The kinds of messages: the first byte of each. No datagram of package link begins with one of them, so that nodes can use
// both side by side.
const (
	KindJoin   = 0xf1 // client to server: here I am
	KindLeave  = 0xf2 // client to server: farewell
	KindInput  = 0xf3 // client to server: what I have received, what I do
	KindUpdate = 0xf4 // server to client: what you see
)

// Is reports whether a datagram is part of a line's talk.
func Is(datagram []byte) bool { return len(datagram) > 0 && datagram[0] >= KindJoin }

// tickMax bounds what is believed of a tick: centuries.
const tickMax = 1 << 40

// ActionsMax is how many actions an input may repeat.
const ActionsMax = 32

// HeaderMax is what an update holds beside objects, at most.
const HeaderMax = 32

// Epoch tells the lives of clients in one place apart: who holds the place, and how often they have joined. Messages carry
// the last bits of it, so that those of an earlier life that are still on their way are recognised.
type Epoch struct{ Holder, Life uint32 }

// Tag is the part of an epoch that messages carry.
func (e Epoch) Tag() uint16 { return uint16(e.Holder<<4 | e.Life&15) }

// After reports whether an epoch is later than another.
func (e Epoch) After(o Epoch) bool {
	return e.Holder > o.Holder || e.Holder == o.Holder && e.Life > o.Life
}

func appendEpoch(dst []byte, e Epoch) []byte {
	dst = wire.AppendUint(dst, uint64(e.Holder))
	return wire.AppendUint(dst, uint64(e.Life))
}

// ReadEpoch reads an epoch: all that follows the kind of a leave.
func ReadEpoch(r *wire.Reader) Epoch {
	return Epoch{uint32(r.UintMax(1<<32 - 1)), uint32(r.UintMax(1<<32 - 1))}
}

func appendTag(dst []byte, e Epoch) []byte { return append(dst, byte(e.Tag()), byte(e.Tag()>>8)) }

func readTag(r *wire.Reader) uint16 { return uint16(r.Byte()) | uint16(r.Byte())<<8 }

// AppendJoin appends a join.
func AppendJoin(dst []byte, e Epoch, u world.User) []byte {
	dst = appendEpoch(append(dst, KindJoin), e)
	return wire.AppendUint(dst, uint64(u))
}

// ReadJoin reads what follows the kind of a join.
func ReadJoin(r *wire.Reader) (Epoch, world.User) {
	e := ReadEpoch(r)
	return e, world.User(r.UintMax(1<<32 - 1))
}

// AppendLeave appends a leave.
func AppendLeave(dst []byte, e Epoch) []byte { return appendEpoch(append(dst, KindLeave), e) }

// Input is what a client says all the time.
type Input struct {
	Tag     uint16
	Receipt update.Receipt
	Actions []world.Action // not yet answered, the oldest first
}

// AppendInput appends an input up to its actions, which are to follow.
func AppendInput(dst []byte, e Epoch, r update.Receipt, actions int) []byte {
	dst = append(dst, KindInput)
	dst = appendTag(dst, e)
	dst = update.AppendReceipt(dst, r)
	return append(dst, byte(actions))
}

// ReadInput reads what follows the kind of an input. It uses the memory of in.
func ReadInput(r *wire.Reader, in *Input) {
	in.Tag = readTag(r)
	in.Receipt = update.ReadReceipt(r)
	n := int(r.Byte())
	if n > ActionsMax {
		r.Fail()
		return
	}
	in.Actions = in.Actions[:0]
	for i := range n {
		a := world.ReadAction(r)
		if i > 0 && a.Seq <= in.Actions[i-1].Seq || a.Seq == 0 {
			r.Fail()
		}
		in.Actions = append(in.Actions, a)
	}
}

// Preface is what an update says beside the objects in it.
type Preface struct {
	Tag    uint16
	Header update.Header
	Tick   world.Tick
	First  bool       // it is the first datagram of an update
	Whole  bool       // it is the last, and the update left nothing out that has changed
	Seq    uint32     // the client's actions up to this one have been dealt with
	Done   world.Tick // when this one was
}

// The flags of an update.
const (
	flagFirst = 1 << iota
	flagWhole
	flagsAll = flagFirst | flagWhole
)

// appendPreface appends all but the flags, which are known only when the objects have been appended; it returns where they
// belong.
func appendPreface(dst []byte, e Epoch, s *update.Sender, tick world.Tick, seq uint32, done world.Tick) (out []byte, flags int) {
	dst = append(dst, KindUpdate)
	dst = appendTag(dst, e)
	flags = len(dst)
	dst = append(dst, 0)
	dst = s.AppendHeader(dst)
	dst = wire.AppendUint(dst, uint64(tick))
	dst = wire.AppendUint(dst, uint64(seq))
	return wire.AppendUint(dst, uint64(tick-done)), flags
}

// ReadPreface reads what follows the kind of an update, up to its objects.
func ReadPreface(r *wire.Reader) Preface {
	var p Preface
	p.Tag = readTag(r)
	flags := r.Byte()
	if flags&^flagsAll != 0 {
		r.Fail()
	}
	p.First, p.Whole = flags&flagFirst != 0, flags&flagWhole != 0
	p.Header = update.ReadHeader(r)
	p.Tick = world.Tick(r.UintMax(tickMax))
	p.Seq = uint32(r.UintMax(1<<32 - 1))
	p.Done = p.Tick - world.Tick(r.UintMax(uint64(p.Tick)))
	return p
}
