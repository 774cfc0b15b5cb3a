package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/turn"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/wire"
)

// The kinds of messages: the first byte of each.
const (
	kindAsk    = iota + 1 // anybody to the registration server: where is everything?
	kindAreas             // its answer
	kindServes            // an area server to the registration server: I serve this area
	kindJoin              // client to area server: here I am
	kindWelcome
	kindLeave // client to area server: farewell

	kindCommand // client to area server: what its user does
	kindForward // area server to another: what a user does to something of yours
	kindDone    // area server to client: what became of what its user did
	kindAdvance // client to area server: done with a turn

	kindOrders // area server to those who simulate the area: what happens in a turn
	kindNews   // likewise, before the orders: objects that came, changed or went by the word of other servers
	kindBoth   // the last part of such news, and the orders
	kindZone   // area server to neighbour: what is near the border, and what crosses it
	kindPaused // area server to neighbours: do not wait for me

	kindUpdate  // to a client that is told of an area: what its user sees
	kindReceipt // its answer
	kindSource  // area server to client: who tells of the area, or that nobody does any more
	kindServe   // area server to a client that simulates the area: tell this client of it, or do not any more

	kindAlso     // client to area server: it simulates another area as well, or no longer does
	kindWish     // client to area server: to begin or cease to simulate the area
	kindAnswer   // its answer
	kindChunk    // area server to client: a part of the area
	kindProgress // its answer
	kindStay     // area server to others: a user has come or gone

	kindPrepare // coordinator to participant: hold these objects for me
	kindVote    // its answer
	kindDecide  // coordinator to participant: what is to become of them
	kindSettled // its answer

	kindHere   // client to area server: I am there; and its answer
	kindGone   // area server to somebody who is no member
	kindParted // area server to others: a client is gone

	kindMeeting // area server to another: let us talk (again)
)

// turnMax bounds what is believed of a turn or a tick: centuries.
const turnMax = 1 << 40

func appendTurn(dst []byte, n turn.Number) []byte { return wire.AppendUint(dst, uint64(n)) }

func readTurn(r *wire.Reader) turn.Number { return turn.Number(r.UintMax(turnMax)) }

func readUint32(r *wire.Reader) uint32 { return uint32(r.UintMax(1<<32 - 1)) }

func readFlag(r *wire.Reader) bool { return r.UintMax(1) == 1 }

