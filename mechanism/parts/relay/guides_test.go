package relay

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/wire"
)

// TestNewcomersSpeakToTheServerOnly: clients need not be able to reach one another.
func TestNewcomersSpeakToTheServerOnly(t *testing.T) {
	r := newRig(t, 3)
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		if m.From != star.Server && m.To != star.Server {
			t.Errorf("%d speaks to %d", m.From, m.To)
		}
		return 20 * world.Millisecond, false
	}
	r.Play(40)
	if err := r.Join(4); err != nil {
		t.Fatal(err)
	}
	r.Play(40)
	r.Advance(5 * world.Second)
	if !r.Ready(4) || r.View(4).Hash() != r.View(2).Hash() {
		t.Errorf("ready %v; it holds %x, another one %x", r.Ready(4), r.View(4).Hash(), r.View(2).Hash())
	}
}

// TestTheWorldBeginsAgain when all who knew it are gone, however they went.
func TestTheWorldBeginsAgain(t *testing.T) {
	r := newRig(t, 2)
	r.Play(40)
	r.Leave(2)
	r.Leave(3)
	if err := r.Join(3); err != nil {
		t.Fatal(err)
	}
	r.Advance(2 * r.Node(star.Server).(*server).config.Patience)
	if !r.Ready(3) {
		t.Error("the newcomer still waits for those who are gone")
	}
}

// TestTheFirstBeginsTheWorld: a run may begin without anybody.
func TestTheFirstBeginsTheWorld(t *testing.T) {
	c := param.Default[Config]()
	r := mechanismtest.StartRig(t, deserted{&plain{c}}, mechanismtest.Marbles(2), 20*world.Millisecond)
	for id := mechanism.NodeID(2); id <= 3; id++ {
		if err := r.Join(id); err != nil {
			t.Fatal(err)
		}
	}
	r.Advance(3 * world.Second)
	if !r.Ready(2) || !r.Ready(3) || r.View(2).Hash() != r.View(3).Hash() {
		t.Errorf("ready: %v, %v", r.Ready(2), r.Ready(3))
	}
}

// deserted is a mechanism whose server expects nobody.
type deserted struct{ *plain }

func (d deserted) NewNode(s *mechanism.Session, at mechanism.Place) (mechanism.Node, error) {
	if at.ID == star.Server {
		alone := *s
		alone.Places = s.Places[:1]
		s = &alone
	}
	return d.plain.NewNode(s, at)
}

// TestGuidesAnswerWhatWasAsked: nobody can send a newcomer anything through the server that it did not ask for.
func TestGuidesAnswerWhatWasAsked(t *testing.T) {
	r := newRig(t, 3)
	n := r.Node(star.Server).(*server)
	var out mechanism.Outbox
	part := append(wire.AppendUint([]byte{kindPart}, 4), 1, 0, 0)
	give := func(from mechanism.NodeID, payload []byte) int {
		out.Reset()
		n.Deliver(r.Now(), mechanism.Message{From: from, Payload: payload}, &out)
		return out.Sends()
	}
	if give(2, part) != 0 {
		t.Error("what nobody asked for is passed on")
	}
	ask := append([]byte{kindAsk}, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 15)
	if give(4, ask) != 1 || n.routes[0].guide != 2 {
		t.Fatalf("routes %+v", n.routes)
	}
	if give(4, ask) != 0 {
		t.Error("asks may follow each other at once")
	}
	if give(3, part) != 0 {
		t.Error("somebody else answers")
	}
	for range 2 * askGrants {
		give(2, part)
	}
	if n.routes[0].grants != 0 || give(2, part) != 0 {
		t.Error("an answer has no end")
	}
	if give(2, append(part, make([]byte, 2*chunkMax)...)); len(out.Events()) != 1 {
		t.Error("an answer may be of any length")
	}
}

// TestRoutesAreBounded: when many come at once, some have to wait.
func TestRoutesAreBounded(t *testing.T) {
	r := newRig(t, 2*routesMax)
	n := r.Node(star.Server).(*server)
	ask := append([]byte{kindAsk}, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 15)
	var out mechanism.Outbox
	for id := mechanism.NodeID(2); id < 2*routesMax; id++ {
		n.Deliver(r.Now(), mechanism.Message{From: id, Payload: ask}, &out)
	}
	if len(n.routes) != routesMax {
		t.Errorf("%d are told at a time", len(n.routes))
	}
}
