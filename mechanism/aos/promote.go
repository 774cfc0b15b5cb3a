package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// desk is where clients come to begin or cease to simulate the area.
type desk struct {
	config     *Config
	promotions []*promotion // under way, the oldest first
	up, down   quota
	number     uint32
	stopped    world.Time   // since when the area stands still for them, or never
	told       []world.User // who are told of the area, in their order
	turn       int          // of those who tell
	rotates    world.Time   // when somebody else is to tell one of the clients
	next       int          // which of them
}

// promotion is a client on its way from being told of the area to simulating it. It is sent a snapshot, then what has changed
// meanwhile, and so on until that is little; then the area stands still, the client is sent the rest, and all go on together.
type promotion struct {
	member *member
	number uint32
	base   *world.State // as the client will have it when it has all of this round
	round  int
	text   []byte // of this round
	ready  bool   // the client has all so far, and waits for the area to stand still
	final  bool   // the area stands still for it

	sent, got int // chunks of this round
	window    int // how many may be under way
	trips     trips
}

// trips watches how long chunks take, so that no more are under way than the client's link takes without queuing much.
type trips struct {
	marks []mark
	least world.Time
}

// mark is when a chunk was sent.
type mark struct {
	chunk int
	at    world.Time
}

const (
	windowFirst  = 32                     // chunks that may be under way at first
	windowMax    = 900                    // and at most: what the link takes
	progressStep = 8                      // how many chunks a client says at a time that it has
	queueMax     = 30 * world.Millisecond // how much longer than at best chunks may take before no more are sent at a time
)

func (d *desk) begin(c *Config) {
	d.config = c
	d.up.most, d.down.most = c.Promotions, c.Demotions
	d.stopped = world.Never
}

// takeWish takes that a client wants to begin to simulate the area, or to cease to.
func (n *server) takeWish(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	what := r.Byte()
	if r.Done() != nil || what >= wishes {
		return false
	}
	d := &n.desk
	begin := what == wishBegin
	switch {
	case begin == (x.simulates || x.moving != nil):
	case begin && n.stalling.trusts(now, n.nodeOf(x)) && d.up.take(now, n.config.Window):
		n.promote(x, now, out)
	case !begin && x.moving != nil:
		n.abandon(x)
		n.send(now, x.Node, mechanism.Control, append(n.buf[:0], kindAnswer, answerGranted), out)
	case what == wishResign || !begin && d.down.take(now, n.config.Window):
		n.demote(now, x, answerGranted, out)
	default:
		n.send(now, x.Node, mechanism.Control, append(n.buf[:0], kindAnswer, answerLater), out)
	}
	return true
}

// promote begins a promotion.
func (n *server) promote(x *member, now world.Time, out *mechanism.Outbox) {
	n.desk.number++
	p := &promotion{member: x, number: n.desk.number, base: n.replica.state().Clone(), window: windowFirst}
	p.trips.least = world.Never
	x.moving = p
	n.desk.promotions = append(n.desk.promotions, p)
	if !n.config.Live {
		p.base.Release()
		p.ready = true
		return
	}
	p.text = p.base.Append(nil)
	n.sendChunks(now, p, out)
}

// abandon ends a promotion without success.
func (n *server) abandon(x *member) {
	if p := x.moving; p != nil {
		x.moving = nil
		p.base.Release()
		n.desk.promotions = slices.DeleteFunc(n.desk.promotions, func(q *promotion) bool { return q == p })
	}
}

// chunkBytes is how much of a round goes into a datagram.
func (n *server) chunkBytes() int { return n.config.Datagram - chunkRoom }

func (n *server) chunks(p *promotion) int {
	return max(1, (len(p.text)+n.chunkBytes()-1)/n.chunkBytes())
}

// sendChunks sends as much of a round as may be under way.
func (n *server) sendChunks(now world.Time, p *promotion, out *mechanism.Outbox) {
	size := n.chunkBytes()
	for p.sent < n.chunks(p) && p.sent-p.got < p.window {
		c := chunk{number: p.number, round: p.round, final: p.final, size: len(p.text), index: p.sent}
		c.data = p.text[min(p.sent*size, len(p.text)):min((p.sent+1)*size, len(p.text))]
		n.buf = appendChunk(n.buf[:0], &c)
		n.links.Send(now, p.member.Node, mechanism.Snapshot, n.buf, link.Reliable, out)
		p.sent++
		if p.sent%progressStep == 0 {
			p.trips.marks = append(p.trips.marks, mark{p.sent, now})
		}
	}
}

