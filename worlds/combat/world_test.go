package combat

import (
	"testing"

	"throng/internal/param"
	"throng/world"
	"throng/world/fixed"
	"throng/world/worldtest"
)

func newGame(t testing.TB, change func(*Config)) *worldtest.Game[*battle] {
	t.Helper()
	c := param.Default[Config]()
	c.Units, c.Side, c.TankSight, c.PlaneSight = 12, 800*metre, 200*metre, 300*metre
	if change != nil {
		change(&c)
	}
	return worldtest.NewGame(worldtest.Make[*battle](t, &c), 1)
}

func TestWorld(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"plain":  nil,
		"circle": func(c *Config) { c.Vision = "circle" },
		"hills":  func(c *Config) { c.Hills = 20 },
		"border": func(c *Config) { c.Walk = walkBorder },
		"peace":  func(c *Config) { c.Peace = true },
	} {
		t.Run(name, func(t *testing.T) { worldtest.Run(t, newGame(t, change).World) })
	}
}

func TestConfig(t *testing.T) {
	worldtest.Refuses(t, param.Default[Config](), map[string][]func(*Config){
		"tank-sight": {func(c *Config) { c.TankSight = c.Side }},
	})
}

// duel is two tanks, 100 m apart, of which the first looks at the second.
func duel(t *testing.T, change func(*Config)) *worldtest.Game[*battle] {
	g := newGame(t, func(c *Config) {
		c.Units, c.Planes = 2, 0
		if change != nil {
			change(c)
		}
	})
	for u, x := range map[world.User]fixed.F{1: 100 * metre, 2: 200 * metre} {
		o := g.State.Edit(unitOf(u))
		o.Pos = fixed.Vec{X: x, Y: 400 * metre}
		o.Attr[attrHeading] = 0
	}
	g.Window.Look(g.State)
	return g
}

func (b *battle) ticks(span world.Time) int { return int(world.TicksIn(span, b.Tick)) }

// Three hits bring a unit down, each missile hits once, the shooter gets the credit, and who is down starts again.
func TestShooting(t *testing.T) {
	g := duel(t, nil)
	for i := range 3 {
		if got := g.State.Get(2).Attr[attrHealth]; got != int64(healthMax-i) {
			t.Fatalf("%d left after %d hits", got, i)
		}
		g.Do(1, world.Action{Seq: uint32(i + 1), Verb: Fire, Args: [world.MaxArgs]int64{200, 400}})
		if g.State.Len() != 3 {
			t.Fatal("there is no missile")
		}
		g.Wait(g.World.ticks(world.Second))
		if g.State.Len() != 2 {
			t.Fatal("the missile flies on after it has hit")
		}
	}
	o := g.State.Get(2)
	if o.Attr[attrRises] == 0 || g.State.Get(1).Attr[attrHits] != 3 {
		t.Fatalf("three hits: %v, %v", o.Attr, g.State.Get(1).Attr)
	}
	at := o.Pos
	g.Wait(g.World.ticks(downtime))
	if o = g.State.Get(2); o.Attr[attrRises] != 0 || o.Attr[attrHealth] != healthMax || o.Pos == at {
		t.Errorf("it has not started again: %v", o.Attr)
	}
}

// A tank needs time to load, and a missile that meets nobody burns out.
func TestMissilesAreFew(t *testing.T) {
	g := duel(t, nil)
	for seq := range uint32(3) {
		g.Do(1, world.Action{Seq: seq + 1, Verb: Fire, Args: [world.MaxArgs]int64{100, 800}})
	}
	if g.State.Len() != 3 {
		t.Errorf("%d objects after three shots at once", g.State.Len())
	}
	g.Wait(g.World.ticks(burning) + 1)
	if g.State.Len() != 2 {
		t.Error("a missile has not burnt out")
	}
}

// Section 4: units have a speed and an acceleration; planes cannot stop.
func TestUnitsAccelerate(t *testing.T) {
	g := duel(t, nil)
	g.Do(1, world.Action{Seq: 1, Verb: Steer, Args: [world.MaxArgs]int64{full, 0}})
	g.Wait(1)
	if v := g.State.Get(1).Vel.X; v <= 0 || v > classes[kindTank].acceleration.Mul(g.World.dt)+1 {
		t.Errorf("%v after a tick", v)
	}
	g.Wait(g.World.ticks(3 * world.Second))
	if v := g.State.Get(1).Vel.X; v < classes[kindTank].speed*9/10 {
		t.Errorf("%v after three seconds", v)
	}
	g.State.Edit(2).Kind = kindPlane
	g.Window.Look(g.State)
	g.Wait(g.World.ticks(5 * world.Second))
	if o := g.State.Get(2); o.Vel.LenWithin(classes[kindPlane].least * 9 / 10) {
		t.Errorf("a plane stands still: %v", o.Vel)
	}
}

// Users look ahead over a half circle, unless they see all around; hills hide what is behind them from tanks.
func TestSight(t *testing.T) {
	sees := func(change func(*Config), turn fixed.Angle) bool {
		g := duel(t, change)
		g.State.Edit(1).Attr[attrHeading] = int64(turn)
		return g.World.Sees(g.State, 1, g.State.Get(2))
	}
	circle := func(c *Config) { c.Vision = "circle" }
	const back = fixed.QuarterTurn * 2
	if !sees(nil, 0) || sees(nil, back) || !sees(circle, back) {
		t.Error("sight is no half circle, or no circle")
	}
	if sees(func(c *Config) { c.TankSight = 50 * metre }, 0) {
		t.Error("a tank sees too far")
	}
	g := duel(t, func(c *Config) { c.Hills = 60 })
	hidden := 0
	for seed := range uint64(40) {
		if g.World.hidden(seed, g.State.Get(1).Pos, g.State.Get(2).Pos) {
			hidden++
		}
	}
	if hidden == 0 || hidden == 40 {
		t.Errorf("hills hide in %d of 40 worlds", hidden)
	}
}

// Artificial users fight, and come when they are called.
func TestPlayers(t *testing.T) {
	g := newGame(t, nil)
	g.Play(t, g.World.ticks(40*world.Second))
	if g.World.Score(g.State) == 0 || g.Actions[Steer] == 0 || g.Actions[Fire] == 0 {
		t.Errorf("%v hits in 40 s, by %v actions", g.World.Score(g.State), g.Actions)
	}
	g = newGame(t, func(c *Config) { c.Peace = true }) // or few get there
	at := fixed.Vec{X: 400 * metre, Y: 400 * metre}
	for _, p := range g.Players {
		p.(world.Gatherer).Gather(at, g.State.Tick()+world.Tick(g.World.ticks(world.Minute)))
	}
	g.Play(t, g.World.ticks(30*world.Second))
	there := 0
	for o := range g.State.All() {
		if o.Kind == kindTank && o.Pos.Within(at, 100*metre) {
			there++
		}
	}
	if there < 5 {
		t.Errorf("%d tanks are where all are called to", there)
	}
}

// What is usual for play is a world, too.
func TestPlay(t *testing.T) {
	c := param.Default[Config]()
	c.Play()
	if _, err := c.World(); err != nil {
		t.Error(err)
	}
}
