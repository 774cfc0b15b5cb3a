package octree

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/wire"
)

// holding is a server that answers for the tally, driven by hand: what it says goes nowhere unless the rig is advanced.
type holding struct {
	*server
	t   *testing.T
	rig *mechanismtest.Rig
	id  world.ID // of the tally
	out mechanism.Outbox
}

func newHolding(t *testing.T) *holding {
	r := newRig(t, newCounting(3), nil)
	r.Advance(200 * ms)
	id := mechanismtest.TallyOf(r.World)
	_, at := holders(r, id)
	return &holding{server: serverOf(r, at), t: t, rig: r, id: id}
}

// count has a user add to the tally by way of another server, and returns what is to be remembered of that.
func (x *holding) count(u world.User, seq uint32) act {
	_, a := count(u)
	a.User, a.Seq = u, seq
	x.route(x.rig.Now(), forward{order: order{action: a, origin: (x.number + 1) % x.config.Servers}}, &x.out)
	return act{u, seq, x.id}
}

// ask has the server make a request of itself: to add one to the tally.
func (x *holding) ask() {
	x.request(x.rig.Now(), x.id, []change{{world.AttrSlot(mechanismtest.TallySum), increment, 0, 1}}, &x.out)
}

// grant has two storage nodes say that the tally is the server's, in an epoch, as they have it but for what was done to it.
func (x *holding) grant(epoch uint32, acts ...act) {
	x.t.Helper()
	for i := range 2 {
		kept, _ := storageOf(x.rig, i).get(x.id)
		g := kept.grant()
		g.epoch, g.acts = epoch, acts
		r := wire.NewReader(g.append(nil, x.session.World.Schema()))
		if !x.takeGrant(x.rig.Now(), i, &r) {
			x.t.Fatal("a grant is not understood")
		}
	}
	if !x.Owns(x.id) {
		x.t.Fatal("the server does not answer for the tally")
	}
}

// ack has a storage node acknowledge all that was written, but for what it refuses.
func (x *holding) ack(storage int, refused ...deed) {
	x.t.Helper()
	r := wire.NewReader(appendAck(nil, x.writer.number, refused)[1:])
	if !x.takeAck(x.rig.Now(), storage, &r, &x.out) {
		x.t.Fatal("an acknowledgement is not understood")
	}
}

// answers is how many requests the server was told are carried out.
func (x *holding) answers() (n int) {
	for _, e := range x.out.Events() {
		if e.Name == changed {
			n++
		}
	}
	return n
}

func (x *holding) sum() int64 { return x.Held().Get(x.id).Attr[mechanismtest.TallySum] }

// An action that was carried out on an object which another server had been given is taken back, and must not be stored as done should the
// object come back: it is not in its state, and who repeats it would be told that it is.
func TestWhatIsRevokedIsNotStored(t *testing.T) {
	x := newHolding(t)
	a := x.count(1, 1)
	x.refused(x.rig.Now(), deed{id: x.id, epoch: 2}, &x.out)
	x.grant(3)
	if x.sum() != 0 || x.did.Get(1).has(1) {
		t.Errorf("the tally holds %d, and its doing is remembered: %t", x.sum(), x.did.Get(1).has(1))
	}
	for range 20 {
		x.rig.Advance(ms)
		for i := range x.config.Storage {
			if kept, _ := storageOf(x.rig, i).get(x.id); slices.ContainsFunc(kept.acts, func(m moment) bool { return m.act == a }) {
				t.Fatalf("storage node %d takes it for done, where the tally holds %d", i, kept.object.Attr[mechanismtest.TallySum])
			}
		}
	}
}

// A server that is given an object again knows of what was done to it what comes with it, and nothing else.
func TestWhatWasDoneComesWithTheObject(t *testing.T) {
	x := newHolding(t)
	x.count(1, 1)
	x.hand(x.Held().Get(x.id), (x.number+1)%x.config.Servers, &x.out)
	meanwhile := act{2, 9, x.id}
	x.grant(5, meanwhile)
	if got := x.writer.lately(x.id); !slices.Equal(got, []act{meanwhile}) {
		t.Errorf("it remembers %v", got)
	}
	if !x.did.Get(2).has(9) {
		t.Error("what another server has done would be done again")
	}
}

// Whoever makes a request is told that it is carried out when as many storage nodes have that as must, not before.
func TestRequestsAreAnsweredWhenStored(t *testing.T) {
	x := newHolding(t)
	x.ask()
	x.writer.flush(x.rig.Now(), &x.out)
	for storage, want := range []int{0, 1, 1} {
		x.ack(storage)
		if got := x.answers(); got != want {
			t.Errorf("it was answered %d times when storage nodes up to %d have it", got, storage)
		}
	}
}

// What storage nodes refuse has not been done, even if the server has handed the object over in the meantime.
func TestWhatIsRefusedIsNotAnswered(t *testing.T) {
	x := newHolding(t)
	x.ask()
	x.count(1, 1)
	x.hand(x.Held().Get(x.id), (x.number+1)%x.config.Servers, &x.out)
	x.writer.flush(x.rig.Now(), &x.out)
	for storage := range 3 {
		x.ack(storage, deed{id: x.id, epoch: 2})
	}
	if x.answers() != 0 || x.did.Get(1).has(1) {
		t.Errorf("%d requests were answered; the action is taken for done: %t", x.answers(), x.did.Get(1).has(1))
	}
}

// What is gone is hidden from clients, also if a storage node does not know of it.
func TestWhatIsGoneAndRefusedIsHidden(t *testing.T) {
	x := newHolding(t)
	x.replica.State.Remove(x.id)
	x.writer.flush(x.rig.Now(), &x.out)
	if x.ack(0, deed{id: x.id}); x.shown.Get(x.id) == nil {
		t.Error("it is hidden before that is stored")
	}
	if x.ack(1); x.shown.Get(x.id) != nil {
		t.Error("it is still shown")
	}
}
