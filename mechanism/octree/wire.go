package octree

import (
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/wire"
)

// The kinds of messages over links: the first byte of each.
const (
	kindMeeting = 1  // any two: let us begin anew
	kindWrite   = 2  // server to storage: what has become of what I answer for
	kindAck     = 3  // storage to server: I have what you wrote
	kindNews    = 4  // storage to server: what has become of what you watch
	kindNotes   = 5  // storage to server: who answers for what you watch, and what its user has done
	kindWatch   = 6  // server to storage: what I watch
	kindClaim   = 7  // server to storage: a user's client has come to me
	kindClaimed = 8  // storage to server: whether there is anything of that user
	kindCede    = 9  // storage to server: a user's client has gone to another server
	kindGrant   = 10 // storage to server: an object is yours to answer for
	kindSilent  = 11 // storage to storage: the servers that I am out of touch with
	kindForward = 12 // server to server: an action for something that is yours
	kindDone    = 13 // server to server: an action of yours has been dealt with
	kindRefill  = 14 // storage to storage: I have begun with empty hands
	kindRecords = 15 // storage to storage: what you are to hold

	kindReport   = 16 // server to balancer: where my clients look
	kindAppraise = 17 // server to balancer: would these be better off elsewhere?
	kindMove     = 18 // balancer to server: this one would
	kindPrefetch = 19 // server to server: a client is about to come to you
	kindReady    = 20 // server to server: I know what it sees
	kindLeaving  = 21 // server to server: I am about to go
	kindLocate   = 22 // balancer to storage: where is a user?
	kindLocated  = 23 // storage to balancer: there
	kindLeased   = 24 // balancer to balancer: a client has been sent to a server
	kindAlive    = 25 // balancer to server: nothing, but answer

	kindRequest = 26 // server to server: change something that is yours
)

const (
	serversMax = 1000
	epochMax   = 1<<32 - 1
)

// deed is what a write says of one object beside its state.
type deed struct {
	id    world.ID
	epoch uint32
	to    int // the server it is handed to
}

// act is an action that has been carried out, and what it was done to.
type act struct {
	user   world.User
	seq    uint32
	target world.ID
}

// write is what a server tells a storage node at a time. The states of objects follow it.
type write struct {
	number uint64 // grows from write to write
	more   bool   // this one goes on in the next message
	held   []deed // what the server answers for, as far as that is new
	acts   []act
	gone   []deed // what is no longer in the world
	handed []deed // what another server is to answer for
}

func (w *write) reset() {
	*w = write{held: w.held[:0], acts: w.acts[:0], gone: w.gone[:0], handed: w.handed[:0]}
}

func (w *write) empty() bool {
	return len(w.held)+len(w.acts)+len(w.gone)+len(w.handed) == 0
}

func appendDeed(dst []byte, d deed) []byte {
	dst = wire.AppendUint(dst, uint64(d.id))
	dst = wire.AppendUint(dst, uint64(d.epoch))
	return wire.AppendUint(dst, uint64(d.to))
}

func readDeed(r *wire.Reader) deed {
	return deed{world.ID(r.Uint()), uint32(r.UintMax(epochMax)), int(r.UintMax(serversMax))}
}

func readDeeds(r *wire.Reader, dst []deed) []deed {
	for range r.Each() {
		dst = append(dst, readDeed(r))
	}
	return dst
}

func appendAct(dst []byte, a act) []byte {
	dst = wire.AppendUint(dst, uint64(a.user))
	dst = wire.AppendUint(dst, uint64(a.seq))
	return wire.AppendUint(dst, uint64(a.target))
}

func readAct(r *wire.Reader) act {
	u, seq := readPair(r)
	return act{u, seq, world.ID(r.Uint())}
}

func readActs(r *wire.Reader, dst []act) []act {
	for range r.Each() {
		dst = append(dst, readAct(r))
	}
	return dst
}

// readPair reads a user and a number.
func readPair(r *wire.Reader) (world.User, uint32) {
	return world.User(r.UintMax(1<<32 - 1)), uint32(r.UintMax(1<<32 - 1))
}

// append appends a write up to the states.
func (w *write) append(dst []byte) []byte {
	name := w.number << 1
	if w.more {
		name |= 1
	}
	dst = wire.AppendUint(append(dst, kindWrite), name)
	dst = wire.AppendList(dst, w.held, appendDeed)
	dst = wire.AppendList(dst, w.acts, appendAct)
	dst = wire.AppendList(dst, w.gone, appendDeed)
	return wire.AppendList(dst, w.handed, appendDeed)
}

