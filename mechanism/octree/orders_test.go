package octree

import (
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/worlds/shooters"
)

// An action that another server has carried out is confirmed while what clients are told lags behind by the way to storage nodes
// and back: the update says that it was done no later than the tick that it describes, or no client could read it.
func TestUpdatesAreReadWhereStorageIsFar(t *testing.T) {
	c := param.Default[shooters.Config]()
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	r := mechanismtest.StartRig(t, configured(nil), w, 100*ms)
	heard := confirmed{}
	r.Observe = func(c *mechanismtest.Call) {
		heard.observe(c)
		for _, e := range c.Out.Events() {
			if e.Name == mechanism.Malformed {
				t.Fatalf("node %d could not read a message of %d bytes at %v", c.Node, e.Value, r.Now())
			}
		}
	}
	r.Play(400)
	if heard.total() == 0 {
		t.Error("nobody has done anything")
	}
}
