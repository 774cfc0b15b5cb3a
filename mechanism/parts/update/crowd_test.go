package update

import (
	"slices"
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// newCrowd has a receiver see some objects in crowds.
func newCrowd(objects int) *pair {
	p := newPair()
	p.table = NewTable(p.schema)
	p.table.Group(1000)
	p.sender = NewSender(p.table, nil, viewer)
	p.most = 1000
	for id := 1; id <= objects; id++ {
		p.put(ball(world.ID(id), int64(id)<<24, 0), 0)
	}
	p.gather()
	return p
}

func TestCrowdArrives(t *testing.T) {
	p := newCrowd(50)
	size := p.table.Size()
	if n := p.send(); n != (50+size-1)/size {
		t.Fatalf("%d items for 50 objects in crowds of %d", n, size)
	}
	must(t, p.flush())
	if len(p.view) != 50 {
		t.Fatalf("%d objects arrived", len(p.view))
	}
	if n := p.send(); n != 0 {
		t.Errorf("%d items though nothing has changed", n)
	}
	p.put(ball(20, 21<<24, 0), 0)
	if n := p.send(); n != 1 || len(p.down[0]) > 16 {
		t.Errorf("%d items in %d bytes for one object that moved", n, len(p.down[0]))
	}
	must(t, p.flush())
	p.remove(20)
	p.send()
	must(t, p.flush())
	if _, has := p.view[20]; has || len(p.view) != 49 {
		t.Errorf("%d objects after one was removed", len(p.view))
	}
	p.scatter()
	p.settle(t)
	if len(p.view) != 0 {
		t.Errorf("%d objects after all left", len(p.view))
	}
}

// An object that is seen by itself as well is shown as that says, and stays with the crowd when it no longer is.
func TestOneOfACrowd(t *testing.T) {
	p := newCrowd(10)
	p.settleCrowd(t)
	p.enter(3)
	p.settleCrowd(t)
	p.put(ball(3, 100<<24, 0), 0)
	p.settleCrowd(t)
	p.leave(3)
	p.settleCrowd(t)
	if p.view[3].Pos.X != 100*fixed.One {
		t.Errorf("shown at %v", p.view[3].Pos.X)
	}
	p.put(ball(3, 200<<24, 0), 0)
	p.settleCrowd(t)
	if p.view[3].Pos.X != 200*fixed.One {
		t.Errorf("shown at %v", p.view[3].Pos.X)
	}
}

// settleCrowd is settle for more objects than check knows.
func (p *pair) settleCrowd(t *testing.T) {
	t.Helper()
	for range 3 {
		p.send()
		must(t, p.flush())
	}
	latest := world.NewState(p.schema, 0)
	p.receiver.Latest(latest)
	if latest.Len() != len(p.objects) {
		t.Errorf("%d objects are held, want %d", latest.Len(), len(p.objects))
	}
	for id, o := range p.objects {
		if p.view[id] != o.Object || *latest.Get(id) != o.Object {
			t.Fatalf("object %d is shown as %+v and held as %+v, want %+v", id, p.view[id], *latest.Get(id), o.Object)
		}
	}
}

// What is encoded of a crowd serves all who have the same base.
func TestCrowdEncodedOnce(t *testing.T) {
	p := newCrowd(CrowdMax)
	p.table.Gather()
	first := string(p.table.encodeCrowd(0, 0))
	grown := len(p.table.codes)
	if string(p.table.encodeCrowd(0, 0)) != first || len(p.table.codes) != grown {
		t.Error("encoded again for the same base")
	}
}

// Any crowd fits into the size that was asked for, as long as its members' numbers keep to their ranges.
func TestCrowdFits(t *testing.T) {
	for _, most := range []int{100, 500, 1000, 5000} {
		table := NewTable(schema())
		table.Group(most)
		if table.Size() == 0 {
			t.Fatalf("not even one fits into %d bytes", most)
		}
		for id := range 2 * CrowdMax {
			o := world.Object{ID: 1<<63 + world.ID(id), User: 1<<32 - 1}
			o.Pos = fixed.Vec{X: 1000 * fixed.One, Y: 1000 * fixed.One}
			o.Vel = fixed.Vec{X: -10 * fixed.One, Y: 10 * fixed.One}
			table.Put(&o, 1<<32-1)
		}
		table.Gather()
		if n := len(table.encodeCrowd(0, 0)); n == 0 || n > most {
			t.Errorf("a crowd of %d takes %d bytes where %d were allowed", table.Size(), n, most)
		}
	}
}

// A crowd that does not fit because of a number out of its range waits, and does not hold up others.
func TestCrowdTooLargeWaits(t *testing.T) {
	p := newCrowd(0)
	p.table.Group(100)
	p.most = 100
	for id := range world.ID(4) {
		p.put(ball(id+1, int64(id)<<24, 0), 0)
	}
	const far = fixed.Max / 4
	wild := world.Object{ID: 1 << 63, User: 1<<32 - 1, Pos: fixed.Vec{X: far, Y: -far}, Vel: fixed.Vec{X: -far, Y: far}}
	for range p.table.Size() {
		p.put(wild, 1<<32-1)
		wild.ID++
		wild.Pos.X, wild.Pos.Y, wild.Vel.X, wild.Vel.Y = wild.Pos.Y, wild.Pos.X, wild.Vel.Y, wild.Vel.X
	}
	p.send()
	must(t, p.flush())
	if n := len(p.view); n < 1 || n > 4 {
		t.Fatalf("%d objects arrived", n)
	}
	for o := range p.objects {
		if o >= 1<<63 {
			p.put(ball(o, 0, 0), 0)
		}
	}
	p.settleCrowd(t)
}

// A crowd is a difference to what the receiver has even if it has changed very often since.
func TestCrowdStaysADifference(t *testing.T) {
	p := newCrowd(10)
	p.settleCrowd(t)
	for i := range int64(1000) {
		p.put(ball(world.ID(i%10+1), i<<20, 0), 0)
		p.table.Gather()
	}
	p.send()
	if got, whole := len(p.down[0]), len(p.table.encodeCrowd(0, 0)); got > whole*2/3 {
		t.Errorf("%d bytes, where the whole crowd is %d", got, whole)
	}
	p.settleCrowd(t)
}

// What is encoded for one receiver serves those as well who have the crowd as of about the same moment. Of those who have rested for
// longer nothing is sent.
func TestCrowdBases(t *testing.T) {
	p := newCrowd(10)
	var had []uint32
	move := func(members world.ID, rounds int64) {
		for i := range rounds {
			p.table.Renew()
			for id := range members {
				p.put(ball(id+1, i<<24+int64(id)<<28, 0), 0)
			}
			p.table.Gather()
			had = append(had, p.table.moment)
		}
	}
	move(10, 3*crowdStep)
	encoded := func(has uint32) int { return len(p.table.encodeCrowd(0, has)) }
	moving := encoded(had[2*crowdStep])
	grown := len(p.table.codes)
	if encoded(had[2*crowdStep+1]); len(p.table.codes) != grown {
		t.Error("encoded again for one who has it as of a moment later")
	}
	if whole := encoded(0); moving > whole*2/3 {
		t.Errorf("%d bytes for those who know everybody, %d for others", moving, whole)
	}
	move(1, 2*crowdStep)
	if resting := encoded(had[len(had)-1]); resting > moving/2 {
		t.Errorf("%d bytes for one that has moved, %d for all", resting, moving)
	}
}

// A receiver gets previews of those who are watched ahead of their crowds, but none of whom it does not know yet.
func TestPreviews(t *testing.T) {
	p := newCrowd(3 * CrowdMax)
	watched := []world.ID{2, CrowdMax + 2, 2*CrowdMax + 2}
	p.sender.Watch(watched)
	p.table.Gather()
	p.most = len(p.table.encodeCrowd(0, 0)) + handleMax
	p.sendUpTo(1)
	must(t, p.flush())
	if n := len(p.view); n == 0 || n >= 3*CrowdMax {
		t.Fatalf("%d objects in the first datagram", n)
	}
	p.settleCrowd(t)
	for round := range int64(4) {
		for id := range world.ID(3 * CrowdMax) {
			p.put(ball(id+1, (int64(id)+round)<<24, 1<<24), 0)
		}
		has := p.table.moment
		p.table.Gather()
		p.most = len(p.table.encodeCrowd(0, has)) + 50 // for little more than one crowd
		p.sendUpTo(1)
		must(t, p.flush())
		current := 0
		for id, o := range p.objects {
			if p.view[id] == o.Object {
				current++
			} else if slices.Contains(watched, id) && round > 0 { // by then the rotation is known to take longer
				t.Errorf("round %d: object %d is shown at %v", round, id, p.view[id].Pos)
			}
		}
		if current == len(p.objects) {
			t.Error("everything fitted into one datagram")
		}
	}
	p.settleCrowd(t)
}

// A preview that is overtaken by its crowd changes nothing.
func TestLatePreview(t *testing.T) {
	p := newCrowd(10)
	p.settleCrowd(t)
	p.sender.Watch([]world.ID{3})
	p.put(ball(3, 5<<24, 0), 0)
	p.send()
	p.put(ball(3, 6<<24, 0), 0)
	p.send()
	must(t, p.receive(p.down[1]))
	must(t, p.receive(p.down[0]))
	if p.view[3] != p.objects[3].Object {
		t.Errorf("shown at %v", p.view[3].Pos)
	}
}

// What is encoded as a preview of one object serves all who get it.
func TestPreviewEncodedOnce(t *testing.T) {
	p := newCrowd(10)
	p.table.Gather()
	p.put(ball(3, 5<<24, 0), 0)
	p.table.Gather()
	first := string(p.table.encodePreview(&p.table.previews[2], 1))
	grown := len(p.table.codes)
	if string(p.table.encodePreview(&p.table.previews[2], 1)) != first || len(p.table.codes) != grown {
		t.Error("encoded again")
	}
}

// When so many moments have passed that they are counted anew, everybody still gets to know everything.
func TestMomentsCountedAnew(t *testing.T) {
	p := newCrowd(10)
	p.settleCrowd(t)
	p.sender.Watch([]world.ID{3, 4})
	p.table.moment = momentsMax - 5
	for i := range int64(20) {
		p.put(ball(world.ID(i%10+1), i<<20, 0), 0)
		p.settleCrowd(t)
	}
	if p.table.counts == 0 || p.table.moment > 1000 {
		t.Errorf("moment %d after %d beginnings", p.table.moment, p.table.counts)
	}
}

// Who comes and goes is told by itself, also if one takes the other's place.
func TestCrowdComesAndGoes(t *testing.T) {
	p := newCrowd(10)
	p.settleCrowd(t)
	p.remove(3)
	p.put(ball(11, 5<<24, 0), 0)
	p.send()
	if got, whole := len(p.down[0]), len(p.table.encodeCrowd(0, 0)); got > whole*2/3 {
		t.Errorf("%d bytes, where the whole crowd is %d", got, whole)
	}
	p.settleCrowd(t)
	if _, there := p.view[3]; there {
		t.Error("who has gone is still there")
	}
}
