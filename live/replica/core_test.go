package replica

import (
	"flag"
	"fmt"
	"testing"

	"throng/world/random"
)

var (
	schedules = flag.Int("schedules", 50, "how many random histories a group is put through")
	first     = flag.Uint64("first", 0, "the seed of the first of them")
)

// drawFaults has some kinds of trouble off and others wild.
func drawFaults(r *random.Stream) faults {
	draw := func(most uint64) uint64 {
		if r.Below(3) == 0 {
			return 0
		}
		return r.Below(most)
	}
	return faults{
		crash: draw(30), pause: draw(30), full: draw(15), split: draw(20), change: draw(30),
		loss: draw(300), repeat: draw(200), delay: draw(400),
	}
}

// history puts a group through trouble drawn from a seed, and says what is wrong after it.
func history(seed uint64, steps int, b breakage) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	r := random.New(seed, "history")
	members := 3 + 2*int(r.Below(2))
	durable := r.Below(2) == 0
	switch b {
	case liar, fickle:
		durable = true
	case forgetful:
		durable = false
	}
	g := newGroup(seed, members, durable, drawFaults(&r), b)
	for range steps {
		g.advance()
	}
	return g.heal()
}

// go test ./live/replica -run Random -schedules 100000
func TestRandomHistories(t *testing.T) {
	for seed := *first; seed < *first+uint64(*schedules); seed++ {
		if err := history(seed, 400, sound); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func TestMistakesAreFound(t *testing.T) {
	for b, name := range map[breakage]string{hasty: "hasty", forgetful: "forgetful", liar: "liar", fickle: "fickle"} {
		seed, most := uint64(0), uint64(200)
		for seed < most && history(seed, 400, b) == nil {
			seed++
		}
		if t.Logf("%s: found after %d histories", name, seed+1); seed == most {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestHistoriesRepeat(t *testing.T) {
	run := func() (uint64, int) {
		r := random.New(7, "history")
		g := newGroup(7, 3, true, drawFaults(&r), sound)
		for range 500 {
			g.advance()
		}
		hash := uint64(len(g.acked))
		for _, p := range g.processes {
			if p.ledger != nil {
				hash = hash*31 + p.ledger.hash()
			}
		}
		return hash, len(g.flying)
	}
	hash, flying := run()
	for range 3 {
		if h, f := run(); h != hash || f != flying {
			t.Fatalf("the same seed gave %x, %d and then %x, %d", hash, flying, h, f)
		}
	}
}
