package lockstep

import (
	"testing"

	"pgregory.net/rapid"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// When the server is replaced its clients tell it of the world, which goes on where it stood.
func TestServerIsReplaced(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(3), nil)
	all := watch(r)
	a := agreement{hashes: map[world.Tick]uint64{}}
	r.Start()
	for range 100 {
		r.Play(1)
		a.look(t, r)
	}
	r.Leave(star.Server)
	for range 40 {
		r.Advance(50 * ms)
		a.look(t, r)
	}
	stood := clientOf(r, 1).tick()
	if err := r.Join(star.Server); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		r.Advance(50 * ms)
		if serverOf(r).recovery == nil {
			a.look(t, r)
		}
	}
	if got := serverOf(r).tick(); got <= stood || got > stood+120 {
		t.Errorf("the world stood at tick %d, and is at %d now", stood, got)
	}
	r.Play(50)
	r.Advance(world.Second)
	wantInStep(t, r)
	if len(all[mechanism.Restarted]) > 0 || len(all[mechanism.Differed]) > 0 {
		t.Error("the world began again, or differs")
	}
}

// Where all have lost their memory the world begins again.
func TestNobodyKnowsTheWorld(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(2), nil)
	all := watch(r)
	r.Start()
	r.Play(100)
	for id := star.Server; id <= star.NodeOf(2); id++ {
		r.Leave(id)
	}
	r.Advance(world.Second)
	for id := star.Server; id <= star.NodeOf(2); id++ {
		if err := r.Join(id); err != nil {
			t.Fatal(err)
		}
	}
	r.Advance(10 * world.Second)
	wantInStep(t, r)
	if len(all[mechanism.Restarted]) != 1 {
		t.Errorf("the world began again %d times", len(all[mechanism.Restarted]))
	}
}

// Who crashes with the server and does not come back leaves the world that others bring back; a newcomer's user enters it.
func TestWhoDoesNotComeBackToTheServer(t *testing.T) {
	r := rig(t, hotel{mechanismtest.Marbles(3)}, nil)
	r.Start()
	r.Play(60)
	r.Leave(star.Server)
	r.Leave(star.NodeOf(2))
	r.Leave(star.NodeOf(3))
	r.Advance(world.Second)
	for _, id := range []mechanism.NodeID{star.Server, star.NodeOf(3)} {
		if err := r.Join(id); err != nil {
			t.Fatal(err)
		}
	}
	r.Advance(3 * world.Second)
	if serverOf(r).recovery != nil || serverOf(r).follower.State().Get(2) == nil {
		t.Error("the world is not back, or without the one who may still come")
	}
	r.Advance(5 * world.Second)
	if s := r.View(star.NodeOf(1)); s.Get(1) == nil || s.Get(2) != nil || s.Get(3) == nil {
		t.Error("who is gone is still there, or who is there is not")
	}
	wantInStep(t, r)
}

// A snapshot that is not the world that was claimed is not taken, and a claim of the future or of the midst of a turn does not count.
func TestLiesAboutTheWorld(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(3), nil)
	r.Start()
	r.Play(60)
	r.Leave(star.Server)
	r.Advance(2 * world.Second)
	liar := clientOf(r, 3)
	forged := liar.follower.State().Clone()
	forged.Edit(1).Pos.X++
	liar.follower.Restart(forged)
	all := watch(r)
	if err := r.Join(star.Server); err != nil {
		t.Fatal(err)
	}
	r.Advance(6 * world.Second)
	if got := serverOf(r).follower.State().Get(1); *got != *r.View(star.NodeOf(1)).Get(1) || len(all[mechanism.Restarted]) > 0 {
		t.Error("one has outvoted two")
	}
	wantInStep(t, r)

	var out mechanism.Outbox
	n := newServer(serverOf(r).config, r.Session.Join(r.Session.Places[0], 9))
	n.Wake(10*world.Second, &out)
	ticks := world.Tick(10 * world.Second / n.pace.Tick)
	for tick, want := range map[world.Tick]bool{ticks: true, ticks - n.pace.Ticks: true, ticks - 1: false, ticks + n.pace.Ticks: false} {
		m := mechanism.Message{From: 2, Payload: appendClaim(nil, latejoin.Claim{At: uint64(tick)})}
		if n.hear(10*world.Second, m, &out) != want {
			t.Errorf("a claim of tick %d at %d is taken: %v", tick, ticks, !want)
		}
	}
}

