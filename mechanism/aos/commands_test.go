package aos

import (
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// What a user does names no object, and comes to a server that does not know the one it is done to: it finds its way, and takes
// effect there.
func TestCommandsWithoutATargetFindTheirObject(t *testing.T) {
	config := param.Default[Config]()
	rig := run(t, &config, mechanismtest.Marbles(8), 5*ms)
	rig.Advance(world.Second)
	applied, _ := events(rig, mechanism.Confirmed)
	for user := world.User(1); user <= 8; user++ {
		id := world.ID(user)
		for _, n := range serversOf(rig) {
			if n.replica.state().Get(id) != nil {
				continue
			}
			a := world.Action{User: user, Seq: uint32(100 + n.area), Verb: mechanismtest.Push, Args: [world.MaxArgs]int64{int64(10 * fixed.One)}}
			c := rig.Node(config.Admit(user).ID).(*client)
			c.pending.add(a.Seq, n.area)
			r := wire.NewReader(appendCommand(nil, &command{action: a})[1:])
			var out mechanism.Outbox
			if !n.takeCommand(rig.Now(), n.members.Of(user), &r, &out) {
				t.Fatal("the command makes no sense")
			}
			for i := range out.Sends() { // the rig did not see the call
				m := out.Message(i, n.self)
				rig.Give(m)
			}
			before := *applied
			rig.Advance(2 * world.Second)
			moved := false
			for _, n := range serversOf(rig) {
				if o := n.replica.state().Get(id); o != nil && n.replica.owns(o) {
					moved = o.Pos.X != rig.Session.Start.Get(id).Pos.X
				}
			}
			if !moved || *applied != before+1 {
				t.Fatalf("a command of user %d to area %d, which does not know the marble: moved %v, confirmed %d times", user, n.area, moved, *applied-before)
			}
			break
		}
	}
}

// Settings under which nothing could work are refused, with the reason.
func TestSettingsThatCannotWorkAreRefused(t *testing.T) {
	c := param.Default[Config]()
	if err := param.Set(&c, "turns", "1"); err == nil {
		t.Error("a delay of one turn, after which clients would have to answer before they are asked, is accepted")
	}
	c.Zone = fixed.One
	_, err := mechanismtest.NewRig(&c, mechanismtest.Marbles(3), 1)
	if err == nil || !strings.Contains(err.Error(), "effects reach 4") {
		t.Errorf("zones that are narrower than effects reach: %v", err)
	}
	c.Zone = 4 * fixed.One
	if _, err := mechanismtest.NewRig(&c, mechanismtest.Marbles(3), 1); err != nil {
		t.Errorf("zones that are as wide as effects reach: %v", err)
	}
	c.Columns, c.Rows, c.Zone = 1, 1, fixed.One
	if _, err := mechanismtest.NewRig(&c, mechanismtest.Marbles(3), 1); err != nil {
		t.Errorf("one area without neighbours: %v", err)
	}
}

// An area knows what is near as far as effects and sight reach, and no less.
func TestZonesAreAsWideAsTheyMustBe(t *testing.T) {
	config := param.Default[Config]()
	config.Columns, config.Rows = 2, 1
	for _, zone := range []fixed.F{0, 60 * fixed.One, 200 * fixed.One} {
		config.Zone = zone
		w := newTraders(40, 100*fixed.One) // their effects reach everywhere, their eyes a tenth of the way
		w.effect = 60 * fixed.One
		rig := run(t, &config, w, 5*ms)
		rig.Advance(world.Second)
		reach := zone
		if zone == 0 {
			reach = 100 * fixed.One
		}
		for _, n := range serversOf(rig) {
			for o := range rig.Session.Start.All() {
				near := n.plan.Within(n.area, o.Pos, reach)
				if knows := n.replica.state().Get(o.ID) != nil; knows != near {
					t.Errorf("zone %v: area %d knows of the trader at %v: %v", zone, n.area, o.Pos.X, knows)
				}
			}
		}
	}
}
