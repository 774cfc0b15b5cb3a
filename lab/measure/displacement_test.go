package measure_test

import (
	"math"
	"testing"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// judged has a server that carries actions out when it hears of them, and says that it did so some ticks later. Users' views
// never change.
type judged struct{ late world.Tick }

func (judged) Places(w world.World) []mechanism.Place {
	return append(mechanism.Peers(w), mechanism.Place{ID: mechanism.NodeID(w.Users() + 1), Role: "judge"})
}

func (j judged) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n := &judgedNode{replica: mechanism.NewReplica(s.World, s.Start), tick: s.World.Schema().Tick, late: j.late}
	if p.User == 0 {
		return judge{n}, nil
	}
	return judgedClient{n, mechanism.NodeID(s.World.Users() + 1)}, nil
}

type judgedNode struct {
	replica mechanism.Replica
	tick    world.Time
	late    world.Tick
}

func (n *judgedNode) Wake(now world.Time, out *mechanism.Outbox) {
	if now > 0 {
		n.replica.Advance()
	}
	out.WakeAt(now + n.tick)
}

func (n *judgedNode) Receive(_ world.Time, m mechanism.Message, out *mechanism.Outbox) {
	r := wire.NewReader(m.Payload)
	a := world.ReadAction(&r)
	n.replica.Do(&a)
	out.Report(mechanism.Event{Name: mechanism.Executed, User: a.User, Seq: a.Seq, Value: int64(n.replica.State.Tick() + n.late)})
}

type judge struct{ *judgedNode }

func (j judge) Held() *world.State    { return j.replica.State }
func (j judge) Owns(id world.ID) bool { return true }

type judgedClient struct {
	*judgedNode
	judge mechanism.NodeID
}

func (c judgedClient) View() *world.State { return c.replica.State }
func (c judgedClient) Act(_ world.Time, a world.Action, out *mechanism.Outbox) {
	out.Send(c.judge, mechanism.Command, world.AppendAction(nil, &a))
}

// User 1 moves by 10 in the ticks 4, 8, 12 and 16; ticks 0 to 19 are looked at. If the judge says that it did so two ticks
// later than it did, one of two avatars is displaced by 10 in two ticks of four. Views are looked at in the ticks 0 and 10, by
// when they lack two moves.
func TestDisplacementByHand(t *testing.T) {
	got := figures(t, judged{late: 2}, line{2}, 0)
	near(t, got, "displacement.mean", 8*10.0/40)
	near(t, got, "displacement.p50", 0)
	near(t, got, "displacement.max", 10)
	near(t, got, "displacement.time.max", 0.1)
	near(t, got, "displacement.view.mean", 2*20.0/8)
	near(t, got, "displacement.view.max", 20)
	near(t, got, "ticks.server", 19/0.95)
}

func TestAnHonestServerDisplacesNothing(t *testing.T) {
	for _, delay := range []world.Time{0, 75 * world.Millisecond} {
		got := figures(t, judged{}, line{2}, delay)
		near(t, got, "displacement.max", 0)
		if v := got["displacement.time.max"]; !math.IsNaN(v) {
			t.Errorf("something was displaced for %v s", v)
		}
	}
}

func TestWithoutAuthorityNothingIsKnownOfDisplacement(t *testing.T) {
	for _, name := range []string{"displacement.mean", "displacement.view.max"} {
		if v := figures(t, told{}, line{2}, 0)[name]; !math.IsNaN(v) {
			t.Errorf("%s is %v, though nobody said what was carried out", name, v)
		}
	}
}
