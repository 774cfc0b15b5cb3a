package action

import (
	"fmt"
	"slices"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// faked is a tangle as a cheat has it: what its own user mixes comes out as it likes.
type faked struct {
	*tangle
	user  world.User
	reach world.ID // what its own actions touch besides, if anything
	lies  *int     // how often
}

func (f faked) Act(w *world.Window, a *world.Action) {
	f.tangle.Act(w, a)
	if a.User != f.user {
		return
	}
	for _, id := range []world.ID{world.ID(f.user), f.reach} {
		if o := w.Edit(id); o != nil {
			o.Attr[number] = 4711
			*f.lies++
		}
	}
}

func (f faked) Reach(s *world.State, a *world.Action, p *world.Footprint) {
	f.tangle.Reach(s, a, p)
	if a.User == f.user && f.reach != 0 {
		p.Write(f.reach)
	}
}

// cheating is a mechanism under which one user's client cheats. What that client holds is not judged.
type cheating struct {
	*court
	fake faked
}

func (c cheating) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	if p.User != c.fake.user || p.User == 0 {
		return c.court.NewNode(s, p)
	}
	own := *s
	own.World = c.fake
	return c.Config.NewNode(&own, p)
}

// runWithCheat has four users mix up what they have, one of whom cheats, and returns how often the cheat was found out.
func runWithCheat(t *testing.T, fake faked, change func(*Config)) (*mechanismtest.Rig, *court, *int) {
	t.Helper()
	config := param.Default[Config]()
	change(&config)
	w := newTangle(4, 6)
	w.still = true
	fake.tangle, fake.user, fake.lies = w, 4, new(int)
	c := &court{Config: &config}
	r := mechanismtest.StartRig(t, cheating{c, fake}, w, 20*ms)
	found := new(int)
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if e.Name == Lied {
				if *found++; e.User != 4 {
					t.Errorf("user %d is taken for a liar", e.User)
				}
			}
		}
	}
	for i := range 60 {
		for u := world.User(1); u <= 4; u++ {
			if r.Ready(star.NodeOf(u)) {
				own := int64(1) << (u - 1)
				r.Act(u, world.Action{Verb: mix, Args: [world.MaxArgs]int64{own, own, int64(i)}})
			}
		}
		r.Advance(100 * ms)
	}
	r.Advance(2 * world.Second)
	return r, c, found
}

// TestLiarsAreFoundOut: a client that lies about what its actions do is cut, sooner or later, and what it said is put right.
func TestLiarsAreFoundOut(t *testing.T) {
	for _, protocol := range protocols {
		for _, audit := range []fixed.F{fixed.One, fixed.Ratio(1, 10)} {
			r, c, found := runWithCheat(t, faked{}, func(c *Config) { c.Protocol, c.Audit = protocol, audit })
			if *found != 1 || serverOf(r).members.At(star.NodeOf(4)) != nil {
				t.Errorf("%s, %v: found out %d times", protocol, audit, *found)
			}
			if err := c.order.Verdict(); audit == fixed.One && err != nil {
				t.Errorf("%s: %v", protocol, err)
			}
			if audit == fixed.One && serverOf(r).state.Get(4).Attr[number] == 4711 {
				t.Errorf("%s: the lie stands", protocol)
			}
		}
	}
}

// Without audits, the lie stands: which is why there are some.
func TestWithoutAuditsLiesStand(t *testing.T) {
	r, _, found := runWithCheat(t, faked{}, func(c *Config) { c.Audit = 0 })
	if *found != 0 || serverOf(r).state.Get(4).Attr[number] != 4711 {
		t.Errorf("found out %d times; the number is %d", *found, serverOf(r).state.Get(4).Attr[number])
	}
}

// TestDisagreementIsSettledByTheServer: where everybody says what came of an action, a lie is found out without any luck.
func TestDisagreementIsSettledByTheServer(t *testing.T) {
	r, _, found := runWithCheat(t, faked{}, func(c *Config) { c.Completion, c.Audit = All, 1 }) // as good as no audits
	if *found != 1 || serverOf(r).members.At(star.NodeOf(4)) != nil {
		t.Errorf("found out %d times", *found)
	}
}

// TestOnlyWhatTheRulesAllowIsWritten: an action whose client says that it touches somebody else's object has no place.
func TestOnlyWhatTheRulesAllowIsWritten(t *testing.T) {
	r, _, found := runWithCheat(t, faked{reach: 1}, func(c *Config) { c.Audit = 1 }) // as good as no audits
	if o := serverOf(r).state.Get(1); o.Attr[number] == 4711 || *found != 0 {
		t.Errorf("object 1 is %v, found out %d times", o, *found)
	}
	for u := world.User(1); u <= 3; u++ {
		if clientOf(r, u).view.Get(1).Attr[number] == 4711 {
			t.Errorf("user %d sees it changed", u)
		}
	}
}

// attacker is a client of which nothing works but its link.
type attacker struct {
	*link.Layer
	serial byte
}

// give hands the server a message as from user 4.
func (a *attacker) give(r *mechanismtest.Rig, mode link.Mode, payload []byte) {
	var out mechanism.Outbox
	a.Send(r.Now(), star.Server, mechanism.Command, payload, mode, &out)
	r.Give(out.Message(0, star.NodeOf(4)))
}

