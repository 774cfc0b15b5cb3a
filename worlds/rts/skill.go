package rts

import "throng/world"

// The skills of artificial opponents.
const (
	skillEasy   = "easy"
	skillNormal = "normal"
	skillHard   = "hard"
)

// skill is how good an opponent is: how often it thinks and how much it then does, how it runs its economy, and what it knows
// of war.
type skill struct {
	thinks   world.Time // how often
	commands int        // how many it gives each time
	workers  int        // how many it wants for each base
	bases    int        // how many bases it wants,
	barracks int        // barracks,
	towers   int        // and towers
	army     int        // how many fighters it goes to war with
	scouts   bool       // whether it looks for others before it has an army
	retreats bool       // whether it gives up a battle that it would lose
	counters bool       // whether it trains what beats what it has seen
	trades   bool       // whether it goes to others for what it has too little of
}

var skills = map[string]skill{
	skillEasy: {thinks: 3 * world.Second, commands: 3,
		workers: 7, bases: 1, barracks: 1, army: 8},
	skillNormal: {thinks: 1500 * world.Millisecond, commands: 6,
		workers: 12, bases: 1, barracks: 2, towers: 1, army: 12,
		scouts: true, retreats: true, trades: true},
	skillHard: {thinks: 500 * world.Millisecond, commands: 10,
		workers: 16, bases: 2, barracks: 3, towers: 1, army: 16,
		scouts: true, retreats: true, counters: true, trades: true},
}
