package memo

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
)

// The world of these tests: objects along a line, which a step pushes by the bytes of its input.
var schema = &world.Schema{
	Name:   "line",
	Tick:   world.Second,
	Bounds: fixed.Box{Max: fixed.Vec{X: fixed.FromInt(1000)}},
	Kinds:  []world.Kind{{Name: "bead"}},
}

func start(objects int) *world.State {
	s := world.NewState(schema, 1)
	for i := range objects {
		s.Put(world.Object{ID: world.ID(i + 1)})
	}
	return s
}

// push moves as many objects as the input has bytes, each by a byte, and counts how often it is called.
func push(calls *int) func(*world.Window, []byte) {
	return func(w *world.Window, input []byte) {
		*calls++
		for i, b := range input {
			w.Edit(world.ID(i + 1)).Pos.X += fixed.F(b)
		}
		w.State().SetTick(w.Tick() + 1)
	}
}

func TestFollowersOnTheSameWayStepOnce(t *testing.T) {
	calls := 0
	do := push(&calls)
	p, s := NewPool(), start(20)
	var all []*Follower
	for range 10 {
		all = append(all, p.Follow(0, s))
	}
	for turn := range 100 {
		for _, f := range all {
			if work := f.Step([]byte{byte(turn), 2, 3}, do); work != 3 {
				t.Fatalf("turn %d cost %d", turn, work)
			}
		}
	}
	if calls != 100 {
		t.Errorf("100 steps of ten followers were computed %d times", calls)
	}
	if n := len(p.trees[0].nodes); n != 1 {
		t.Errorf("%d states are kept", n)
	}
}

func TestOneWhoIsAloneWorksInPlace(t *testing.T) {
	calls := 0
	do := push(&calls)
	for _, p := range []*Pool{nil, NewPool()} {
		f := p.Follow(0, start(20))
		state := f.State()
		for range 10 {
			f.Step([]byte{1}, do)
		}
		if f.State() != state || len(f.tree.nodes) != 1 {
			t.Error("a lone follower left its state")
		}
	}
	if calls != 20 {
		t.Errorf("%d calls", calls)
	}
}

func TestNamesAreKeptApart(t *testing.T) {
	calls := 0
	do := push(&calls)
	p, s := NewPool(), start(3)
	a, b := p.Follow(1, s), p.Follow(2, s)
	a.Step([]byte{1}, do)
	b.Step([]byte{1}, do)
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

func TestAFollowerFarBehindCostsBoundedMemory(t *testing.T) {
	calls := 0
	do := push(&calls)
	p, s := NewPool(), start(20)
	ahead, behind := p.Follow(0, s), p.Follow(0, s)
	for range 10 * idleLeast {
		ahead.Step([]byte{1}, do)
		if n := len(p.trees[0].nodes); n > idleLeast+2 {
			t.Fatalf("%d states are kept", n)
		}
	}
	for range 10 * idleLeast {
		behind.Step([]byte{1}, do)
	}
	if !same(ahead.State(), behind.State()) {
		t.Error("the one behind came to another state")
	}
}

func TestManyFollowersFindWhereTheFirstHasGone(t *testing.T) {
	calls := 0
	do := push(&calls)
	p, s := NewPool(), start(20)
	var all []*Follower
	for range 2 * idleLeast {
		all = append(all, p.Follow(0, s))
	}
	way := len(all) // longer than idleLeast, but no longer than they are many
	for _, f := range all {
		for turn := range way {
			f.Step([]byte{byte(turn)}, do)
		}
	}
	if calls != way {
		t.Errorf("%d steps were computed %d times", way, calls)
	}
}

func TestARepairedFollowerFindsTheOthersAgain(t *testing.T) {
	calls := 0
	do := push(&calls)
	p, s := NewPool(), start(20)
	a, b := p.Follow(0, s), p.Follow(0, s)
	a.Step([]byte{1}, do)
	b.Step([]byte{9}, do) // differs
	b.Restart(a.State().Detach())
	if b.at != a.at {
		t.Fatal("equal states were not found")
	}
	calls = 0
	a.Step([]byte{2}, do)
	b.Step([]byte{2}, do)
	if calls != 1 {
		t.Errorf("%d calls after the repair", calls)
	}

	other := a.State().Detach()
	other.Edit(1).Pos.X -= 5
	b.Restart(other) // where nobody is
	if b.at == a.at {
		t.Fatal("different states were taken for equal")
	}
	a.Step([]byte{0}, do)
	b.Step([]byte{5}, do)
	if b.at != a.at {
		t.Error("a follower that came to the others' state did not join them")
	}
}

// Followers that go various ways, at various paces, end and restart, are always where replicas of their own would be.
func TestSharingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := 0
		do := push(&calls)
		p, s := NewPool(), start(20)
		var shared, alone []*Follower
		for range rapid.IntRange(1, 5).Draw(t, "followers") {
			shared, alone = append(shared, p.Follow(0, s)), append(alone, (*Pool)(nil).Follow(0, s))
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			i := rapid.IntRange(0, len(shared)-1).Draw(t, "who")
			switch rapid.IntRange(0, 30).Draw(t, "what") {
			case 0:
				from := shared[rapid.IntRange(0, len(shared)-1).Draw(t, "from")].State().Detach()
				shared[i].Restart(from)
				alone[i].Restart(from)
			case 1:
				shared[i].Close()
				shared[i], alone[i] = p.Follow(0, s), (*Pool)(nil).Follow(0, s)
			default:
				input := []byte{byte(rapid.IntRange(0, 1).Draw(t, "input"))}
				if a, b := shared[i].Step(input, do), alone[i].Step(input, do); a != b {
					t.Fatalf("the shared step cost %d, the own one %d", a, b)
				}
			}
			for j := range shared {
				a, b := shared[j].State(), alone[j].State()
				if a.Tick() != b.Tick() || !same(a, b) || a.Hash() != b.Hash() {
					t.Fatalf("follower %d is in another state than it would be alone", j)
				}
			}
		}
		for _, f := range shared {
			f.Close()
		}
		if n := len(p.trees[0].nodes); n != 0 {
			t.Fatalf("%d states are kept when everybody has gone", n)
		}
	})
}

// BenchmarkTurn is a turn of 400 replicas of 20,000 objects, of which 2,000 change.
func BenchmarkTurn(b *testing.B) {
	calls := 0
	do := push(&calls)
	p, s := NewPool(), start(20_000)
	var all []*Follower
	for range 400 {
		all = append(all, p.Follow(0, s))
	}
	input := make([]byte, 2000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		binary.LittleEndian.PutUint64(input, uint64(i))
		for _, f := range all {
			f.Step(input, do)
		}
	}
}
