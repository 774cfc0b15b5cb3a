package input

import (
	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
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

	KindUnknown = 0xf5 // server to client: you are no member, or no longer
	KindFull    = 0xf6 // server to client: there is no room for you, ask again later
	KindClouds  = 0xf7 // server to client: what you see of the rest

	KindSeek  = 0xf8 // client to balancer: which server is to let me in?
	KindPlace = 0xf9 // balancer to client: that one
	KindMove  = 0xfa // server to client: another one is to, and knows all that you see
)

// Is reports whether a datagram is one of these.
func Is(datagram []byte) bool { return len(datagram) > 0 && datagram[0] >= KindJoin }

// tickMax bounds what is believed of a tick: centuries.
const tickMax = 1 << 40

// ActionsMax is how many actions an input may repeat.
const ActionsMax = 32

// HeaderMax is what an update holds beside objects, at most.
const HeaderMax = 32

// AppendJoin appends a join.
func AppendJoin(dst []byte, i membership.Identity, u world.User) []byte {
	dst = i.Append(append(dst, KindJoin))
	return wire.AppendUint(dst, uint64(u))
}

// ReadJoin reads what follows the kind of a join.
func ReadJoin(r *wire.Reader) (membership.Identity, world.User) {
	i := membership.ReadIdentity(r)
	return i, world.User(r.UintMax(1<<32 - 1))
}

// AppendSeek appends the question which server is to let a client in, in one of its lives; lost is the one that it had before, if that
// does not answer any more.
func AppendSeek(dst []byte, i membership.Identity, u world.User, lost mechanism.NodeID) []byte {
	dst = i.Append(append(dst, KindSeek))
	return wire.AppendUint(wire.AppendUint(dst, uint64(u)), uint64(lost))
}

// ReadSeek reads what follows the kind of a question.
func ReadSeek(r *wire.Reader) (i membership.Identity, u world.User, lost mechanism.NodeID) {
	i, u = ReadJoin(r)
	return i, u, readNode(r)
}

// AppendPlace appends the answer to a client, KindPlace or KindMove: the server that is to let in who has a tag.
func AppendPlace(dst []byte, kind byte, tag uint16, server mechanism.NodeID) []byte {
	return wire.AppendUint(append(dst, kind, byte(tag), byte(tag>>8)), uint64(server))
}

// ReadPlace reads what follows the kind of such an answer.
func ReadPlace(r *wire.Reader) (tag uint16, server mechanism.NodeID) {
	return membership.ReadTag(r), readNode(r)
}

func readNode(r *wire.Reader) mechanism.NodeID { return mechanism.NodeID(r.UintMax(1<<32 - 1)) }

// AppendClouds appends how clouds begin that describe a tick; they follow (package aggregate).
func AppendClouds(dst []byte, i membership.Identity, tick world.Tick) []byte {
	return wire.AppendUint(i.AppendTag(append(dst, KindClouds)), uint64(tick))
}

// ReadClouds reads what follows the kind of clouds.
func ReadClouds(r *wire.Reader) (tag uint16, tick world.Tick) {
	return membership.ReadTag(r), world.Tick(r.UintMax(tickMax))
}

// AppendLeave appends a leave: nothing but who leaves.
func AppendLeave(dst []byte, i membership.Identity) []byte { return i.Append(append(dst, KindLeave)) }

// AppendUnknown appends the answer to a message with a tag from somebody who is no member.
func AppendUnknown(dst []byte, tag uint16) []byte {
	return append(dst, KindUnknown, byte(tag), byte(tag>>8))
}

// AppendFull appends the answer to a join with a tag that there is no room.
func AppendFull(dst []byte, tag uint16) []byte { return append(dst, KindFull, byte(tag), byte(tag>>8)) }

// Packet is what a client says all the time.
type Packet struct {
	Tag     uint16
	Receipt update.Receipt
	Actions []world.Action // not yet answered, the oldest first
}

// AppendInput appends an input up to its actions, which are to follow.
func AppendInput(dst []byte, i membership.Identity, r update.Receipt, actions int) []byte {
	dst = i.AppendTag(append(dst, KindInput))
	dst = update.AppendReceipt(dst, r)
	return append(dst, byte(actions))
}

// ReadInput reads what follows the kind of an input. It uses the memory of in.
func ReadInput(r *wire.Reader, in *Packet) {
	in.Tag = membership.ReadTag(r)
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
	Level  int        // how far the server has slowed down
}

// The flags of an update. The level follows them in the same byte.
const (
	flagFirst = 1 << iota
	flagWhole
	flagsAll = flagFirst | flagWhole

	levelShift = 2
)

// appendPreface appends all but the flags, which are known only when the objects have been appended; it returns where they
// belong.
func appendPreface(dst []byte, i membership.Identity, s *update.Sender, tick world.Tick, seq uint32, done world.Tick) (out []byte, flags int) {
	dst = i.AppendTag(append(dst, KindUpdate))
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
	p.Tag = membership.ReadTag(r)
	flags := r.Byte()
	if p.Level = int(flags &^ flagsAll >> levelShift); p.Level > pace.LevelMax {
		r.Fail()
	}
	p.First, p.Whole = flags&flagFirst != 0, flags&flagWhole != 0
	p.Header = update.ReadHeader(r)
	p.Tick = world.Tick(r.UintMax(tickMax))
	p.Seq = uint32(r.UintMax(1<<32 - 1))
	p.Done = p.Tick - world.Tick(r.UintMax(uint64(p.Tick)))
	return p
}
