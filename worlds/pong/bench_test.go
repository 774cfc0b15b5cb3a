package pong

import (
	"testing"

	"throng/world"
)

func BenchmarkStep(b *testing.B) {
	g := newGame(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		g.step(1)
	}
}

func BenchmarkPlay(b *testing.B) {
	g := newGame(b, 1)
	g.play(100)
	p := g.players[0]
	b.ReportAllocs()
	for b.Loop() {
		p.Play(world.View{State: g.state, User: 1}, func(world.Action) {})
	}
}
