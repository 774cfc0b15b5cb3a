package update

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world"
)

// Whoever spends all there is, whenever, spends no more in any second than the rate and what may be saved up.
func TestBudgetHoldsInAnySecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.IntRange(1, 1_000_000).Draw(t, "rate")
		most := rapid.IntRange(1, 10_000).Draw(t, "most")
		now := world.Time(rapid.Int64Range(0, int64(world.Minute)).Draw(t, "start"))
		b := NewBudget(rate, most, now)
		type expense struct {
			at world.Time
			n  int
		}
		var spent []expense
		for range 60 {
			now += world.Time(rapid.Int64Range(0, int64(300*world.Millisecond)).Draw(t, "pause"))
			n := rapid.IntRange(0, b.Left(now)).Draw(t, "spent")
			b.Spend(n)
			spent = append(spent, expense{now, n})
		}
		for i := range spent {
			sum := 0
			for j := i; j < len(spent) && spent[j].at < spent[i].at+world.Second; j++ {
				sum += spent[j].n
			}
			if sum > rate+most {
				t.Fatalf("%d bytes in a second at a rate of %d and %d saved up", sum, rate, most)
			}
		}
	})
}

func TestBudgetLosesNothing(t *testing.T) {
	b := NewBudget(1000, 100, 0)
	b.Spend(100)
	spent := 0
	for now := world.Time(0); now < 10*world.Second; now += 7 * world.Millisecond / 3 {
		n := b.Left(now)
		b.Spend(n)
		spent += n
	}
	if spent < 9990 || spent > 10000 {
		t.Errorf("%d bytes in ten seconds at 1000 a second", spent)
	}
}

func TestNoBudget(t *testing.T) {
	b := NewBudget(0, 0, 0)
	b.Spend(1 << 30)
	if b.Left(0) < 1<<30 {
		t.Error("a budget without a rate has a limit")
	}
}