// TestInventedObjectsCostLittle: looks at objects that nobody has ever heard of, and entries that write them, cost no more than
// what exists.
func TestInventedObjectsCostLittle(t *testing.T) {
	r, _ := newRun(t, newTangle(4, 6), nil)
	r.Leave(star.NodeOf(4))
	a := &attacker{Layer: link.New(param.Default[Config]().Link, star.NodeOf(4), 0)}
	var invented world.Set
	for i := range world.ID(15_500) {
		invented = append(invented, 1_000_000+2*i)
	}
	look := wire.AppendUint(membership.Identity{}.Append([]byte{kindLook}), 0)
	look = appendIDs(wire.AppendUint(append(look, 0), uint64(len(invented))), invented)
	sent := 0
	r.Observe = func(c *mechanismtest.Call) { sent += c.Out.Sends() }
	for range 100 {
		a.give(r, link.Unreliable, look)
	}
	if sent > 100+6*goneMax/newsBytes+100 {
		t.Errorf("%d datagrams for looks at what does not exist", sent)
	}
	held := mechanismtest.Allocated(func() {
		for range 200 {
			e := mechanism.Entry{Action: world.Action{User: 4, Verb: spawn, Target: 4}}
			e.Footprint.Reads, e.Footprint.Writes = invented, invented
			msg := appendEntry([]byte{kindSubmit, 0, a.serial}, &e)
			a.serial++
			a.give(r, link.Ordered, append(msg, 0))
		}
	})
	n := serverOf(r)
	if len(n.order.objects) > 100 || n.order.bytes() > 1<<20 {
		t.Errorf("%d objects are known, the order takes %d bytes of %d allocated", len(n.order.objects), n.order.bytes(), held)
	}
}

// TestNobodyIsFasterThanTime: a client cannot let the same tick pass twice, nor one that is far ahead.
func TestNobodyIsFasterThanTime(t *testing.T) {
	r, _ := newRun(t, newTangle(4, 6), nil)
	r.Play(10)
	n := serverOf(r)
	m := n.members.At(star.NodeOf(3))
	step := func(tick world.Tick, steps int) *entry {
		e := &entry{Entry: mechanism.Entry{Action: world.Action{User: 3}, Tick: tick, Steps: steps}}
		e.Footprint.Write(3)
		return e
	}
	m.stepped = 20
	for _, c := range []struct {
		tick  world.Tick
		steps int
		want  bool
	}{{20, 1, true}, {30, 5, true}, {19, 1, false}, {0, 100, false}, {1 << 30, 1, false}} {
		if got := n.permits(r.Now(), m, step(c.tick, c.steps)); got != c.want {
			t.Errorf("%d ticks from %d: %v", c.steps, c.tick, got)
		}
	}
}

func TestAuditsCannotBeForeseen(t *testing.T) {
	audited := func(from mechanism.NodeID, at world.Time) string {
		a := auditor{share: 1 << 31}
		a.stir(at, from)
		var list []int
		for i := range 64 {
			if a.picks(&entry{}) {
				list = append(list, i)
			}
		}
		if len(list) < 16 || len(list) > 48 {
			t.Errorf("%d of 64 are audited", len(list))
		}
		return fmt.Sprint(list)
	}
	all := []string{audited(2, 5), audited(3, 5), audited(2, 6), audited(2, 1<<40)}
	slices.Sort(all)
	if len(slices.Compact(all)) < 4 {
		t.Error("messages at other times lead to the same audits")
	}
}

// TestDeclarationsAreBoundedInAll: what a client may declare for one entry it may not declare for a thousand.
func TestDeclarationsAreBoundedInAll(t *testing.T) {
	r, _ := newRun(t, newTangle(4, 6), nil)
	r.Play(10)
	n := serverOf(r)
	m := n.members.At(star.NodeOf(3))
	e := &entry{Entry: mechanism.Entry{Action: world.Action{User: 3, Verb: spawn, Target: 3}}}
	e.Footprint.Write(3)
	if !n.permits(r.Now(), m, e) {
		t.Fatal("an honest action is refused")
	}
	for _, full := range []*int{&m.reads, &m.writes} {
		was := *full
		*full = openReadsMax
		if n.permits(r.Now(), m, e) {
			t.Error("there is no end to it")
		}
		*full = was
	}
}

// TestLooksAreBounded: nobody is told of more objects that do not exist than can have come and gone.
func TestLooksAreBounded(t *testing.T) {
	r, _ := newRun(t, newTangle(4, 6), nil)
	r.Play(10)
	r.Advance(2 * world.Second)
	items := 0
	r.Observe = func(c *mechanismtest.Call) { items += c.Out.Items()[mechanism.Update] }
	n := serverOf(r)
	n.members.At(star.NodeOf(4)).lookAt = 0
	look := wire.AppendUint(membership.Identity{}.Append([]byte{kindLook}), uint64(r.Now()))
	look = wire.AppendUint(append(look, 0), 15_500)
	for range 15_500 {
		look = append(look, 100)
	}
	(&attacker{Layer: link.New(param.Default[Config]().Link, star.NodeOf(4), 0)}).give(r, link.Unreliable, look)
	if items == 0 || items > goneMax+n.state.Len() {
		t.Errorf("told of %d objects", items)
	}
}
