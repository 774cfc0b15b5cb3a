package rts

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// newScene is a playable game of two users without artificial players, whose bases are far apart.
func newScene(t testing.TB) *game[*realm] {
	return newGame[*realm](t, 1, func(c *Config) { c.Game, c.Users, c.Tick = gamePlay, 2, 100*world.Millisecond })
}

// add puts a unit or building into a scene.
func (g *game[W]) add(w *realm, id world.ID, u world.User, kind world.KindID, pos fixed.Vec) world.ID {
	if sorts[kind].walks() {
		g.State.Put(w.newUnit(id, u, kind, pos))
	} else {
		g.State.Put(w.newBuilding(id, u, kind, pos))
	}
	return id
}

// order is an action for a unit about an object, a kind or whatever else the arguments are.
func order(v world.VerbID, target world.ID, args ...int64) world.Action {
	a := world.Action{Verb: v, Target: target}
	copy(a.Args[:], args)
	return a
}

// gather is the action of sending a worker of the first user's to the first field.
func (g *game[W]) gather(id world.ID) world.Action {
	return gatherAt(id, g.get(fieldOf(1, 0)).Pos, g.get(homeOf(1)).Pos)
}

// supply fills a user's first base.
func (g *game[W]) supply(u world.User, amount int64) *world.Object {
	o := g.State.Edit(homeOf(u))
	o.Attr[attrOre], o.Attr[attrWood] = amount, amount
	return o
}

func (g *game[W]) count(u world.User, kind world.KindID) int {
	n := 0
	for o := range g.State.All() {
		if o.User == u && o.Kind == kind {
			n++
		}
	}
	return n
}

func TestEverybodyStartsAlike(t *testing.T) {
	for _, users := range []int{1, 2, 5, 12} {
		g := newGame[*realm](t, 3, func(c *Config) { c.Game, c.Users = gamePlay, users })
		for u := world.User(1); u <= g.World.Users(); u++ {
			if g.count(u, kindHall) != 1 || g.count(u, kindWorker) != firstWorkers {
				t.Errorf("of %d users, %d has %d bases and %d workers", users, u, g.count(u, kindHall), g.count(u, kindWorker))
			}
			for v := range u {
				if v > 0 && g.get(homeOf(u)).Pos.Within(g.get(homeOf(v)).Pos, 30*tile) {
					t.Errorf("of %d users, %d and %d are close neighbours", users, u, v)
				}
			}
			for n := range fieldsAround {
				if f := g.get(fieldOf(u, n)); f == nil || !f.Pos.Within(g.get(homeOf(u)).Pos, fieldRing+tile) {
					t.Errorf("field %d of user %d: %+v", n, u, f)
				}
			}
		}
	}
}

func TestWorkersGather(t *testing.T) {
	g := newScene(t)
	base := g.get(homeOf(1))
	ore0, left0 := base.Attr[attrOre], g.get(fieldOf(1, 0)).Attr[attrLeft]
	for n := range 2 {
		g.Do(1, g.gather(workerOf(1, n)))
	}
	g.Wait(600) // a minute: a load takes two seconds, and the way to and fro somewhat more
	got := g.get(homeOf(1)).Attr[attrOre] - ore0
	if got < 100 || got > 400 {
		t.Errorf("two workers have brought %d in a minute", got)
	}
	carried := int64(0)
	for n := range 2 {
		carried += g.get(workerOf(1, n)).Attr[attrLoad]
	}
	if lost := left0 - g.get(fieldOf(1, 0)).Attr[attrLeft]; lost != got+carried {
		t.Errorf("the field has lost %d, %d have arrived and %d are on the way", lost, got, carried)
	}
	if o := g.get(workerOf(1, 2)); o.Attr[attrOrder] != idle || moves(o) {
		t.Errorf("a worker without orders: %+v", o)
	}
}

func TestWorkersFindAnotherField(t *testing.T) {
	g := newScene(t)
	g.Do(1, g.gather(workerOf(1, 0)))
	g.Wait(50)
	g.State.Edit(fieldOf(1, 0)).Attr[attrLeft] = loadMost
	wild := g.World.newField(999, wood, g.get(fieldOf(1, 0)).Pos.Add(at(4, 0)))
	g.State.Put(wild)
	g.Wait(300)
	if g.get(fieldOf(1, 0)) != nil {
		t.Fatal("an exhausted field is still there")
	}
	if o := g.get(workerOf(1, 0)); o.Attr[attrOrder] != gathering || spotOf(o.Attr[attrTarget]) != wild.Pos {
		t.Errorf("the worker: %+v, the next field at %v", o, wild.Pos)
	}
}

