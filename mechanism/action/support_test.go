package action

import (
	"testing"

	"throng/internal/param"
	"throng/lab/serial"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
)

const ms = world.Millisecond

// protocols are all four, in the order of the source.
var protocols = []string{Basic, Incomplete, FirstBound, InformationBound}

// court is the mechanism with a witness for every node that is ever built, and the verdict about them.
type court struct {
	*Config
	order     *serial.Order
	witnesses map[mechanism.NodeID]mechanism.Witness
}

func (c *court) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	n, err := c.Config.NewNode(s, p)
	if err != nil {
		return nil, err
	}
	if c.order == nil {
		c.order, c.witnesses = serial.New(s.World, s.Start), map[mechanism.NodeID]mechanism.Witness{}
	}
	c.gone(p.ID)
	w := c.order.Witness(p.ID)
	n.(mechanism.Ordered).Testify(w)
	c.witnesses[p.ID] = w
	return n, nil
}

// gone says that a node has crashed.
func (c *court) gone(id mechanism.NodeID) {
	if w := c.witnesses[id]; w != nil {
		c.order.Gone(w)
	}
}

// newRun starts a run that is watched, on a network that takes 20 ms.
func newRun(t testing.TB, w world.World, change func(*Config)) (*mechanismtest.Rig, *court) {
	t.Helper()
	config := param.Default[Config]()
	if change != nil {
		change(&config)
	}
	c := &court{Config: &config}
	return mechanismtest.StartRig(t, c, w, 20*ms), c
}

func serverOf(r *mechanismtest.Rig) *server { return r.Node(star.Server).(*server) }

func clientOf(r *mechanismtest.Rig, u world.User) *client {
	return r.Node(star.NodeOf(u)).(*client)
}
