package broadcast

import (
	"testing"

	"pgregory.net/rapid"

	"throng/internal/param"
	"throng/lab/serial"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/star"
	"throng/world"
)

// TestTakeOversFollowTheOrder lets places change hands or fall vacant over bad networks, again and again, as long as somebody is
// left who knows the world. Nobody may ever hold what does not follow from the order; in the end all hold the same, and who
// is gone has left the city.
func TestTakeOversFollowTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := param.Default[Config]()
		users := world.User(rapid.IntRange(2, 4).Draw(t, "users"))
		w := rapid.SampledFrom([]func(world.User) world.World{mechanismtest.Marbles, table, city}).Draw(t, "where")(users)
		r, err := mechanismtest.NewRig(&cfg, w, rapid.Uint64().Draw(t, "world"))
		if err != nil {
			t.Fatal(err)
		}
		order := serial.New(w, r.Session.Start)
		for _, p := range r.Session.Places {
			r.Node(p.ID).(mechanism.Ordered).Testify(order.Witness(p.ID))
		}
		seed, loss := rapid.Uint64().Draw(t, "seed"), rapid.Uint64Max(30).Draw(t, "loss in percent")
		r.Network = mechanismtest.Unsteady(seed, 200*world.Millisecond, loss)
		r.Start()
		for range rapid.IntRange(1, 5).Draw(t, "rounds") {
			r.Play(rapid.IntRange(0, 60).Draw(t, "ticks"))
			id := mechanism.NodeID(rapid.IntRange(2, int(users)+1).Draw(t, "who goes"))
			if others := ready(r, id); others == 0 {
				continue
			}
			if rapid.Bool().Draw(t, "for good") {
				r.Leave(id)
				continue
			}
			if err := r.Join(id); err != nil {
				t.Fatal(err)
			}
			r.Node(id).(mechanism.Ordered).Testify(order.Witness(id))
		}
		r.Network = mechanismtest.Constant(10 * world.Millisecond)
		r.Advance(2 * cfg.Patience)
		equal(t, r)
		if err := order.Verdict(); err != nil {
			t.Fatal(err)
		}
	})
}

// equal checks that all clients hold the same, and nothing of who is gone from a world that can be left.
func equal(t *rapid.T, r *mechanismtest.Rig) {
	_, open := r.World.(world.Inhabited)
	var first mechanism.NodeID
	for _, p := range r.Session.Places {
		if r.Client(p.ID) == nil {
			continue
		}
		if first == 0 {
			first = p.ID
		}
		if !r.Ready(p.ID) || r.View(p.ID).Hash() != r.View(first).Hash() {
			t.Fatalf("node %d (ready: %v) differs from node %d", p.ID, r.Ready(p.ID), first)
		}
	}
	for o := range r.View(first).All() {
		if open && r.Client(star.NodeOf(o.User)) == nil {
			t.Fatalf("user %d is gone, and still in the world", o.User)
		}
	}
}

// ready is how many clients but one know the world.
func ready(r *mechanismtest.Rig, but mechanism.NodeID) (n int) {
	for _, p := range r.Session.Places {
		if p.User != 0 && p.ID != but && r.Ready(p.ID) {
			n++
		}
	}
	return n
}
