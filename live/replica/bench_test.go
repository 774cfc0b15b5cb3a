package replica

import (
	"testing"

	"throng/catalog"
	"throng/mechanism"
	"throng/world"
)

// BenchmarkSnapshot is what it takes to write down a world of a hundred thousand people, and to take it up again.
func BenchmarkSnapshot(b *testing.B) {
	c := catalog.Default()
	m, err := c.BuildMechanism(catalog.Choice{Name: "central"})
	if err != nil {
		b.Fatal(err)
	}
	w, err := c.BuildWorld(catalog.Choice{Name: "crowd", Params: map[string]string{"walkers": "100000"}})
	if err != nil {
		b.Fatal(err)
	}
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: m.Places(w)}
	n, err := NewNodes(m, s, s.Places[:1], func(mechanism.Message) bool { return true }, nil)
	if err != nil {
		b.Fatal(err)
	}
	n.Pass(world.Second)
	text := n.AppendSnapshot(nil)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			text = n.AppendSnapshot(text[:0])
		}
		b.SetBytes(int64(len(text)))
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if err := n.Restore(text); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(text)))
	})
}
