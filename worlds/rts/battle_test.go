package rts

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// duel lets two units stand face to face until one of them is gone, and returns the other, or nil if none is left.
func duel(t *testing.T, one, two world.KindID) *world.Object {
	t.Helper()
	g := newScene(t)
	a := g.add(g.World, 1001, 1, one, at(100, 70))
	b := g.add(g.World, 1002, 2, two, at(104, 70))
	for range 600 {
		g.Wait(1)
		switch {
		case g.get(a) == nil && g.get(b) == nil:
			return nil
		case g.get(a) == nil:
			return g.get(b)
		case g.get(b) == nil:
			return g.get(a)
		}
	}
	t.Fatalf("%s and %s do not fight it out: %+v, %+v", sorts[one].name, sorts[two].name, g.get(a), g.get(b))
	return nil
}

func TestEveryFighterBeatsAnother(t *testing.T) {
	for k := kindSoldier; k <= kindRider; k++ {
		loser := sorts[k].beats
		for _, pair := range [][2]world.KindID{{k, loser}, {loser, k}} {
			if won := duel(t, pair[0], pair[1]); won == nil || won.Kind != k {
				t.Errorf("%s against %s leaves %+v", sorts[pair[0]].name, sorts[pair[1]].name, won)
			}
		}
		if won := duel(t, k, k); won != nil && won.Attr[attrHealth] > sorts[k].damage {
			t.Errorf("%s against their like: one is left with %d", sorts[k].name, won.Attr[attrHealth])
		}
	}
}

func TestBlowsFallInTheirTime(t *testing.T) {
	g := newScene(t)
	a := g.add(g.World, 1001, 1, kindSoldier, at(100, 70))
	w := g.add(g.World, 1002, 2, kindWorker, at(101, 70))
	g.Do(1, order(Attack, a, int64(w)))
	health := []int64{}
	for range 25 {
		g.Wait(1)
		health = append(health, g.get(w).Attr[attrHealth])
	}
	// The order takes effect in the first step, and a blow falls every ten ticks from then on.
	if health[0] != 30 || health[9] != 30 || health[10] != 20 || health[20] != 10 {
		t.Errorf("health by tick: %v", health)
	}
	g.Wait(10)
	if g.get(w) != nil {
		t.Errorf("the worker lives: %+v", g.get(w))
	}
	g.Wait(1)
	if o := g.get(a); o.Attr[attrTarget] != 0 || o.Attr[attrOrder] != idle {
		t.Errorf("the soldier, having won: %+v", o)
	}
}

func TestAttackersFollow(t *testing.T) {
	g := newScene(t)
	a := g.add(g.World, 1001, 1, kindRider, at(100, 70))
	w := g.add(g.World, 1002, 2, kindWorker, at(105, 70))
	g.Do(1, order(Attack, a, int64(w)))
	g.Do(2, goTo(w, at(130, 70)))
	g.Wait(60)
	if g.get(w) != nil {
		t.Errorf("the worker got away: %+v, %+v", g.get(w), g.get(a))
	}
	// Whom they cannot see they do not follow but march at.
	far := g.add(g.World, 1003, 2, kindWorker, at(200, 70))
	g.Do(1, order(Attack, a, int64(far), 200*16, 70*16))
	if o := g.get(a); o.Attr[attrOrder] != marching || goalOf(o) != at(200, 70) || o.Attr[attrTarget] != 0 {
		t.Errorf("the rider: %+v", o)
	}
}

func TestMarchingFightersFightWhomTheyMeetAndGoOn(t *testing.T) {
	g := newScene(t)
	a := g.add(g.World, 1001, 1, kindRider, at(100, 70))
	w := g.add(g.World, 1002, 2, kindWorker, at(115, 74))
	march := order(March, a, sixteenths(130*tile), sixteenths(70*tile))
	g.Do(1, march)
	g.Wait(250)
	if o := g.get(a); g.get(w) != nil || o.Pos != at(130, 70) {
		t.Errorf("marching past: %+v, %+v", o, g.get(w))
	}
	w = g.add(g.World, 1003, 2, kindWorker, at(115, 74))
	g.Do(1, goTo(a, at(100, 70)))
	g.Wait(100)
	if o := g.get(a); g.get(w) == nil || o.Pos != at(100, 70) {
		t.Errorf("going past: %+v, %+v", o, g.get(w))
	}
}

func TestTowersShoot(t *testing.T) {
	g := newScene(t)
	g.add(g.World, 1001, 1, kindTower, at(100, 70))
	near := g.add(g.World, 1002, 2, kindSoldier, at(105, 70))
	far := g.add(g.World, 1003, 2, kindSoldier, at(112, 70))
	merchant := g.add(g.World, 1004, 2, kindWorker, at(101, 71))
	own := g.add(g.World, 1005, 1, kindSoldier, at(80, 70))
	g.Wait(120)
	if g.get(near) != nil || g.get(far) == nil || g.get(merchant) == nil || g.get(own) == nil {
		t.Errorf("near %+v, far %+v, merchant %+v, own %+v", g.get(near), g.get(far), g.get(merchant), g.get(own))
	}
}

// Fighters on guard let pass who does no harm; those on the march do not.
func TestGuardsLetWorkersPass(t *testing.T) {
	g := newScene(t)
	a := g.add(g.World, 1001, 1, kindArcher, at(100, 70))
	w := g.add(g.World, 1002, 2, kindWorker, at(103, 70))
	g.Wait(50)
	if o := g.get(w); o.Attr[attrHealth] != sorts[kindWorker].health {
		t.Errorf("on guard: %+v", o)
	}
	g.Do(1, order(March, a, sixteenths(100*tile), sixteenths(75*tile)))
	g.Wait(80)
	if g.get(w) != nil {
		t.Errorf("on the march: %+v", g.get(w))
	}
}

