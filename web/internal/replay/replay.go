// Package replay plays recordings for the page: it moves to any moment and lists what each host saw then.
package replay

import (
	"bytes"
	"math"
	"slices"

	"throng/catalog"
	"throng/lab/record"
	"throng/web/internal/display"
	"throng/world"
)

// Player plays one recording.
type Player struct {
	reader *record.Reader
	bytes  []byte
	lister *display.Lister
	world  world.World // the one that was recorded, if the catalog has it, with parameters that may differ

	notes  *notes // nil until somebody asks
	frame  int    // the one that tracks are at, or -1
	share  float32
	tracks []track
	chosen []int
}

// track is one host's view at a frame and at the next, between which the page shows it.
type track struct {
	from, to *world.State
	list     []display.Record
}

// Open opens a recording, which the player keeps. What the recording itself does not say of its world is known for those of
// a catalog only.
func Open(recording []byte, c catalog.Catalog) (*Player, error) {
	r, err := record.Open(bytes.NewReader(recording), int64(len(recording)))
	if err != nil {
		return nil, err
	}
	p := &Player{reader: r, bytes: recording, lister: display.NewLister(r.Header().World), frame: -1}
	p.tracks = make([]track, len(r.Header().Tracks))
	if chosen, err := c.World(r.Header().World.Name); err == nil {
		if w, err := chosen.Build(); err == nil && sameKinds(w.Schema(), r.Header().World) {
			p.world = w
		}
	}
	return p, nil
}

// sameKinds reports whether two worlds are made of the same, as they are unless one is much older than the other.
func sameKinds(a, b *world.Schema) bool {
	return slices.EqualFunc(a.Kinds, b.Kinds, func(a, b world.Kind) bool { return a.Name == b.Name && len(a.Variables) == len(b.Variables) })
}

// Close gives back what the player holds.
func (p *Player) Close() error { return p.reader.Close() }

// Choose has only these tracks played from now on.
func (p *Player) Choose(tracks ...int) {
	p.chosen = append(p.chosen[:0], tracks...)
	p.reader.Select(tracks...)
	p.frame = -1
}

// Span is the time from one frame to the next.
func (p *Player) Span() world.Time {
	h := p.reader.Header()
	return world.Time(h.Every) * h.World.Tick
}

// Show goes to a moment.
func (p *Player) Show(at world.Time) error {
	last := p.reader.Frames() - 1
	if last < 0 {
		return nil
	}
	frame := int(min(max(0, at/p.Span()), world.Time(last)))
	p.share = float32(at-world.Time(frame)*p.Span()) / float32(p.Span())
	if frame == last {
		p.share = 0
	}
	if frame == p.frame {
		return nil
	}
	return p.move(frame, min(frame+1, last))
}

// move makes the tracks show two frames. Going on by one frame, which is what playing does, costs one step.
func (p *Player) move(frame, next int) error {
	step := p.frame >= 0 && frame == p.frame+1
	p.frame = -1
	if !step {
		if err := p.reader.At(frame); err != nil {
			return err
		}
	}
	for _, i := range p.chosen {
		t := &p.tracks[i]
		if step {
			t.from, t.to = t.to, t.from
		} else {
			take(&t.from, p.reader.State(i))
		}
	}
	if err := p.reader.At(next); err != nil {
		return err
	}
	for _, i := range p.chosen {
		take(&p.tracks[i].to, p.reader.State(i))
	}
	p.frame = frame
	return nil
}

// take keeps a state that the reader is about to leave.
func take(to **world.State, s *world.State) {
	if *to == nil {
		*to = s.Clone()
		return
	}
	(*to).CopyFrom(s)
}

// List lists what a track shows at the moment; nothing for one that was not chosen. It holds until the next call.
func (p *Player) List(i int) []display.Record {
	if p.frame < 0 || i < 0 || i >= len(p.tracks) || p.tracks[i].from == nil {
		return nil
	}
	t := &p.tracks[i]
	t.list = p.lister.Between(t.list, t.from, t.to, p.share, p.reader.Header().Tracks[i].User)
	return t.list
}

// Said is what an object says in a track at the moment.
func (p *Player) Said(i int, id world.ID) string {
	if p.frame < 0 || i < 0 || i >= len(p.tracks) || p.tracks[i].from == nil {
		return ""
	}
	return display.Said(p.world, p.tracks[i].from, id)
}

// Curves returns the values of all curves, one frame after the other. It reads through the recording; where that is damaged,
// the rest has no values.
func (p *Player) Curves() []float64 {
	n := len(p.reader.Header().Curves)
	values := make([]float64, 0, n*p.reader.Frames())
	r, err := record.Open(bytes.NewReader(p.bytes), int64(len(p.bytes)))
	if err == nil {
		defer r.Close()
		r.Select()
		for r.Next() == nil {
			values = append(values, r.Curves()...)
		}
	}
	for len(values) < cap(values) {
		values = append(values, math.NaN())
	}
	return values
}