// takeProgress takes that a client has some of what it was sent.
func (n *server) takeProgress(now world.Time, x *member, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	g := readProgress(r)
	p := x.moving
	if r.Done() != nil {
		return false
	}
	if p == nil || g.number != p.number || g.round != p.round || p.ready && !p.final || g.chunks <= p.got {
		return true
	}
	if g.chunks > p.sent {
		return false
	}
	p.open(now, g.chunks)
	p.got = g.chunks
	if p.got < n.chunks(p) {
		n.sendChunks(now, p, out)
		return true
	}
	if !p.final {
		n.nextRound(now, p, out)
	}
	return true
}

// open adapts the window to how long chunks took: it grows by half in each round trip until they begin to queue.
func (p *promotion) open(now world.Time, got int) {
	took := world.Time(-1)
	for len(p.trips.marks) > 0 && p.trips.marks[0].chunk <= got {
		took = now - p.trips.marks[0].at
		p.trips.marks = p.trips.marks[1:]
	}
	if took < 0 {
		return
	}
	p.trips.least = min(p.trips.least, took)
	if took <= p.trips.least+queueMax {
		p.window = min(p.window+(got-p.got+1)/2, windowMax)
	}
}

// nextRound sends what has changed since the last round began, or waits for the area to stand still if that is little.
func (n *server) nextRound(now world.Time, p *promotion, out *mechanism.Outbox) {
	text := world.AppendDiff(nil, p.base, n.replica.state())
	if len(text) <= n.config.Difference || p.round >= n.config.Rounds {
		p.ready = true
		return
	}
	n.sendRound(now, p, text, out)
}

func (n *server) sendRound(now world.Time, p *promotion, text []byte, out *mechanism.Outbox) {
	p.base.CopyFrom(n.replica.state())
	p.round++
	p.text = text
	p.sent, p.got = 0, 0
	p.trips.marks = p.trips.marks[:0]
	n.sendChunks(now, p, out)
}

// promoteAll sees to promotions before a turn begins, and reports whether it may. All who are ready are brought in at once,
// so that the area stands still once for all of them.
func (n *server) promoteAll(now world.Time, number turn.Number, out *mechanism.Outbox) (free bool) {
	d := &n.desk
	if d.stopped == world.Never {
		if !n.stop(now, out) {
			return true
		}
	}
	late := now-d.stopped >= n.config.Patience
	for _, p := range slices.Clone(d.promotions) {
		switch {
		case !p.final:
		case p.got == n.chunks(p):
			n.abandon(p.member)
			if p.member.told.node != 0 {
				n.tell(now, p.member, 0, out)
			}
			n.enlist(p.member, number)
		case late:
			n.stalling.dismiss(now, n.nodeOf(p.member))
			n.abandon(p.member)
			n.send(now, p.member.Node, mechanism.Control, append(n.buf[:0], kindAnswer, answerForced), out) // it may just have got all
		}
	}
	if slices.ContainsFunc(d.promotions, func(p *promotion) bool { return p.final }) {
		return false
	}
	out.Report(mechanism.Event{Name: mechanism.Paused, Value: int64(now - d.stopped)})
	d.stopped = world.Never
	return true
}

// stop has the area stand still if a promotion is ready for that, and sends what is missing.
func (n *server) stop(now world.Time, out *mechanism.Outbox) (stopped bool) {
	d := &n.desk
	for _, p := range d.promotions {
		if !p.ready {
			continue
		}
		stopped = true
		p.final = true
		if p.round == 0 && len(p.text) == 0 { // nothing was sent before
			p.text = n.replica.state().Append(nil)
			n.sendChunks(now, p, out)
			continue
		}
		n.sendRound(now, p, world.AppendDiff(nil, p.base, n.replica.state()), out)
	}
	if !stopped {
		return false
	}
	d.stopped = now
	for _, i := range n.borders.near {
		n.tellServer(now, i, mechanism.Control, append(n.buf[:0], kindPaused), out)
	}
	return true
}
