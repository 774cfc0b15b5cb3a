package update

import "throng/world"

// BudgetMax is the highest rate that a budget can have, in bytes per second.
const BudgetMax = 500_000_000

// Budget limits the bytes sent to one receiver: in any second no more is spent than its rate and what it may save up.
type Budget struct {
	rate  int64 // bytes per second; zero sets no limit
	most  int64 // what may be saved up
	left  int64 // what may be spent now
	part  int64 // of the next byte, in billionths
	since world.Time
}

// NewBudget returns a budget of so many bytes a second that can save up as much as most, and has at first.
func NewBudget(rate, most int, now world.Time) Budget {
	return Budget{rate: int64(rate), most: int64(most), left: int64(most), since: now}
}

// Left is how much may be spent now.
func (b *Budget) Left(now world.Time) int {
	if b.rate == 0 {
		return 1<<31 - 1
	}
	if now > b.since {
		// Ten seconds at the highest rate are what fits into the product; nobody waits longer between two updates.
		b.part += b.rate * int64(min(now-b.since, 10*world.Second))
		b.since = now
		b.left += b.part / int64(world.Second)
		b.part %= int64(world.Second)
		if b.left >= b.most {
			b.left, b.part = b.most, 0
		}
	}
	return int(b.left)
}

// Slow changes the rate, from now on. What is left stays.
func (b *Budget) Slow(rate int) {
	if b.rate != 0 {
		b.rate = max(int64(rate), 1)
	}
}

// Spend takes what was sent off the budget.
func (b *Budget) Spend(n int) {
	if b.rate != 0 {
		b.left -= int64(n)
	}
}
