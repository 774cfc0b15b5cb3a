package aos

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// One trader shares gold with two others, each on a server of their own, and one of the servers crashes at any moment of that, loses
// its memory and is back with nothing but its record. Whatever comes of the deal, the two who kept their memory agree about it, and
// nobody holds anything for it any more.
func TestDealsOfThreeSurviveACrash(t *testing.T) {
	const gift = 300
	outcomes, resumed := map[int64]int{}, 0
	for victim := range 3 {
		for after := world.Time(0); after < 700*ms; after += 20 * ms {
			config := param.Default[Config]()
			config.Columns, config.Rows, config.Timeout = 3, 1, 3*world.Second
			rig := run(t, &config, newTraders(3, 2000*fixed.One), 15*ms)
			rig.Advance(world.Second)
			rig.Act(1, world.Action{Verb: verbShare, Target: 2, Args: [world.MaxArgs]int64{gift, 3}})
			rig.Advance(after)
			id := config.servers().Of(victim)
			rig.Leave(id)
			rig.Advance(100 * ms)
			if err := rig.Join(id); err != nil {
				t.Fatal(err)
			}
			if n := rig.Node(id).(*server); n.commits.active() {
				resumed++
			}
			rig.Advance(15 * world.Second)
			got := map[world.ID]int64{}
			for _, n := range serversOf(rig) {
				if n.commits.active() {
					t.Fatalf("server %d crashed after %v: area %d still has %d deals and %d promises", victim, after, n.area, len(n.commits.ledger.deals), len(n.commits.ledger.promises))
				}
				for o := range n.replica.state().All() {
					if n.replica.owns(o) && n.area != victim {
						got[o.ID] = o.Attr[gold] - 1000
					}
				}
			}
			if got[1] == -2*gift {
				got[1] = gift
			}
			var each []int64
			for user := world.ID(1); user <= 3; user++ {
				if change, known := got[user]; known {
					each = append(each, change)
				}
			}
			if len(each) != 2 || each[0] != each[1] || each[0] != 0 && each[0] != gift {
				t.Fatalf("server %d crashed after %v: gold has changed by %v", victim, after, got)
			}
			outcomes[each[0]]++
		}
	}
	if outcomes[0] == 0 || outcomes[gift] == 0 || resumed == 0 {
		t.Errorf("the deal came about %d times and not %d times, and was taken up from a record %d times: not all moments were met", outcomes[gift], outcomes[0], resumed)
	}
}

// Those who share in sending take turns, and whoever is told by another one than before goes on seeing what there is.
func TestTellersTakeTurns(t *testing.T) {
	kept, blinks := tellersOver(t, 0)
	turns, more := tellersOver(t, 2*world.Second)
	for u, by := range kept {
		if len(by) > 1 {
			t.Errorf("user %d was told by %d where nobody is to take turns", u, len(by))
		}
	}
	most := 0
	for _, by := range turns {
		most += len(by)
	}
	if most < 3*len(kept) {
		t.Errorf("%d users were told by %d in 20 seconds", len(kept), most)
	}
	if more > blinks {
		t.Errorf("%d times something was out of sight for a moment, and only %d where nobody takes turns", more, blinks)
	}
}

// What one who told a client of an area believed to be there, and the next one does not, is gone after a while.
func TestWhatOnlyAFormerTellerKnewIsGone(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Pool, config.Rotate = 2, 1, true, world.Second
	rig := run(t, &config, mechanismtest.Marbles(8), 5*ms)
	rig.Play(200)
	phantom := world.Object{ID: 999}
	haunted := 0
	for u := world.User(1); u <= 8; u++ {
		n := rig.Node(config.Admit(u).ID).(*client)
		for i := range n.regions {
			if f := &n.regions[i].feed; f.receiver != nil {
				f.known.Put(phantom)
				n.view.hear(&phantom)
				haunted++
			}
		}
	}
	if haunted == 0 {
		t.Fatal("nobody is told of any area")
	}
	rig.Play(200)
	for u := world.User(1); u <= 8; u++ {
		if rig.View(config.Admit(u).ID).Get(phantom.ID) != nil {
			t.Errorf("user %d still sees what nobody tells of", u)
		}
	}
}

// tellersOver returns who tells whom over some time if they take turns so often, and how often anything was out of sight for a moment.
func tellersOver(t *testing.T, rotate world.Time) (tellers map[world.User]map[mechanism.NodeID]bool, blinks int) {
	t.Helper()
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Pool, config.Rotate = 2, 1, true, rotate
	rig := run(t, &config, mechanismtest.Marbles(8), 5*ms)
	rig.Play(200)
	type sight struct {
		user world.User
		id   world.ID
	}
	tellers, last := map[world.User]map[mechanism.NodeID]bool{}, map[sight]int{}
	for tick := range 400 {
		rig.Play(1)
		for _, n := range serversOf(rig) {
			for _, u := range n.desk.told {
				if tellers[u] == nil {
					tellers[u] = map[mechanism.NodeID]bool{}
				}
				tellers[u][n.members.Of(u).told.node] = true
			}
		}
		for u := world.User(1); u <= 8; u++ {
			for o := range rig.View(config.Admit(u).ID).All() {
				at, seen := last[sight{u, o.ID}]
				if seen && at < tick-1 && at > tick-20 {
					blinks++
				}
				last[sight{u, o.ID}] = tick
			}
		}
	}
	return tellers, blinks
}

// A client that tells others of an area dies: they are soon told by somebody else, and see what goes on.
func TestDeadTellersAreReplaced(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Pool = 2, 1, true
	rig := run(t, &config, mechanismtest.Marbles(8), 5*ms)
	rig.Play(200)
	tellers := func() (told map[mechanism.NodeID][]world.User) {
		told = map[mechanism.NodeID][]world.User{}
		for _, n := range serversOf(rig) {
			for _, u := range n.desk.told {
				told[n.members.Of(u).told.node] = append(told[n.members.Of(u).told.node], u)
			}
		}
		return told
	}
	var dead mechanism.NodeID
	for id := mechanism.NodeID(4); int(id) <= len(rig.Session.Places) && dead == 0; id++ {
		if len(tellers()[id]) > 0 {
			dead = id
		}
	}
	if dead == 0 {
		t.Fatal("no client tells anybody of an area")
	}
	orphans := tellers()[dead]
	rig.Leave(dead)
	rig.Play(120)
	if left := tellers()[dead]; len(left) > 0 {
		t.Errorf("users %v are still to be told by the dead", left)
	}
	for _, u := range orphans {
		heard := 0
		rig.Observe = func(c *mechanismtest.Call) {
			if c.Kind == mechanismtest.Receive && c.Node == config.Admit(u).ID && c.Message.Class == mechanism.Update {
				heard++
			}
		}
		rig.Play(60)
		if config.Admit(u).ID != dead && heard == 0 {
			t.Errorf("user %d is told nothing any more", u)
		}
	}
}
