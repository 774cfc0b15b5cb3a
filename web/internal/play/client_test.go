package play

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"throng/catalog"
	"throng/live/protocol"
	"throng/web/internal/trouble"
	"throng/world"
	"throng/world/fixed"
	"throng/worlds/crowd"
)

func town(t *testing.T) *server {
	return newServer(t, "crowd", map[string]string{"walkers": "3", "mode": "dense", "sight": "400"})
}

func TestInTheWorldSoon(t *testing.T) {
	g := town(t)
	c := New(catalog.Default())
	c.Hello(g.now, []byte("token"), true, 0)
	for g.now < 5*world.Second {
		g.run(c, 10*world.Millisecond)
		if phase, _ := c.Phase(); phase == Playing {
			break
		}
	}
	if limit := 500 * world.Millisecond; g.now > limit {
		t.Errorf("in the world after %v on a round trip of %v; %v would be soon", g.now, 2*way, limit)
	}
	if h := g.hellos[0]; !h.Fresh || string(h.Token) != "token" {
		t.Errorf("said %+v", h)
	}
	if off := c.worldTime(g.now) - g.time(); off < -world.Millisecond || off > world.Millisecond {
		t.Errorf("the client's clock is off by %v", off)
	}
	body(t, g, c, "walker")
}

func TestWalksWhereTheUserSays(t *testing.T) {
	g := town(t)
	c := enter(t, g)
	x, y := body(t, g, c, "walker")
	if !c.Act(g.now, world.Action{Verb: crowd.Walk, Args: [world.MaxArgs]int64{100}}) {
		t.Fatal("the action was refused")
	}
	g.run(c, 2*world.Second)
	nowX, nowY := body(t, g, c, "walker")
	if east := nowX - x; east < 1.5 || east > 2.5 || nowY != y {
		t.Errorf("walked from %v,%v to %v,%v in two seconds", x, y, nowX, nowY)
	}
	n := c.Counts()
	if n.Acts != 1 || n.Applied != 1 || n.Response > int64(100*world.Millisecond) {
		t.Errorf("%d actions, %d applied, the last after %v", n.Acts, n.Applied, world.Time(n.Response))
	}
	if n.RoundTrip < int64(2*way) || n.BytesIn == 0 || n.BytesOut == 0 || n.Objects == 0 {
		t.Errorf("counts make no sense: %+v", n)
	}
}

func TestRefusesWhatMakesNoSense(t *testing.T) {
	g := town(t)
	c := New(catalog.Default())
	act := world.Action{Verb: crowd.Walk, Args: [world.MaxArgs]int64{100}}
	if c.Act(0, act) {
		t.Error("acted before joining")
	}
	c = enter(t, g)
	act.Args[0] = 1e9
	if c.Act(g.now, act) {
		t.Error("walked at the speed of a rocket")
	}
}

func TestSmoothBetweenTicks(t *testing.T) {
	g := town(t)
	c := enter(t, g)
	c.Act(g.now, world.Action{Verb: crowd.Walk, Args: [world.MaxArgs]int64{100}})
	g.run(c, world.Second)
	last, _ := body(t, g, c, "walker")
	stood := 0
	for range 100 {
		g.run(c, 10*world.Millisecond) // a tenth of a tick
		x, _ := body(t, g, c, "walker")
		if moved := float64(x - last); moved < 0 || moved > 0.03 {
			t.Fatalf("moved by %v m in 10 ms at a speed of 1 m/s", moved)
		} else if moved < 0.002 {
			stood++
		}
		last = x
	}
	if stood > 5 {
		t.Errorf("stood still in %d of 100 frames", stood)
	}
}

func TestShoutsAreHeard(t *testing.T) {
	g := town(t)
	c := enter(t, g)
	if !c.Say(g.now, "hello there") {
		t.Fatal("could not shout")
	}
	g.run(c, world.Second)
	kind, _ := c.session.World.Schema().Kind("shout")
	for _, r := range c.View(g.now) {
		if r.Kind == uint16(kind) {
			if said := c.Said(world.ID(r.ID)); said != "hello there" {
				t.Errorf("said %q", said)
			}
			return
		}
	}
	t.Error("nothing was heard")
}

