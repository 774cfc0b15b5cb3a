package lab_test

import (
	"context"
	"fmt"
	"testing"

	"throng/lab"
	"throng/lab/measure"
	"throng/world"
)

// BenchmarkSwarm simulates a second of Swarm per operation with all measures on, for growing numbers of bees. A million
// divided by its figure in µs is how many times faster than real time a run is.
//
//	go test -run '^$' -bench Swarm ./lab
func BenchmarkSwarm(b *testing.B) {
	for _, mechanism := range []string{"ideal", "loose", "optimistic"} {
		for _, bees := range []int{8, 16, 32, 64, 128} {
			b.Run(fmt.Sprintf("%s/%d", mechanism, bees), func(b *testing.B) {
				s := setup(b, "swarm", mechanism, "spike", "world.bees", fmt.Sprint(bees))
				s.Warmup = 5 * world.Second
				s.Duration = s.Warmup + world.Time(b.N)*world.Second
				run, err := lab.Build(s)
				if err != nil {
					b.Fatal(err)
				}
				measure.Attach(run, measure.All())
				run.Observe(starter{b})
				b.ReportAllocs()
				if err := run.Go(context.Background()); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkStrategy is a second of 400 users with 50 avatars each, under the mechanisms that divide the map, and in lockstep.
func BenchmarkStrategy(b *testing.B) {
	for _, c := range []struct {
		name, mechanism string
		set             []string
	}{
		{"ebls", "lockstep", []string{"mechanism.turn", "50ms"}},
		{"aos", "aos", []string{"mechanism.turn", "50ms"}},
		{"maoi", "interest", nil},
		{"saoi", "interest", []string{"mechanism.interest", "single"}},
		{"proxy", "interest", []string{"mechanism.proxy", "true"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := setup(b, "rts", c.mechanism, "perfect", append(c.set, "world.users", "400")...)
			s.Warmup = 5 * world.Second
			s.Duration = s.Warmup + world.Time(b.N)*world.Second
			run, err := lab.Build(s)
			if err != nil {
				b.Fatal(err)
			}
			measure.Attach(run, measure.Reporting(measure.All(), []string{"items.tick.server"}))
			run.Observe(starter{b})
			b.ReportAllocs()
			if err := run.Go(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkPeers is a second of a crowd of peers under zonal: as many to a zone, in more and more zones; and all in one place.
func BenchmarkPeers(b *testing.B) {
	for _, c := range []struct {
		name, world string
		set         []string
	}{
		{"zones/100", "combat", []string{"world.units", "100", "world.side", "2000", "mechanism.zones", "4"}},
		{"zones/1000", "combat", []string{"world.units", "1000", "world.side", "6325", "mechanism.zones", "40"}},
		{"place/100", "crowd", []string{"world.walkers", "100", "world.mode", "dense", "world.restless", "true"}},
		{"place/500", "crowd", []string{"world.walkers", "500", "world.mode", "dense", "world.restless", "true"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := setup(b, c.world, "zonal", "constant", append(c.set, "network.delay", "15ms")...)
			s.Warmup = 5 * world.Second
			s.Duration = s.Warmup + world.Time(b.N)*world.Second
			run, err := lab.Build(s)
			if err != nil {
				b.Fatal(err)
			}
			measure.Attach(run, measure.Reporting(measure.All(), []string{"relay.within", "bytes.sent.server"}))
			run.Observe(starter{b})
			b.ReportAllocs()
			if err := run.Go(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// starter begins to count when the run is warm: by then everything has the size it needs.
type starter struct{ b *testing.B }

func (s starter) Begin(world.Time) { s.b.ResetTimer() }