func TestWorkersWithoutABaseStop(t *testing.T) {
	g := newScene(t)
	g.Do(1, g.gather(workerOf(1, 0)))
	g.Wait(10)
	g.State.Remove(homeOf(1))
	g.Wait(200)
	if o := g.get(workerOf(1, 0)); o.Attr[attrOrder] != idle || o.Attr[attrLoad] == 0 {
		t.Errorf("the worker: %+v", o)
	}
}

func TestTraining(t *testing.T) {
	g := newScene(t)
	g.supply(1, 100)
	train := order(Train, homeOf(1), int64(kindWorker))
	g.Do(1, train)
	g.Do(1, train) // one at a time
	if o := g.get(homeOf(1)); o.Attr[attrOre] != 100-sorts[kindWorker].ore || o.Attr[attrJob] != int64(kindWorker) {
		t.Errorf("the base: %+v", o)
	}
	g.Wait(int(g.World.takes[kindWorker]))
	if g.count(1, kindWorker) != firstWorkers {
		t.Error("trained too early")
	}
	g.Wait(1)
	if g.count(1, kindWorker) != firstWorkers+1 || g.get(homeOf(1)).Attr[attrJob] != 0 {
		t.Errorf("%d workers, the base: %+v", g.count(1, kindWorker), g.get(homeOf(1)))
	}
	g.Do(1, order(Train, homeOf(1), int64(kindSoldier)))
	if g.get(homeOf(1)).Attr[attrJob] != 0 {
		t.Error("a base trains soldiers")
	}
}

func TestBarracksAreFedByTheBaseBeside(t *testing.T) {
	g := newScene(t)
	base := g.supply(1, 50)
	near := g.add(g.World, 1001, 1, kindBarracks, base.Pos.Add(at(6, 0)))
	far := g.add(g.World, 1002, 1, kindBarracks, base.Pos.Add(at(0, 30)))
	for _, id := range []world.ID{far, near} {
		g.Do(1, order(Train, id, int64(kindSoldier)))
	}
	if g.get(far).Attr[attrJob] != 0 || g.get(near).Attr[attrJob] != int64(kindSoldier) {
		t.Errorf("far: %+v, near: %+v", g.get(far), g.get(near))
	}
	if o := g.get(homeOf(1)); o.Attr[attrOre] != 10 || o.Attr[attrWood] != 30 {
		t.Errorf("the base has %d and %d left", o.Attr[attrOre], o.Attr[attrWood])
	}
	g.Wait(int(g.World.takes[kindSoldier]) + 1)
	if g.count(1, kindSoldier) != 1 {
		t.Errorf("%d soldiers", g.count(1, kindSoldier))
	}
}

func TestCartsBecomeBuildings(t *testing.T) {
	g := newScene(t)
	base := g.supply(1, 300)
	site := base.Pos.Add(at(20, 3))
	g.Do(1, order(Build, homeOf(1), int64(kindBarracks), sixteenths(site.X), sixteenths(site.Y)))
	if g.count(1, kindCart) != 1 || g.get(homeOf(1)).Attr[attrWood] != 200 {
		t.Fatalf("%d carts, the base: %+v", g.count(1, kindCart), g.get(homeOf(1)))
	}
	g.Wait(80)
	if g.count(1, kindCart) != 0 || g.count(1, kindBarracks) != 1 {
		t.Fatalf("%d carts, %d barracks", g.count(1, kindCart), g.count(1, kindBarracks))
	}
	var built world.Object
	for o := range g.State.All() {
		if o.Kind == kindBarracks {
			built = *o
		}
	}
	if built.Pos != snap(site) || built.Attr[attrJob] != int64(kindCart) {
		t.Errorf("built: %+v, wanted at %v", built, site)
	}
	g.Wait(int(g.World.takes[kindBarracks]) + 1)
	if g.get(built.ID).Attr[attrJob] != 0 {
		t.Error("never finished")
	}
}

