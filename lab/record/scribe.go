package record

import (
	"hash/maphash"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// scribe takes notes of a run: every datagram and its arrival, and what nodes report.
type scribe struct {
	run      *sim.Run
	writer   *Writer
	describe func(m mechanism.Message) string // nil where the mechanism does not say what is in its datagrams
	seed     maphash.Seed
	flying   map[flight][]uint64 // by their contents: the numbers of the datagrams on their way
}

// flight is what tells datagrams apart. Those with the same contents are as good as one another.
type flight struct {
	from, to mechanism.NodeID
	class    mechanism.Class
	sum      uint64
}

func newScribe(r *sim.Run, w *Writer) *scribe {
	s := &scribe{run: r, writer: w, seed: maphash.MakeSeed(), flying: map[flight][]uint64{}}
	if d, ok := r.Setup().Mechanism.(mechanism.Described); ok {
		s.describe = d.Describer(r.Hosts()[0].Session())
	}
	return s
}

// Sent implements sim.PacketObserver.
func (s *scribe) Sent(h *sim.Host, m mechanism.Message, size int) {
	text := ""
	if s.describe != nil { // also of what is not noted any more: to read what comes next some must have read what came before
		text = s.describe(m)
	}
	if s.writer.notes.full() {
		return
	}
	key := s.key(m)
	ref := s.writer.Note(Note{Time: s.run.Now(), Kind: Sent, Node: h.Place.ID, To: m.To, Class: m.Class, Size: size, Text: text})
	s.flying[key] = append(s.flying[key], ref)
}

// Received implements sim.PacketObserver.
func (s *scribe) Received(h *sim.Host, m mechanism.Message, _ int) {
	m.To = h.Place.ID
	key := s.key(m)
	queue := s.flying[key]
	if len(queue) == 0 {
		return // the network has doubled it, or it is not noted
	}
	s.writer.Note(Note{Time: s.run.Now(), Kind: Got, Ref: queue[0]})
	if s.flying[key] = queue[1:]; len(queue) == 1 {
		delete(s.flying, key)
	}
}

func (s *scribe) key(m mechanism.Message) flight {
	return flight{m.From, m.To, m.Class, maphash.Bytes(s.seed, m.Payload)}
}

// usual are events that happen all the time and say nothing by themselves.
var usual = map[string]bool{
	mechanism.Applied: true, mechanism.Shown: true, mechanism.Confirmed: true, mechanism.Executed: true, mechanism.Delivered: true, mechanism.Closure: true,
}

// Event implements sim.EventObserver.
func (s *scribe) Event(h *sim.Host, _ world.Time, e mechanism.Event) {
	if !usual[e.Name] {
		s.writer.Note(Note{Time: s.run.Now(), Kind: Reported, Node: h.Place.ID, User: e.User, Seq: e.Seq, Value: e.Value, Text: e.Name})
	}
}
