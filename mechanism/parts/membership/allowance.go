package membership

import "throng/world"

// Allowance bounds how often somebody may act: so often per tick, and more where that was not used up before, since what the
// network has held up comes at once. The zero Allowance is unused.
type Allowance struct {
	spent int
	at    world.Tick
}

// Allow reports whether one more action may be taken, of so many per tick and so many at once.
func (a *Allowance) Allow(now world.Tick, perTick, most int) bool {
	if passed := now - a.at; passed > 0 {
		a.spent -= min(a.spent, int(min(passed, world.Tick(most)))*perTick)
		a.at = now
	}
	if a.spent >= max(most, perTick) {
		return false
	}
	a.spent++
	return true
}