func appendFlag(dst []byte, b bool) []byte {
	if b {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendJoin(dst []byte, who membership.Identity, u world.User) []byte {
	return wire.AppendUint(who.Append(append(dst, kindJoin)), uint64(u))
}

func readJoin(r *wire.Reader) (who membership.Identity, u world.User) {
	return membership.ReadIdentity(r), world.User(readUint32(r))
}

// appendStanding appends what a client is to a server, welcome or gone, and the server's epoch.
func appendStanding(dst []byte, kind byte, who membership.Identity, epoch uint32) []byte {
	return wire.AppendUint(who.Append(append(dst, kind)), uint64(epoch))
}

func readStanding(r *wire.Reader) (who membership.Identity, epoch uint32) {
	return membership.ReadIdentity(r), readUint32(r)
}

// command is what a user does, as a client tells it. Count numbers what the client has told the server so far, so that the
// server knows when it has all of a turn.
type command struct {
	count  uint32
	turn   turn.Number
	action world.Action
}

func appendCommand(dst []byte, c *command) []byte {
	dst = wire.AppendUint(append(dst, kindCommand), uint64(c.count))
	dst = appendTurn(dst, c.turn)
	return world.AppendAction(dst, &c.action)
}

func readCommand(r *wire.Reader) command {
	return command{count: readUint32(r), turn: readTurn(r), action: world.ReadAction(r)}
}

func appendForward(dst []byte, hops int, a *world.Action) []byte {
	dst = wire.AppendUint(append(dst, kindForward), uint64(hops))
	return world.AppendAction(dst, a)
}

// advance says that a client is done with a turn.
type advance struct {
	turn    turn.Number
	count   uint32     // of the commands that it has sent
	reached world.Tick // how far it has come with simulating

	// Now and then, what the area was like at the beginning of a turn:
	checked turn.Number // that turn, or zero
	hash    uint64
}

func appendAdvance(dst []byte, a *advance) []byte {
	dst = appendTurn(append(dst, kindAdvance), a.turn)
	dst = wire.AppendUint(dst, uint64(a.count))
	dst = wire.AppendUint(dst, uint64(a.reached))
	if a.checked > 0 {
		dst = wire.AppendUint64(appendTurn(dst, a.checked), a.hash)
	}
	return dst
}

func readAdvance(r *wire.Reader) advance {
	a := advance{turn: readTurn(r), count: readUint32(r), reached: world.Tick(r.UintMax(turnMax))}
	if r.Len() > 0 {
		a.checked, a.hash = readTurn(r), r.Uint64()
	}
	return a
}

// appendUpdate appends how a datagram of states begins, up to the items.
func appendUpdate(dst []byte, area int, number uint32, s *update.Sender) []byte {
	dst = wire.AppendUint(append(dst, kindUpdate), uint64(area))
	dst = wire.AppendUint(dst, uint64(number))
	return s.AppendHeader(dst)
}

func appendReceipt(dst []byte, area int, number uint32, receipt update.Receipt) []byte {
	dst = wire.AppendUint(append(dst, kindReceipt), uint64(area))
	dst = wire.AppendUint(dst, uint64(number))
	return update.AppendReceipt(dst, receipt)
}

func readReceipt(r *wire.Reader) (area int, number uint32, receipt update.Receipt) {
	return int(r.UintMax(1 << 20)), readUint32(r), update.ReadReceipt(r)
}

// telling names who is told of an area by whom: a reader's number, and the node that sends to it or is sent to.
type telling struct {
	number uint32
	node   mechanism.NodeID // zero for nobody any more
}

func appendTelling(dst []byte, kind byte, t telling) []byte {
	dst = wire.AppendUint(append(dst, kind), uint64(t.number))
	return wire.AppendUint(dst, uint64(t.node))
}

func readTelling(r *wire.Reader) telling {
	return telling{readUint32(r), mechanism.NodeID(readUint32(r))}
}

// appendAlso says from which turn on a client can tell how another area is; plus one, or zero for no longer.
func appendAlso(dst []byte, other int, from turn.Number) []byte {
	dst = wire.AppendUint(append(dst, kindAlso), uint64(other))
	return appendTurn(dst, from)
}

// zone is how a message between neighbours begins; the rest is the border's own.
type zone struct {
	turn turn.Number
	last bool        // there is nothing more for the turn
	echo turn.Number // plus one: the last turn that this side has had from the other
	held world.Time  // since when
}

func appendZone(dst []byte, z *zone) []byte {
	dst = appendTurn(append(dst, kindZone), z.turn)
	dst = appendFlag(dst, z.last)
	dst = appendTurn(dst, z.echo)
	return wire.AppendUint(dst, uint64(z.held))
}

func readZone(r *wire.Reader) zone {
	return zone{turn: readTurn(r), last: readFlag(r), echo: readTurn(r), held: world.Time(r.UintMax(1 << 60))}
}

// chunk is a part of what a client needs to simulate an area. Rounds count from zero, which is a snapshot; later ones are
// differences.
type chunk struct {
	number uint32 // of the promotion
	round  int
	final  bool // it is the last round: the area stands still until all of it has arrived
	size   int  // of the whole round
	index  int
	data   []byte
}

const (
	// snapshotMax is how much a round may have. It bounds what a client holds for a server.
	snapshotMax = 64 << 20
	roundMax    = 1 << 10
)

func appendChunk(dst []byte, c *chunk) []byte {
	dst = wire.AppendUint(append(dst, kindChunk), uint64(c.number))
	dst = wire.AppendUint(dst, uint64(c.round))
	dst = appendFlag(dst, c.final)
	dst = wire.AppendUint(dst, uint64(c.size))
	dst = wire.AppendUint(dst, uint64(c.index))
	return append(dst, c.data...)
}

func readChunk(r *wire.Reader) chunk {
	c := chunk{number: readUint32(r), round: int(r.UintMax(roundMax)), final: readFlag(r)}
	c.size = int(r.UintMax(snapshotMax))
	c.index = int(r.UintMax(snapshotMax))
	c.data = r.Rest()
	return c
}

// chunkRoom is what a chunk's datagram holds beside its data.
const chunkRoom = 32

// progress says how many chunks of a round have arrived.
type progress struct {
	number uint32
	round  int
	chunks int
}

func appendProgress(dst []byte, p *progress) []byte {
	dst = wire.AppendUint(append(dst, kindProgress), uint64(p.number))
	dst = wire.AppendUint(dst, uint64(p.round))
	return wire.AppendUint(dst, uint64(p.chunks))
}

func readProgress(r *wire.Reader) progress {
	return progress{readUint32(r), int(r.UintMax(roundMax)), int(r.UintMax(snapshotMax))}
}

// The answers to a wish, and what a server says unasked.
const (
	answerGranted = iota // what was wished for happens
	answerLater          // too many have wished for it
	answerForced         // the client ceases to simulate the area since it does not keep up
	answerWrong          // likewise, since it has the area otherwise than the server: it may begin anew
	answers
)
