package central

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/viewer"
	"throng/world"
	"throng/world/fixed"
)

const ms = world.Millisecond

// newRig starts a run on a network that takes 20 ms.
func newRig(t testing.TB, w world.World, change func(*Config)) *mechanismtest.Rig {
	t.Helper()
	config := param.Default[Config]()
	if change != nil {
		change(&config)
	}
	return mechanismtest.StartRig(t, &config, w, 20*ms)
}

func authorityOf(r *mechanismtest.Rig) *authority { return r.Node(server).(*authority) }

func clientOf(r *mechanismtest.Rig, u world.User) *viewer.Client {
	return r.Node(server + mechanism.NodeID(u)).(*viewer.Client)
}

func count(n int64) world.Action {
	return world.Action{Verb: mechanismtest.Count, Args: [world.MaxArgs]int64{n}}
}

func push(x, y fixed.F) world.Action {
	return world.Action{Verb: mechanismtest.Push, Args: [world.MaxArgs]int64{int64(x), int64(y)}}
}

// events counts what nodes report.
type events map[string]int

func (e events) of(r *mechanismtest.Rig, node mechanism.NodeID) events {
	r.Observe = func(c *mechanismtest.Call) {
		for _, x := range c.Out.Events() {
			if c.Node == node {
				e[x.Name]++
			}
		}
	}
	return e
}
