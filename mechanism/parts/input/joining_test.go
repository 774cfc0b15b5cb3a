package input

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

type guest struct{ Member }

// A server that is full refuses who was not there, and says so; who comes back in another life is let in again.
func TestFullServersKeepWhoIsThere(t *testing.T) {
	w := mechanismtest.Marbles(2)
	all := membership.NewMembers[*guest](membership.Seats{World: w, Servers: 1}, world.Minute)
	join := func(full bool, u world.User, life uint32) (welcome bool, said int, who membership.Member) {
		var out mechanism.Outbox
		r := wire.NewReader(AppendJoin(nil, membership.Identity{Life: life}, u))
		r.Byte()
		who, _, welcome, sound := ReceiveJoin(&all, full, 0, mechanism.NodeID(u)+1, &r, &out)
		if !sound {
			t.Fatal("the request cannot be read")
		}
		return welcome, out.Sends(), who
	}
	if welcome, said, _ := join(true, 1, 1); welcome || said != 1 {
		t.Errorf("a stranger is let in: %t, and told %d things", welcome, said)
	}
	welcome, said, who := join(false, 1, 1)
	if !welcome || said != 0 {
		t.Fatalf("where there is room: %t, %d", welcome, said)
	}
	all.Add(&guest{Member{Member: who}})
	if welcome, said, _ := join(true, 1, 2); !welcome || said != 0 {
		t.Errorf("who was there comes back: %t, and is told %d things", welcome, said)
	}
}

// A server that is late time and again says that it slows down, and its clients learn how far.
func TestSlowingIsReported(t *testing.T) {
	all := membership.NewMembers[*guest](membership.Seats{World: mechanismtest.Marbles(1), Servers: 1}, world.Minute)
	g := &guest{Member{Member: membership.Member{Node: 2, User: 1}}}
	all.Add(g)
	p := pace.New(pace.Config{Stretch: 8 * fixed.One, Refuse: 9 * fixed.One})
	const interval = 100 * world.Millisecond
	reported := int64(0)
	for now := world.Time(0); now < 5*world.Second; now += interval / 4 {
		var out mechanism.Outbox
		changed := Mind(&all, &p, now, interval, interval, &out)
		if changed != (len(out.Events()) == 1) {
			t.Fatalf("changed %t, %d events", changed, len(out.Events()))
		}
		for _, e := range out.Events() {
			reported = e.Value
		}
	}
	if reported <= 100 || reported != int64(p.Slowed()) || g.level != p.Level() {
		t.Errorf("reported %d, slowed to %d; the client is told level %d of %d", reported, p.Slowed(), g.level, p.Level())
	}
}
