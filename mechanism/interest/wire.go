package interest

import (
	"throng/world"
	"throng/world/wire"
)

// The kinds of messages over links: the first byte of each.
const (
	kindFrame   = 1 // server to server: what is near the border, what crosses it
	kindForward = 2 // server to server: an action for something that is yours
	kindDone    = 3 // server to server: an action of yours has been dealt with
	kindStay    = 4 // server to server: a user has entered the world, or left it
	kindStream  = 5 // server to client: what has changed
)

// areaMax bounds the number of an area.
const areaMax = 1 << 12

func appendForward(dst []byte, o *order) []byte {
	dst = append(dst, kindForward, o.hops)
	dst = wire.AppendUint(dst, uint64(o.origin))
	return world.AppendAction(dst, &o.action)
}

// readForward reads what follows the kind of a forward.
func readForward(r *wire.Reader) order {
	return order{hops: r.Byte(), origin: int(r.UintMax(areaMax - 1)), action: world.ReadAction(r)}
}

func appendDone(dst []byte, u world.User, seq uint32) []byte {
	dst = wire.AppendUint(append(dst, kindDone), uint64(u))
	return wire.AppendUint(dst, uint64(seq))
}

func appendStay(dst []byte, u world.User, stay uint32) []byte {
	dst = wire.AppendUint(append(dst, kindStay), uint64(u))
	return wire.AppendUint(dst, uint64(stay))
}

// readPair reads what follows the kind of a done or a stay: a user and a number.
func readPair(r *wire.Reader) (world.User, uint32) {
	return world.User(r.UintMax(1<<32 - 1)), uint32(r.UintMax(1<<32 - 1))
}

// mover says of an object that is handed over what is not part of it: since when the giver has had it, and how many of its
// user's actions have been carried out, so that whoever sees it can tell of which it sees the effects.
type mover struct {
	id    world.ID
	since world.Tick
	user  world.User
	seq   uint32
}

func appendMover(dst []byte, m mover) []byte {
	dst = wire.AppendUint(dst, uint64(m.id))
	dst = wire.AppendUint(dst, uint64(m.since))
	dst = wire.AppendUint(dst, uint64(m.user))
	return wire.AppendUint(dst, uint64(m.seq))
}

func readMover(r *wire.Reader) mover {
	m := mover{id: world.ID(r.Uint()), since: world.Tick(r.UintMax(1<<62 - 1))}
	m.user, m.seq = readPair(r)
	return m
}

func readMovers(r *wire.Reader, dst []mover) []mover {
	for range r.Each() {
		dst = append(dst, readMover(r))
	}
	return dst
}