func TestComputerPlays(t *testing.T) {
	g := newServer(t, "swarm", map[string]string{"bees": "2"})
	c := enter(t, g)
	if n := c.Counts().Acts; n != 0 {
		t.Fatalf("acted %d times unasked", n)
	}
	c.Autopilot(true)
	g.run(c, 3*world.Second)
	acts := c.Counts().Acts
	if acts == 0 {
		t.Error("the computer did nothing")
	}
	c.Autopilot(false)
	g.run(c, 3*world.Second)
	if n := c.Counts().Acts; n != acts {
		t.Errorf("went on playing: %d actions after %d", n, acts)
	}
}

func TestResumesWithTheSameNode(t *testing.T) {
	g := town(t)
	c := enter(t, g)
	node := c.machine
	c.Lost()
	g.up, g.down = nil, nil
	g.run(c, 3*world.Second)
	g.collect(c)
	if len(g.up) != 0 {
		t.Errorf("%d frames were sent without a connection", len(g.up))
	}
	if c.View(g.now) == nil {
		t.Error("the picture went away with the connection")
	}
	c.Hello(g.now, []byte("token"), false, 0)
	g.run(c, world.Second)
	if phase, _ := c.Phase(); phase != Playing || c.machine != node {
		t.Errorf("phase %d, same node %t", phase, c.machine == node)
	}
	if h := g.hellos[1]; h.Fresh {
		t.Error("said that it has no node")
	}
}

func TestBeginsAnewWhenTheSeatChanged(t *testing.T) {
	g := town(t)
	c := enter(t, g)
	node := c.machine
	c.Lost()
	g.epoch++ // somebody held the place meanwhile
	c.Hello(g.now, []byte("token"), false, 0)
	g.run(c, 2*world.Second)
	if phase, _ := c.Phase(); phase != Playing || c.machine == node {
		t.Errorf("phase %d, same node %t", phase, c.machine == node)
	}
}

func TestGivesUpAfterALongSleep(t *testing.T) {
	g := town(t)
	c := enter(t, g)
	g.now += absenceMax + world.Second
	c.Advance(g.now)
	if phase, _ := c.Phase(); phase != Stale {
		t.Fatalf("phase %d after a long sleep", phase)
	}
	c.Hello(g.now, []byte("token"), true, 0)
	g.run(c, 2*world.Second)
	if phase, _ := c.Phase(); phase != Playing {
		t.Errorf("phase %d after joining anew", phase)
	}
}

func TestGoodbye(t *testing.T) {
	g := town(t)
	g.refuse = "the seat is no longer held"
	c := New(catalog.Default())
	c.Hello(0, []byte("old"), true, 0)
	g.run(c, world.Second)
	if phase, reason := c.Phase(); phase != Ended || reason != g.refuse {
		t.Errorf("phase %d, reason %q", phase, reason)
	}

	g.refuse = ""
	c = enter(t, g)
	c.Bye()
	g.collect(c)
	g.run(c, world.Second)
	if g.byes != 1 {
		t.Errorf("said bye %d times", g.byes)
	}
}

func TestTroubleIsFelt(t *testing.T) {
	g := town(t)
	c := enter(t, g)
	if err := c.Trouble(trouble.Setting{Delay: 150 * world.Millisecond, Loss: fixed.One / 5}); err != nil {
		t.Fatal(err)
	}
	g.run(c, 20*world.Second)
	n := c.Counts()
	if trip := world.Time(n.RoundTrip); trip < 300*world.Millisecond || trip > 400*world.Millisecond {
		t.Errorf("a round trip of %v with 150 ms each way", trip)
	}
	if n.LostIn == 0 || n.LostOut == 0 {
		t.Errorf("lost %d and %d of %d and %d datagrams", n.LostIn, n.LostOut, n.DatagramsIn, n.DatagramsOut)
	}
	if err := c.Trouble(trouble.Setting{}); err != nil {
		t.Fatal(err)
	}
	g.run(c, 3*world.Second)
	if trip := world.Time(c.Counts().RoundTrip); trip > 2*way+5*world.Millisecond {
		t.Errorf("a round trip of %v without trouble", trip)
	}
}

func TestShortDatagramsWhereWanted(t *testing.T) {
	g := newServer(t, "swarm", map[string]string{"bees": "2"})
	c := New(catalog.Default())
	c.wire.open(64)
	for range 10 {
		c.wire.item(1, 0, make([]byte, 20))
	}
	c.wire.item(1, 0, make([]byte, 100))
	c.wire.flush()
	ways := ""
	g.collect(c)
	for _, f := range g.up {
		items, n := protocol.ReadData(f.frame), 0
		for _, ok := items.Next(); ok; _, ok = items.Next() {
			n++
		}
		ways += strings.Repeat("i", n) + " "
		if len(f.frame) > 64 && n != 1 {
			t.Errorf("%d datagrams in a frame of %d bytes", n, len(f.frame))
		}
	}
	if strings.Count(ways, "i") != 11 {
		t.Errorf("frames %q", ways)
	}
}

