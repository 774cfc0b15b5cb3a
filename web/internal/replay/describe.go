package replay

import (
	"strconv"

	"throng/web/internal/display"
	"throng/world"
)

// Describe writes, as JSON, what a page must know about the recording.
func (p *Player) Describe() []byte {
	h := p.reader.Header()
	j := display.NewText()
	j.Open("")
	j.String("mechanism", h.Mechanism)
	j.String("network", h.Network)
	j.String("seed", strconv.FormatUint(h.Seed, 10))
	j.Int("frames", int64(p.reader.Frames()))
	j.Number("span", float64(p.Span())/float64(world.Millisecond))
	j.Number("warmup", float64(h.Warmup)/float64(world.Millisecond))
	j.Number("start", float64(h.Start)/float64(world.Millisecond))
	j.String("began", h.Began)
	if damage := p.reader.Damage(); damage != nil {
		j.String("damage", damage.Error())
	}
	j.List("params")
	for _, text := range h.Params {
		j.String("", text)
	}
	j.EndList()
	j.List("tracks")
	for _, t := range h.Tracks {
		j.Open("")
		j.Int("node", int64(t.Node))
		j.String("role", t.Role)
		j.Int("user", int64(t.User))
		j.Close()
	}
	j.EndList()
	j.List("curves")
	for _, c := range h.Curves {
		j.Open("")
		j.String("name", c.Name)
		j.String("unit", c.Unit)
		j.Close()
	}
	j.EndList()
	j.List("events")
	for _, e := range h.Events {
		j.Open("")
		j.Number("at", float64(e.At)/float64(world.Millisecond))
		j.String("kind", e.Kind)
		j.Int("node", int64(e.Node))
		j.Int("user", int64(e.User))
		j.Int("cause", int64(e.Cause))
		j.Close()
	}
	j.EndList()
	j.List("causes")
	for _, text := range h.Causes {
		j.String("", text)
	}
	j.EndList()
	j.World("world", h.World, p.world)
	j.Close()
	return j.Bytes()
}
