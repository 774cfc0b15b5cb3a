package rts

import (
	"throng/world"
	"throng/world/fixed"
)

// The kinds of objects in the playable game, as they stand in the schema.
const (
	kindField world.KindID = iota // ore or wood to gather
	kindHall                      // a base: keeps what was gathered, and trains workers
	kindBarracks
	kindTower
	kindCart // on its way to where it becomes a building
	kindWorker
	kindSoldier
	kindArcher
	kindRider
	kinds // how many there are
)

// sort is what there is to know about the objects of a kind.
type sort struct {
	name       string
	radius     fixed.F
	health     int64
	ore, wood  int64      // the cost
	takes      world.Time // to train or to build
	speed      fixed.F    // tiles per second
	damage     int64      // of one blow
	reach      fixed.F    // of a blow, between the edges
	rests      world.Time // between blows
	beats      world.KindID
	trainedAt  world.KindID
	isBuilding bool
}

// advantage is how many times as hard a blow is against the kind that one beats: soldiers beat riders, riders archers and
// archers soldiers.
const advantage = 2

// sorts is the table of all kinds.
var sorts = [kinds]sort{
	kindField: {name: "field", radius: tile},
	kindHall: {name: "base", radius: 2 * tile, health: 1500, isBuilding: true,
		ore: 200, wood: 200, takes: 30 * world.Second},
	kindBarracks: {name: "barracks", radius: 3 * tile / 2, health: 600, isBuilding: true,
		ore: 40, wood: 100, takes: 15 * world.Second},
	kindTower: {name: "tower", radius: tile, health: 400, isBuilding: true,
		ore: 60, wood: 60, takes: 15 * world.Second,
		damage: 12, reach: 6 * tile, rests: world.Second},
	kindCart: {name: "cart", radius: tile / 2, health: 120, speed: 3 * tile},
	kindWorker: {name: "worker", radius: tile / 2, health: 40, speed: 4 * tile,
		ore: 40, takes: 6 * world.Second, trainedAt: kindHall},
	kindSoldier: {name: "soldier", radius: tile / 2, health: 100, speed: 4 * tile,
		ore: 40, wood: 20, takes: 8 * world.Second, trainedAt: kindBarracks,
		damage: 10, reach: tile / 2, rests: world.Second, beats: kindRider},
	kindArcher: {name: "archer", radius: tile / 2, health: 70, speed: 4 * tile,
		ore: 20, wood: 50, takes: 8 * world.Second, trainedAt: kindBarracks,
		damage: 8, reach: 5 * tile, rests: world.Second, beats: kindSoldier},
	kindRider: {name: "rider", radius: tile / 2, health: 120, speed: 6 * tile,
		ore: 60, wood: 30, takes: 10 * world.Second, trainedAt: kindBarracks,
		damage: 12, reach: tile / 2, rests: world.Second, beats: kindArcher},
}

// walks reports whether objects of a kind can be sent somewhere.
func (s *sort) walks() bool { return s.speed > 0 }

// armed reports whether objects of a kind strike.
func (s *sort) armed() bool { return s.damage > 0 }

// lives reports whether objects of a kind can be struck.
func (s *sort) lives() bool { return s.health > 0 }

// fights reports whether objects of a kind can be sent to battle.
func (s *sort) fights() bool { return s.armed() && s.walks() }

// worth is what training or building one costs.
func (s *sort) worth() int64 { return s.ore + s.wood }

// The attributes of the playable game besides goals. Which of them a kind has is said in the schema.
const (
	attrHealth = 2
	attrOrder  = 3 // what a unit is about; what a cart becomes
	attrJob    = 3 // of a building: the kind that it trains, or kindCart while it is being built
	attrTarget = 4 // the object that the order is about or, for a worker, the spot of the field
	attrReady  = 5 // the tick at which work in hand is done, or the next blow can fall

	attrHome = 6 // of a worker: the spot of the base that it gathers for
	attrLoad = 7 // of a worker: what it carries, ore if positive, wood if negative

	attrGives = 0 // of a base: what it offers to whoever trades with it, ore if positive, wood if negative
	attrPrice = 1 // of a base: how much of the other it wants for that
	attrOre   = 6
	attrWood  = 7

	attrUnfolds = 7 // of a cart, within a step: whether it becomes a building; no kind declares it

	attrSort = 3 // of a field: ore or wood
	attrLeft = 2 // of a field: how much there is
)

// What a field holds.
const (
	ore = iota
	wood
)

// The orders of units.
const (
	idle      = iota // and, for those who fight, on guard
	going            // to the goal, whatever happens
	gathering        // the target is a field
	marching         // to the goal, fighting whoever is met
	attacking        // the target, until it is gone
	orders           // how many there are
)

const (
	stockMost = 1 << 20
	loadMost  = 10
	leftMost  = 1 << 16
	maxTick   = 1 << 40
	maxSpot   = 1 << 40
)

// spot is a place as one number, never zero. Fields and buildings stand at places that are spots; see snap.
func spot(at fixed.Vec) int64 { return 1 + sixteenths(at.X) + sixteenths(at.Y)<<20 }

// spotOf is the place that such a number stands for.
func spotOf(n int64) fixed.Vec {
	n--
	return fixed.Vec{X: fixed.Ratio(n&(1<<20-1), 16), Y: fixed.Ratio(n>>20, 16)}
}

// snap moves a place to the next spot.
func snap(at fixed.Vec) fixed.Vec { return spotOf(spot(at)) }

// load is a quantity of something, as a worker carries it.
func load(sort int64, amount int64) int64 {
	if sort == wood {
		return -amount
	}
	return amount
}

// stow adds a load to what a base has.
func stow(base *world.Object, load int64) {
	if load > 0 {
		base.Attr[attrOre] = min(base.Attr[attrOre]+load, stockMost)
	} else {
		base.Attr[attrWood] = min(base.Attr[attrWood]-load, stockMost)
	}
}