// read reads what follows the kind of a write, up to the states. It uses the memory of w.
func (w *write) read(r *wire.Reader) {
	w.reset()
	name := r.Uint()
	w.number, w.more = name>>1, name&1 != 0
	w.held = readDeeds(r, w.held)
	w.acts = readActs(r, w.acts)
	w.gone = readDeeds(r, w.gone)
	w.handed = readDeeds(r, w.handed)
}

// appendAck appends what has been taken up to a write, and what of it was refused: in the epoch of somebody else.
func appendAck(dst []byte, number uint64, refused []deed) []byte {
	return wire.AppendList(wire.AppendUint(append(dst, kindAck), number), refused, appendDeed)
}

func readAck(r *wire.Reader, dst []deed) (number uint64, refused []deed) {
	number = r.Uint()
	return number, readDeeds(r, dst)
}

// note is what a server is told of an object beside its state.
type note struct {
	id     world.ID
	holder int
	action uint32 // the last of its user's actions that was carried out
}

func appendNote(dst []byte, n note) []byte {
	dst = wire.AppendUint(dst, uint64(n.id))
	dst = wire.AppendUint(dst, uint64(n.holder))
	return wire.AppendUint(dst, uint64(n.action))
}

func readNote(r *wire.Reader) note {
	return note{world.ID(r.Uint()), int(r.UintMax(serversMax)), uint32(r.UintMax(1<<32 - 1))}
}

func appendCode(dst []byte, c octree.Code) []byte {
	shift := octree.AxisBits - c.Depth
	dst = append(dst, c.Depth)
	dst = wire.AppendUint(dst, c.Low.X>>shift)
	dst = wire.AppendUint(dst, c.Low.Y>>shift)
	return wire.AppendUint(dst, c.Low.Z>>shift)
}

func readCode(r *wire.Reader) octree.Code {
	depth := r.Byte()
	if depth > octree.AxisBits {
		r.Fail()
		return octree.Code{}
	}
	shift := octree.AxisBits - depth
	axis := func() uint64 { return r.UintMax(1<<depth-1) << shift }
	return octree.Code{Low: octree.Point{X: axis(), Y: axis(), Z: axis()}, Depth: depth}
}

func readCodes(r *wire.Reader, dst []octree.Code) []octree.Code {
	for range r.Each() {
		dst = append(dst, readCode(r))
	}
	return dst
}

// claim says that a user's client has come to a server, in one of the client's lives.
type claim struct {
	user world.User
	who  membership.Identity
}

func (c claim) append(dst []byte) []byte { return c.who.Append(wire.AppendUint(dst, uint64(c.user))) }

func readClaim(r *wire.Reader) claim {
	return claim{world.User(r.UintMax(1<<32 - 1)), membership.ReadIdentity(r)}
}

// grant gives an object to a server to answer for.
type grant struct {
	id      world.ID
	epoch   uint32
	stated  uint32 // the epoch that the state comes from
	version uint64 // and the number of the write
	action  uint32
	object  world.Object
	acts    []act // what was done to it lately, which must not be done again
}

func (g *grant) append(dst []byte, s *world.Schema) []byte {
	dst = wire.AppendUint(dst, uint64(g.id))
	dst = wire.AppendUint(dst, uint64(g.epoch))
	dst = wire.AppendUint(dst, uint64(g.stated))
	dst = wire.AppendUint(dst, g.version)
	dst = wire.AppendUint(dst, uint64(g.action))
	dst = wire.AppendList(dst, g.acts, appendAct)
	return s.AppendObject(dst, &g.object, nil, world.Exact)
}

func readGrant(r *wire.Reader, s *world.Schema) grant {
	g := grant{
		id: world.ID(r.Uint()), epoch: uint32(r.UintMax(epochMax)), stated: uint32(r.UintMax(epochMax)), version: r.Uint(),
		action: uint32(r.UintMax(1<<32 - 1)),
	}
	g.acts = readActs(r, nil)
	g.object = s.ReadObject(r, nil, world.Exact)
	if g.object.ID = g.id; g.id == 0 {
		r.Fail()
	}
	return g
}

// later reports whether a state comes from a later write than another: by the epoch of its holder, and in that by its number.
func (g *grant) later(stated uint32, version uint64) bool {
	return g.stated > stated || g.stated == stated && g.version > version
}

// order is an action that waits to be carried out.
type order struct {
	action world.Action
	origin int   // the server that answers for it
	hops   uint8 // how often it was passed on
}

func (o *order) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, kindForward, o.hops), uint64(o.origin))
	return world.AppendAction(dst, &o.action)
}

func readOrder(r *wire.Reader) order {
	return order{hops: r.Byte(), origin: int(r.UintMax(serversMax)), action: world.ReadAction(r)}
}
