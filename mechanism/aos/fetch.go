package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// fetching is a client's side of a promotion: it gathers the rounds.
type fetching struct {
	under  bool
	number uint32
	round  int
	text   []byte
	have   []bool // which chunks have come
	chunks int    // how many
	state  *world.State
}

// takeChunk takes a part of what is needed to simulate the area.
func (x *region) takeChunk(now world.Time, r *wire.Reader, out *mechanism.Outbox) (sound bool) {
	c := readChunk(r)
	size := x.client.config.Datagram - chunkRoom
	if total := max(1, (c.size+size-1)/size); r.Failed() || c.index >= total || len(c.data) != min(size, c.size-c.index*size) {
		return false
	}
	f := &x.fetch
	if !f.under || c.number < f.number || c.number == f.number && c.round < f.round {
		return true
	}
	if c.number > f.number || c.round > f.round || f.have == nil {
		if c.number > f.number && c.round != 0 || c.number == f.number && f.have != nil && c.round != f.round+1 {
			return false
		}
		*f = fetching{under: true, number: c.number, round: c.round, state: f.state}
		f.text = make([]byte, c.size)
		f.have = make([]bool, max(1, (c.size+size-1)/size))
	}
	if len(f.text) != c.size || f.have[c.index] {
		return len(f.text) == c.size
	}
	f.have[c.index] = true
	f.chunks++
	copy(f.text[c.index*size:], c.data)
	if f.chunks%progressStep != 0 && f.chunks < len(f.have) {
		return true
	}
	if f.chunks == len(f.have) && !f.take(x.client.session.World.Schema()) {
		return false
	}
	n := x.client
	n.buf = appendProgress(n.buf[:0], &progress{f.number, f.round, f.chunks})
	n.links.Send(now, x.server, mechanism.Control, n.buf, link.Reliable, out)
	if f.chunks == len(f.have) && c.final {
		x.begin(now, out)
	}
	return true
}

// take takes over a round that is complete.
func (f *fetching) take(schema *world.Schema) bool {
	r := wire.NewReader(f.text)
	if f.round > 0 {
		return f.state != nil && f.state.ApplyDiff(&r) == nil && r.Done() == nil
	}
	s, err := world.Decode(schema, &r)
	f.state = s
	return err == nil && r.Done() == nil
}

// begin goes over from being told of the area to simulating it.
func (x *region) begin(now world.Time, out *mechanism.Outbox) {
	n := x.client
	s := x.fetch.state
	x.fetch = fetching{}
	var next turn.Number = n.pace.Of(s.Tick())
	x.simulate(restoreReplica(n.config, n.session, n.plan, x.area, s), next)
	out.Report(mechanism.Event{Name: mechanism.Promoted, Value: int64(now - x.wished)})
}
