package lockstep

import (
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// The kinds of messages: the first byte of each.
const (
	kindAdvance byte = 1 + iota // client to server: I am done with a turn, in which my user did this
	kindAsk                     // client to server: I need a snapshot (package latejoin), of a certain tick if not zero
	kindJoin                    // client to server: I have a snapshot and need the turns from one on
	kindPing                    // client to server: what time is it?
	kindLeave                   // client to server: farewell

	kindTurns   // server to client: what is to be carried out
	kindWelcome // server to client: the turns that you need follow
	kindAgain   // server to client: I do not have them any more
	kindDelay   // server to client: your actions wait for this long from now on
	kindDiffers // server to client: your replica is not like mine
	kindPong    // server to client: that is the time
	kindChunk   // server to client: a part of a snapshot
	kindGone    // server to client: you have left

	// A server that has lost its memory asks for parts of a snapshot (kindAsk), and is sent them (kindChunk).
	kindBereft // server to client: I know no world
	kindClaim  // client to server: mine has come this far
)

const (
	numberMax = 1 << 40 // of turns and ticks: centuries
	slipMax   = 1 << 28 // in ticks
	timeMax   = 1 << 62
	uint32Max = 1<<32 - 1
)

func readTurn(r *wire.Reader) turn.Number { return turn.Number(r.UintMax(numberMax)) }

// advance is a turn-advance. The hash is there only if replicas are compared at the beginning of the next turn.
type advance struct {
	turn    turn.Number
	hash    uint64
	actions []byte // an encoded batch
}

func (c *Config) appendAdvance(dst []byte, n turn.Number, hash uint64, actions *turn.Batch) []byte {
	dst = wire.AppendUint(append(dst, kindAdvance), uint64(n))
	if c.due(n + 1) {
		dst = wire.AppendUint64(dst, hash)
	}
	return actions.Append(dst)
}

// readAdvance reads what follows the kind. The actions are as they came; see turn.Check.
func (c *Config) readAdvance(r *wire.Reader) (a advance) {
	a.turn = readTurn(r)
	if c.due(a.turn + 1) {
		a.hash = r.Uint64()
	}
	a.actions = r.Rest()
	return a
}

// turnsHeader is what stands before the batches of a message of turns, each with its length before it.
type turnsHeader struct {
	first  turn.Number
	agreed turn.Number // all replicas were equal at the beginning of this turn
	slip   world.Tick  // for good
}

func (h *turnsHeader) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, kindTurns), uint64(h.first))
	dst = wire.AppendUint(dst, uint64(h.first-h.agreed))
	return wire.AppendUint(dst, uint64(h.slip))
}

// readTurns reads what follows the kind, up to the batches.
func readTurns(r *wire.Reader) (h turnsHeader) {
	h.first = readTurn(r)
	h.agreed = h.first - turn.Number(r.UintMax(uint64(h.first)))
	h.slip = world.Tick(r.UintMax(slipMax))
	return h
}

// join says who joins, the first turn that it does not know, and the epoch of the server that it has its world of.
type join struct {
	membership.Identity
	first turn.Number
	under uint32
}

func (j *join) append(dst []byte) []byte {
	dst = wire.AppendUint(j.Identity.Append(append(dst, kindJoin)), uint64(j.first))
	return wire.AppendUint(dst, uint64(j.under))
}

func readJoin(r *wire.Reader) join {
	return join{membership.ReadIdentity(r), readTurn(r), uint32(r.UintMax(uint32Max))}
}

// A claim is a world that a client knows: its tick, and its hash.
func appendClaim(dst []byte, c latejoin.Claim) []byte {
	return wire.AppendUint64(wire.AppendUint(append(dst, kindClaim), c.At), c.Hash)
}

func readClaim(r *wire.Reader) latejoin.Claim {
	return latejoin.Claim{At: r.UintMax(numberMax), Hash: r.Uint64()}
}

// welcome answers a join.
type welcome struct {
	life     uint32
	accepted uint32      // the last action of the client that will be, or was, carried out
	until    turn.Number // the client is in step when it has come to this turn
	delay    turn.Number
}

func (w *welcome) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, kindWelcome), uint64(w.life))
	dst = wire.AppendUint(dst, uint64(w.accepted))
	dst = wire.AppendUint(dst, uint64(w.until))
	return wire.AppendUint(dst, uint64(w.delay))
}

func readWelcome(r *wire.Reader) welcome {
	return welcome{uint32(r.UintMax(uint32Max)), uint32(r.UintMax(uint32Max)), readTurn(r), readDelay(r)}
}

func readDelay(r *wire.Reader) turn.Number {
	d := turn.Number(r.UintMax(delayMax))
	if d == 0 {
		r.Fail()
	}
	return d
}

// differs says how the server's replica was at the latest ticks, the last of which is when it was found to differ.
type differs struct {
	tick   world.Tick
	hashes []uint64
}

func (d *differs) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, kindDiffers), uint64(d.tick))
	for _, h := range d.hashes {
		dst = wire.AppendUint64(dst, h)
	}
	return dst
}

func readDiffers(r *wire.Reader) (d differs) {
	d.tick = world.Tick(r.UintMax(numberMax))
	for r.Len() > 0 && len(d.hashes) < trailMax {
		d.hashes = append(d.hashes, r.Uint64())
	}
	if world.Tick(len(d.hashes)) > d.tick {
		r.Fail()
	}
	return d
}

// ping asks for the server's time. It says how long messages take, zero if that is not known yet.
type ping struct{ stamp, oneWay world.Time }

func (p *ping) append(dst []byte) []byte {
	dst = wire.AppendInt(append(dst, kindPing), int64(p.stamp))
	return wire.AppendUint(dst, uint64(p.oneWay))
}

func readPing(r *wire.Reader) ping {
	return ping{world.Time(r.Int()), world.Time(r.UintMax(timeMax))}
}

// pong answers a ping.
type pong struct {
	stamp  world.Time // the ping's
	now    world.Time // what the server's clock shows
	member bool       // whether the client takes part
}

func (p *pong) append(dst []byte) []byte {
	dst = wire.AppendInt(append(dst, kindPong), int64(p.stamp))
	dst = wire.AppendInt(dst, int64(p.now))
	if p.member {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func readPong(r *wire.Reader) pong {
	p := pong{stamp: world.Time(r.Int()), now: world.Time(r.Int())}
	member := r.Byte()
	if member > 1 || p.now < -timeMax || p.now > timeMax {
		r.Fail()
	}
	p.member = member == 1
	return p
}