func TestStop(t *testing.T) {
	g := newScene(t)
	a := g.add(g.World, 1001, 1, kindSoldier, at(100, 70))
	g.Do(1, goTo(a, at(130, 70)))
	g.Wait(10)
	g.Do(1, order(Stop, a))
	before := g.get(a).Pos
	g.Wait(10)
	if o := g.get(a); o.Pos != before || moves(o) || before == at(100, 70) {
		t.Errorf("stopped at %v: %+v", before, o)
	}
}

func TestTrade(t *testing.T) {
	type goods struct{ load, ore, wood int64 }
	for _, test := range []struct {
		name         string
		gives, price int64
		load         int64
		far          bool
		want         goods
	}{
		{"ore for wood", 5, 8, -10, false, goods{5, 45, 60}},
		{"wood for ore", -7, 10, 10, false, goods{-7, 60, 43}},
		{"the wrong goods", 5, 8, 10, false, goods{10, 50, 50}},
		{"too little", 5, 8, -7, false, goods{-7, 50, 50}},
		{"no offer", 0, 0, -10, false, goods{-10, 50, 50}},
		{"too far", 5, 8, -10, true, goods{-10, 50, 50}},
		{"nothing", 5, 0, 0, false, goods{0, 50, 50}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newScene(t)
			base := g.supply(2, 50)
			g.Do(2, order(Offer, homeOf(2), test.gives, test.price))
			pos := base.Pos.Add(at(3, 0))
			if test.far {
				pos = base.Pos.Add(at(5, 0))
			}
			id := g.add(g.World, 1001, 1, kindWorker, pos)
			g.State.Edit(id).Attr[attrLoad] = test.load
			g.Do(1, order(Trade, id, int64(homeOf(2))))
			o, b := g.get(id), g.get(homeOf(2))
			if got := (goods{o.Attr[attrLoad], b.Attr[attrOre], b.Attr[attrWood]}); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// A trade of which only one side is in hand does not happen at all.
func TestTradeIsAtomic(t *testing.T) {
	for _, closed := range []world.ID{1001, homeOf(2)} {
		g := newScene(t)
		base := g.supply(2, 50)
		g.Do(2, order(Offer, homeOf(2), 5, 5))
		id := g.add(g.World, 1001, 1, kindWorker, base.Pos)
		g.State.Edit(id).Attr[attrLoad] = -loadMost
		a := order(Trade, id, int64(homeOf(2)))
		a.User = 1
		var f world.Footprint
		g.World.Reach(g.State, &a, &f)
		if !f.Writes.Has(id) || !f.Writes.Has(homeOf(2)) || len(f.Writes) != 2 {
			t.Errorf("said to write %v", f.Writes)
		}
		before := g.State.Hash()
		g.Window.Look(g.State)
		g.Window.Restrict(func(o *world.Object) bool { return o.ID != closed })
		g.Do(1, a)
		if g.State.Hash() != before {
			t.Errorf("with %d closed, the trade had an effect", closed)
		}
		g.Window.Restrict(nil)
		g.Do(1, a)
		if g.State.Hash() == before {
			t.Error("with both open, it had none")
		}
	}
}

// Nobody commands what is not theirs, nor what does not understand.
func TestCommandsToOthersDoNothing(t *testing.T) {
	g := newScene(t)
	g.supply(1, 500)
	g.supply(2, 500)
	mine := g.add(g.World, 1001, 1, kindSoldier, at(100, 70))
	theirs := g.add(g.World, 1002, 2, kindSoldier, at(103, 70))
	field := world.ID(1003)
	g.State.Put(g.World.newField(field, ore, at(105, 70)))
	before := g.State.Hash()
	for _, a := range []world.Action{
		goTo(theirs, at(1, 1)), goTo(homeOf(1), at(1, 1)), goTo(fieldOf(1, 0), at(1, 1)),
		g.gather(mine),
		order(Train, mine, int64(kindWorker)),
		order(Train, homeOf(2), int64(kindWorker)), order(Build, homeOf(2), int64(kindTower), 10, 10),
		order(Attack, mine, int64(mine)), order(Attack, mine, int64(field)),
		order(Attack, workerOf(1, 0), int64(theirs)), order(Trade, workerOf(1, 0), int64(homeOf(1))), order(Stop, homeOf(1)),
	} {
		g.Do(1, a)
		if g.State.Hash() != before {
			t.Fatalf("%+v had an effect", a)
		}
	}
}

func TestExtrapolateInPlay(t *testing.T) {
	g := newScene(t)
	id := g.add(g.World, 1001, 1, kindArcher, at(100, 70))
	g.Do(1, goTo(id, at(110, 70)))
	guess := *g.get(id)
	g.World.Extrapolate(&guess, world.Minute)
	if guess.Pos != at(110, 70) || moves(&guess) {
		t.Errorf("an archer on the way: %+v", guess)
	}
	g.State.Edit(id).Attr[attrTarget] = 1002 // then it follows somebody, wherever that leads
	guess = *g.get(id)
	g.World.Extrapolate(&guess, 5*world.Second)
	if !guess.Pos.Within(at(120, 70), tile/8) {
		t.Errorf("an archer in pursuit: %+v", guess)
	}
	g.World.Extrapolate(&guess, world.Minute)
	if guess.Pos.X != fixed.FromInt(256) {
		t.Errorf("an archer in pursuit leaves the map: %+v", guess)
	}
}
