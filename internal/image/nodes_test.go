package image_test

import (
	"fmt"
	"testing"

	"throng/catalog"
	"throng/internal/image"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/random"
)

// twin is a node that was made from an image of another, and is handed all that the other is.
type twin struct {
	node mechanism.Node
	out  mechanism.Outbox
}

// follow hands the twin a call and compares what it wants done with what the other wants.
func (w *twin) follow(now world.Time, c *mechanismtest.Call) error {
	switch c.Kind {
	case mechanismtest.Wake:
		w.node.Wake(now, &w.out)
	case mechanismtest.Receive:
		w.node.Receive(now, c.Message, &w.out)
	case mechanismtest.Act:
		w.node.(mechanism.Client).Act(now, c.Action, &w.out)
	}
	defer w.out.Reset()
	if a, b := describe(&w.out, c.Node), describe(c.Out, c.Node); a != b {
		return fmt.Errorf("at %v, call %d: the twin wants\n%.300s\nand the node\n%.300s", now, c.Kind, a, b)
	}
	return nil
}

// describe says everything that is in an outbox.
func describe(out *mechanism.Outbox, from mechanism.NodeID) string {
	wake, asked := out.Wake()
	text := fmt.Sprint(wake, asked, out.Work(), *out.Items(), out.Events())
	for i := range out.Sends() {
		m := out.Message(i, from)
		text += fmt.Sprintf("\n%d %v %x", m.To, m.Class, m.Payload)
	}
	return text
}

// roots are what a node shares with its surroundings.
func roots(m mechanism.Mechanism, s *mechanism.Session) []any {
	return []any{m, s, s.World, s.Start, s.World.Schema()}
}

// Every node of every mechanism, in every world, goes on from its image as if it had never been away.
func TestNodesGoOn(t *testing.T) {
	c := catalog.Default()
	for _, m := range c.Mechanisms {
		for _, w := range c.Worlds {
			t.Run(m.Name+"/"+w.Name, func(t *testing.T) {
				mech, err := c.BuildMechanism(catalog.Choice{Name: m.Name})
				if err != nil {
					t.Fatal(err)
				}
				choice := catalog.Choice{Name: w.Name, Params: few[w.Name]}
				built, err := c.BuildWorld(choice)
				if err != nil {
					t.Fatal(err)
				}
				goOn(t, mech, built)
			})
		}
	}
}

// few has worlds be small.
var few = map[string]map[string]string{
	"crowd": {"walkers": "8"}, "rts": {"users": "4"}, "swarm": {"bees": "4"}, "manhattan": {"avatars": "6"},
}

func goOn(t *testing.T, m mechanism.Mechanism, w world.World) {
	rig, err := mechanismtest.NewRig(m, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	rig.Network = mechanismtest.Unsteady(1, 80*world.Millisecond, 5)
	if _, ideal := m.(mechanism.Idealised); ideal {
		rig.Network = mechanismtest.Constant(0)
	}
	rig.Start()
	moments := random.New(1, "moments")
	twins := map[mechanism.NodeID]*twin{}
	rig.Observe = func(c *mechanismtest.Call) {
		if w := twins[c.Node]; w != nil && !t.Failed() {
			if err := w.follow(rig.Now(), c); err != nil {
				t.Errorf("node %d: %v", c.Node, err)
			}
		}
	}
	for range 3 {
		rig.Play(5 + int(moments.Below(20)))
		for _, p := range rig.Session.Places {
			if p.User <= 2 && !t.Failed() { // further ones are as good as these
				twins[p.ID] = &twin{node: copyOf(t, m, rig.Session, p, rig.Node(p.ID))}
			}
		}
	}
	rig.Play(20)
}

// copyOf makes another node like one.
func copyOf(t *testing.T, m mechanism.Mechanism, s *mechanism.Session, p mechanism.Place, n mechanism.Node) mechanism.Node {
	t.Helper()
	text, err := image.Append(nil, n, roots(m, s)...)
	if err != nil {
		t.Fatalf("node %d: %v", p.ID, err)
	}
	fresh, err := m.NewNode(s, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := image.Load(text, fresh, nil, roots(m, s)...); err != nil {
		t.Fatalf("node %d: %v", p.ID, err)
	}
	return fresh
}
