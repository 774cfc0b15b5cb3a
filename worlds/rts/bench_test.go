package rts

import (
	"fmt"
	"testing"

	"throng/world"
)

func TestStepsDoNotAllocate(t *testing.T) {
	measured := newGame[*march](t, 1, func(c *Config) { c.Users = 20 })
	measured.Play(t, 400)
	if n := testing.AllocsPerRun(20, func() { measured.Wait(1) }); n != 0 {
		t.Errorf("measured: %v allocations", n)
	}
	played := newGame[*realm](t, 1, func(c *Config) { c.Game, c.Users = gamePlay, 6 })
	played.Play(t, 4000)
	if n := testing.AllocsPerRun(200, func() { played.Wait(1) }); n != 0 {
		t.Errorf("play: %v allocations", n)
	}
}

// BenchmarkStep steps the measured game as it is once everybody has been commanding for a while, and starts over from there
// every half second: without commands, those on their way would all arrive.
func BenchmarkStep(b *testing.B) {
	for _, users := range []int{60, 400} {
		for _, workload := range []string{modelWD, modelWI, modelWWG} {
			b.Run(fmt.Sprintf("%s/avatars=%d", workload, 50*users), func(b *testing.B) {
				g := newGame[*march](b, 1, func(c *Config) { c.Users, c.Workload = users, workload })
				g.Play(b, 400)
				moving := 0
				for o := range g.State.All() {
					if moves(o) {
						moving++
					}
				}
				benchStep(b, g)
				b.ReportMetric(float64(moving), "moving")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(moving), "ns/moving")
			})
		}
	}
}

// BenchmarkStepAtRest is what twenty thousand avatars cost that stand.
func BenchmarkStepAtRest(b *testing.B) {
	benchStep(b, newGame[*march](b, 1, func(c *Config) { c.Users = 400 }))
}

// BenchmarkBattle steps a playable game with eight users in full swing.
func BenchmarkBattle(b *testing.B) {
	g := newGame[*realm](b, 1, func(c *Config) { c.Game, c.Users = gamePlay, 8 })
	g.Play(b, 4800)
	benchStep(b, g)
	b.ReportMetric(float64(g.State.Len()), "objects")
}

func benchStep[W world.World](b *testing.B, g *game[W]) {
	const span = 20
	start := g.State.Clone()
	g.Wait(span)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if i%span == 0 {
			g.State.CopyFrom(start)
			g.Window.Look(g.State)
		}
		g.Window.Advance(g.World)
		i++
	}
}

// BenchmarkPlay is what artificial users cost in a tick, each.
func BenchmarkPlay(b *testing.B) {
	b.Run("measured", func(b *testing.B) {
		benchPlay(b, newGame[*march](b, 1, func(c *Config) { c.Users = 400 }))
	})
	for _, skill := range []string{skillEasy, skillNormal, skillHard} {
		b.Run(skill, func(b *testing.B) {
			g := newGame[*realm](b, 1, func(c *Config) { c.Game, c.Users, c.Skill = gamePlay, 8, skill })
			g.Play(b, 4800)
			benchPlay(b, g)
		})
	}
}

func benchPlay[W world.World](b *testing.B, g *game[W]) {
	act := func(world.Action) {}
	b.ReportAllocs()
	for b.Loop() {
		for i, p := range g.Players {
			p.Play(world.View{State: g.State, User: world.User(i + 1)}, act)
		}
		g.State.SetTick(g.State.Tick() + 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(g.Players)), "ns/user")
}
