package pong

import (
	"testing"

	"throng/world"
)

func BenchmarkStep(b *testing.B) {
	g := newGame(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		g.Wait(1)
	}
}

func BenchmarkPlay(b *testing.B) {
	g := newGame(b, 1)
	g.Play(b, 100)
	p := g.Players[0]
	b.ReportAllocs()
	for b.Loop() {
		p.Play(world.View{State: g.State, User: 1}, func(world.Action) {})
	}
}