// Whoever crashes, the server included, in the end all are in step.
func TestEverybodyRecovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		users := world.User(rapid.IntRange(1, 4).Draw(t, "users"))
		c := param.Default[Config]()
		c.Delay = rapid.IntRange(2, 6).Draw(t, "delay")
		c.Dynamic = rapid.Bool().Draw(t, "dynamic")
		r, err := mechanismtest.NewRig(&c, hotel{mechanismtest.Marbles(users)}, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		r.Network = mechanismtest.Unsteady(rapid.Uint64().Draw(t, "losses"), 200*ms, rapid.Uint64Range(0, 30).Draw(t, "loss"))
		r.Start()
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			r.Play(rapid.IntRange(1, 60).Draw(t, "ticks"))
			id := star.Server + mechanism.NodeID(rapid.IntRange(0, int(users)).Draw(t, "who"))
			if r.Leave(id); rapid.Bool().Draw(t, "later") {
				r.Advance(world.Time(rapid.IntRange(0, 5000).Draw(t, "away")) * ms)
			}
			if err := r.Join(id); err != nil {
				t.Fatal(err)
			}
		}
		r.Network = mechanismtest.Constant(10 * ms)
		r.Advance(world.Minute)
		right := serverOf(r).follower.State()
		for u := range users {
			n, m := clientOf(r, u+1), serverOf(r).members.At(star.NodeOf(u+1))
			if m == nil || n.phase != playing || m.phase != playing || n.tick() != right.Tick() || n.View().Hash() != right.Hash() {
				t.Fatalf("user %d is in phase %d at tick %d of %d", u+1, n.phase, n.tick(), right.Tick())
			}
			if right.Get(world.ID(u+1)) == nil {
				t.Fatalf("user %d is not in the world", u+1)
			}
		}
	})
}

// claims hands a client the word of a server that knows no world, and returns what it claims to know.
func claims(t *testing.T, r *mechanismtest.Rig, n *client) (some []latejoin.Claim) {
	t.Helper()
	var out mechanism.Outbox
	word := wire.NewReader([]byte{9})
	if !n.receiveBereft(r.Now(), &word, &out) {
		t.Fatal("it cannot be read")
	}
	for i := range out.Sends() {
		for part := range link.Parts(n.config.Link, out.Message(i, n.place.ID).Payload) {
			if p := wire.NewReader(part.Payload); p.Byte() == kindClaim {
				some = append(some, readClaim(&p))
			}
		}
	}
	return some
}

// A client claims a world at the end of all it knows, if it has been in step; one that has yet to get there claims none.
func TestWhatClientsClaim(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(2), nil)
	r.Start()
	r.Play(61)
	n := clientOf(r, 1)
	end := n.pace.First(n.batches.next)
	if n.tick() >= end {
		t.Fatal("it knows no more than it has carried out")
	}
	if got := claims(t, r, n); len(got) != 1 || world.Tick(got[0].At) != end || got[0].Hash != n.View().Hash() {
		t.Errorf("it claims %v, want tick %d", got, end)
	}
	if err := r.Join(star.NodeOf(2)); err != nil {
		t.Fatal(err)
	}
	if got := claims(t, r, clientOf(r, 2)); len(got) > 0 {
		t.Errorf("a newcomer without a world claims %v", got)
	}
	for n = clientOf(r, 2); !n.presence.Joining(); r.Advance(ms) {
	}
	if got := claims(t, r, n); len(got) > 0 {
		t.Errorf("a newcomer who has just fetched a world claims %v", got)
	}
}

// What is fetched must be what was claimed.
func TestForgedSnapshot(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(2), nil)
	r.Start()
	r.Play(60)
	n := newServer(serverOf(r).config, r.Session.Join(r.Session.Places[0], 1))
	var out mechanism.Outbox
	n.Wake(r.Now(), &out)
	right := r.View(star.NodeOf(1)).Clone()
	right.SetTick(n.pace.First(n.pace.Of(right.Tick())))
	forged := right.Clone()
	forged.Edit(1).Pos.X++
	for _, s := range []*world.State{forged, right} {
		n.recovery = latejoin.NewRecovery(star.Server, 1)
		n.recovery.Claim(r.Now(), 2, latejoin.Claim{At: uint64(right.Tick()), Hash: right.Hash()})
		_, ask := n.recovery.Poll(n.recovery.Next(), nil)
		var g latejoin.Guide
		taken := false
		g.Answer(r.Now(), star.Server, ask, s.Append, func(chunk []byte) { taken = n.receiveWorld(r.Now(), 2, chunk) })
		if taken != (s == right) || taken != (n.recovery == nil) {
			t.Errorf("taken: %v, although it is the right one: %v", taken, s == right)
		}
	}
}