func TestCartsWaitWhereThereIsNoRoom(t *testing.T) {
	g := newScene(t)
	base := g.supply(1, 300)
	for range 2 { // two for the same place
		g.Do(1, order(Build, homeOf(1), int64(kindTower), sixteenths(base.Pos.X+20*tile), sixteenths(base.Pos.Y)))
		g.Wait(1)
	}
	g.Wait(100)
	if g.count(1, kindTower) != 1 || g.count(1, kindCart) != 1 {
		t.Fatalf("%d towers, %d carts", g.count(1, kindTower), g.count(1, kindCart))
	}
	for o := range g.State.All() {
		if o.Kind == kindCart {
			g.Do(1, goTo(o.ID, o.Pos.Add(at(0, 10))))
			break
		}
	}
	g.Wait(50)
	if g.count(1, kindTower) != 2 {
		t.Errorf("%d towers after sending the cart elsewhere", g.count(1, kindTower))
	}
}

func TestUsersWhoEnterAndLeaveTheRealm(t *testing.T) {
	g := newScene(t)
	g.Do(3, world.Action{Verb: world.Enter})
	if g.count(3, kindHall) != 1 || g.count(3, kindWorker) != firstWorkers || g.get(fieldOf(3, 0)) == nil {
		t.Fatalf("entered with %d bases and %d workers", g.count(3, kindHall), g.count(3, kindWorker))
	}
	for u := world.User(1); u <= 2; u++ {
		if g.get(homeOf(3)).Pos.Within(g.get(homeOf(u)).Pos, 40*tile) {
			t.Errorf("entered at %v, beside %v", g.get(homeOf(3)).Pos, g.get(homeOf(u)).Pos)
		}
	}
	hash := g.State.Hash()
	g.Do(3, world.Action{Verb: world.Enter})
	if g.State.Hash() != hash {
		t.Error("entering twice changes something")
	}
	g.add(g.World, 1003, 3, kindRider, at(10, 10))
	g.Do(3, world.Action{Verb: world.Leave})
	for o := range g.State.All() {
		if o.User == 3 {
			t.Errorf("left behind: %+v", o)
		}
	}
}

// An army that roams is as good a reason to begin elsewhere as a base.
func TestNobodyEntersBesideAnArmy(t *testing.T) {
	calm := newScene(t)
	calm.Do(3, world.Action{Verb: world.Enter})
	site := calm.get(homeOf(3)).Pos
	g := newScene(t)
	g.add(g.World, 1001, 2, kindRider, site)
	g.Do(3, world.Action{Verb: world.Enter})
	if at := g.get(homeOf(3)).Pos; at.Within(site, 20*tile) {
		t.Errorf("entered at %v, beside a rider at %v", at, site)
	}
}

func TestFogOfWar(t *testing.T) {
	g := newScene(t)
	hall := g.get(homeOf(1))
	spy := g.add(g.World, 1001, 2, kindRider, hall.Pos.Add(at(11, 0)))
	seen := func(u world.User, id world.ID) bool { return g.World.Sees(g.State, u, g.get(id)) }
	for n := range firstWorkers {
		g.put(workerOf(1, n), hall.Pos)
	}
	if seen(1, spy) || !seen(2, spy) || seen(2, homeOf(1)) || !seen(1, homeOf(1)) {
		t.Error("eleven tiles apart")
	}
	g.put(spy, hall.Pos.Add(at(9, 0)))
	if !seen(1, spy) || !seen(2, homeOf(1)) {
		t.Error("nine tiles apart")
	}
	if !seen(1, fieldOf(1, 0)) || seen(1, fieldOf(2, 0)) {
		t.Error("fields are seen like everything else")
	}
}

func TestScoreIsWealth(t *testing.T) {
	g := newScene(t)
	one := sorts[kindHall].worth() + firstWorkers*sorts[kindWorker].worth() + firstOre + firstWood
	if got := g.World.Score(g.State); got != fixed.FromInt(2*one) {
		t.Errorf("score %v, want %d", got, 2*one)
	}
	g.Do(1, order(Build, homeOf(1), int64(kindBarracks), 0, 0)) // what is spent is still there, as a cart
	if got := g.World.Score(g.State); got != fixed.FromInt(2*one) {
		t.Errorf("score %v after building, want %d", got, 2*one)
	}
}