// Datagrams that are sent within a moment travel together; what the user does travels at once.
func TestDatagramsTravelTogether(t *testing.T) {
	var o outgoing
	o.open(0)
	frames := 0
	for now := world.Second; now < 2*world.Second; now += world.Millisecond {
		o.item(1, 0, []byte{1})
		before := len(o.list)
		if o.flushDue(now); len(o.list) > before {
			frames++
		}
	}
	if most := int(world.Second / gathering); frames > most || frames < most/2 {
		t.Errorf("%d frames in a second", frames)
	}
	g := town(t)
	c := enter(t, g)
	c.Frames()
	c.Act(g.now, world.Action{Verb: crowd.Walk, Args: [world.MaxArgs]int64{100}})
	if len(c.Frames()) == 0 {
		t.Error("what the user does waits")
	}
}

func TestDescribesItself(t *testing.T) {
	g := town(t)
	c := enter(t, g)
	var d struct {
		Mechanism string
		User      int
		Sight     float64
		World     struct {
			Name  string
			Tick  float64
			Kinds []struct{ Name string }
			Verbs []struct {
				Name string
				Args []struct{ Max float64 }
			}
		}
	}
	if err := json.Unmarshal(c.Describe(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Mechanism != "central" || d.User != 1 || d.World.Name != "crowd" || d.World.Tick != 100 || len(d.World.Kinds) != 3 {
		t.Errorf("described as %+v", d)
	}
	if walk := d.World.Verbs[crowd.Walk]; walk.Name != "walk" || walk.Args[0].Max != 200 {
		t.Errorf("walking is %+v", walk)
	}
}

// The page reads counters and phases by their places.
func TestPageKnowsTheOrder(t *testing.T) {
	source, err := os.ReadFile("../../src/client.ts")
	if err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile(`\w+`)
	list := func(pattern string) string {
		found := regexp.MustCompile(pattern).FindSubmatch(source)
		if found == nil {
			t.Fatalf("the page has no %s", pattern)
		}
		return strings.ToLower(strings.Join(words.FindAllString(string(found[1]), -1), " "))
	}
	var counters []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Counts]()) {
		counters = append(counters, strings.ToLower(f.Name))
	}
	if got, want := list(`(?s)COUNTERS = \[(.*?)\]`), strings.Join(counters, " "); got != want {
		t.Errorf("the page reads %s instead of %s", got, want)
	}
	phases := []string{Idle: "idle", Asking: "asking", Timing: "timing", Joining: "joining", Playing: "playing", Ended: "ended", Broken: "broken", Stale: "stale"}
	if got, want := list(`enum Phase \{(.*?)\}`), strings.Join(phases, " "); got != want {
		t.Errorf("the page knows the phases %s instead of %s", got, want)
	}
}

func TestViewDoesNotAllocate(t *testing.T) {
	g := newServer(t, "swarm", map[string]string{"bees": "64"})
	c := enter(t, g)
	c.Autopilot(true)
	g.run(c, 2*world.Second)
	frame := world.Time(0)
	if allocs := testing.AllocsPerRun(100, func() {
		frame += 100 * world.Microsecond // within a tick
		if len(c.View(g.now+frame)) == 0 {
			t.Fatal("nothing to see")
		}
	}); allocs > 0 {
		t.Errorf("%v allocations in a frame", allocs)
	}
}

func FuzzReceive(f *testing.F) {
	f.Add([]byte{})
	f.Add(protocol.AppendPong(nil, 5, math.MaxInt64))
	f.Add(protocol.AppendGoodbye(nil, "bye"))
	f.Add(protocol.AppendItem(protocol.AppendData(nil), 1, 0, []byte{1, 2, 3}))
	f.Add(protocol.AppendWelcome(nil, &protocol.Welcome{Node: 2, User: 1, Role: []byte("client"),
		Description: []byte(`{"world":{"name":"pong"},"mechanism":{"name":"central"},"seed":"1"}`)}))
	f.Fuzz(func(t *testing.T, frame []byte) {
		c := New(catalog.Default())
		c.Hello(0, []byte("token"), true, 0)
		c.Receive(1, frame)
		c.Receive(2, frame)
		c.Advance(world.Second)
		c.View(world.Second)
		c.Frames()
	})
}
