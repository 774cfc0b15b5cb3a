package line

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world"
)

func TestDirectory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Directory[world.User, Member]{}
		model := map[world.User]*Member{}
		for range 50 {
			u := world.User(rapid.SampledFrom([]uint32{0, 1, 2, 100, lowMax - 1, lowMax, lowMax + 1, 1<<32 - 1}).Draw(t, "user"))
			if rapid.Bool().Draw(t, "set") {
				model[u] = &Member{User: u}
				d.Set(u, model[u])
			} else if rapid.Bool().Draw(t, "clear") {
				delete(model, u)
				d.Set(u, nil)
			}
			if d.Get(u) != model[u] {
				t.Fatalf("user %d is %v, want %v", u, d.Get(u), model[u])
			}
		}
	})
}

func TestAllowance(t *testing.T) {
	m := &Member{}
	taken := func(now world.Tick) (n int) {
		for m.Allow(now, 3) {
			n++
		}
		return n
	}
	for _, c := range []struct {
		now  world.Tick
		want int
	}{{0, 0}, {1, 3}, {1, 0}, {2, 3}, {4, 6}, {1000, saved}} {
		if got := taken(c.now); got != c.want {
			t.Errorf("%d actions are allowed at tick %d, want %d", got, c.now, c.want)
		}
	}
}
