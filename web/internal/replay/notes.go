package replay

import (
	"bytes"
	"sort"

	"throng/lab/record"
	"throng/mechanism"
	"throng/web/internal/display"
	"throng/world"
)

// datagram is one that was noted.
type datagram struct {
	record.Note
	got world.Time // when it arrived; never for one that did not
}

// notes are what a recording tells of datagrams and nodes, by time.
type notes struct {
	sent   []datagram
	events []record.Note
	last   world.Time // of what was noted: nothing is known of what came after
}

// lostAfter is how long a datagram may be under way at the end of what is noted, before it counts as lost.
const lostAfter = 2 * world.Second

// readNotes reads through the recording, the first time that somebody asks.
func (p *Player) readNotes() *notes {
	if p.notes != nil {
		return p.notes
	}
	p.notes = &notes{}
	r, err := record.Open(bytes.NewReader(p.bytes), int64(len(p.bytes)))
	if err != nil {
		return p.notes
	}
	defer r.Close()
	for n, err := range r.AllNotes() {
		if err != nil {
			break // what comes before the damage is there
		}
		p.notes.add(n)
	}
	return p.notes
}

func (x *notes) add(n record.Note) {
	x.last = max(x.last, n.Time)
	switch {
	case n.Kind == record.Sent:
		x.sent = append(x.sent, datagram{n, world.Never})
	case n.Kind != record.Got:
		x.events = append(x.events, n)
	case n.Ref < uint64(len(x.sent)) && x.sent[n.Ref].got == world.Never:
		x.sent[n.Ref].got = n.Time
	}
}

// lost reports whether a datagram never arrived.
func (x *notes) lost(d *datagram) bool { return d.got == world.Never && d.Time < x.last-lostAfter }

// The counts of a span, as Density gives them.
const (
	countSent = iota
	countLost
	countLate
	countRollbacks
	countEvents
	counts
)

// Density counts what was noted in each of so many equal parts of the recording: datagrams sent, lost and too late, roll-backs, and
// other events; one part after the other.
func (p *Player) Density(parts int) []float64 {
	x, list := p.readNotes(), make([]float64, max(0, parts)*counts)
	end := max(1, world.Time(p.reader.Frames()-1)*p.Span())
	count := func(at world.Time, what int) {
		if at >= 0 && at <= end {
			list[min(int(at*world.Time(parts)/end), parts-1)*counts+what]++
		}
	}
	if parts <= 0 || end > world.Never/world.Time(parts) {
		return list
	}
	for i := range x.sent {
		count(x.sent[i].Time, countSent)
		if x.lost(&x.sent[i]) {
			count(x.sent[i].Time, countLost)
		}
	}
	for i := range x.events {
		what := countEvents
		switch x.events[i].Text {
		case mechanism.Late:
			what = countLate
		case mechanism.Rollback:
			what = countRollbacks
		}
		count(x.events[i].Time, what)
	}
	return list
}

// Noted writes, as JSON, the datagrams that were under way and the events that were reported in a span of time, so many of each at most.
func (p *Player) Noted(from, to world.Time, most int) []byte {
	x, j := p.readNotes(), display.NewText()
	ms := func(t world.Time) float64 { return float64(t) / float64(world.Millisecond) }
	j.Open("")
	j.Int("sent", int64(len(x.sent)))
	j.Number("until", ms(x.last))
	j.List("datagrams")
	first := sort.Search(len(x.sent), func(i int) bool { return x.sent[i].Time >= from-lostAfter })
	n := 0
	for i := first; i < len(x.sent) && x.sent[i].Time <= to && n < most; i++ {
		d := &x.sent[i]
		if d.Time < from && (d.got == world.Never || d.got < from) {
			continue
		}
		n++
		j.Open("")
		j.Number("at", ms(d.Time))
		if d.got != world.Never {
			j.Number("got", ms(d.got))
		}
		j.Bool("lost", x.lost(d))
		j.Int("from", int64(d.Node))
		j.Int("to", int64(d.To))
		j.String("class", d.Class.String())
		j.Int("size", int64(d.Size))
		j.String("text", d.Text)
		j.Close()
	}
	j.EndList()
	j.List("events")
	start := sort.Search(len(x.events), func(i int) bool { return x.events[i].Time >= from })
	for i := start; i < len(x.events) && x.events[i].Time <= to && i-start < most; i++ {
		e := &x.events[i]
		j.Open("")
		j.Number("at", ms(e.Time))
		j.Int("node", int64(e.Node))
		j.Int("user", int64(e.User))
		j.Int("value", e.Value)
		j.String("text", e.Text)
		j.Close()
	}
	j.EndList()
	j.Close()
	return j.Bytes()
}
