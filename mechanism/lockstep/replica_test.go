package lockstep

import (
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/memo"
	"throng/mechanism/parts/turn"
	"throng/world"
)

// Batches are a queue of texts: what is there can be read, in whatever way turns come and go.
func TestBatchesHoldWhatIsNotDropped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b batches
		first := turn.Number(rapid.IntRange(0, 100).Draw(t, "first"))
		b.begin(first)
		var texts []string
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "what") > 0 {
				text := rapid.StringN(0, 20, -1).Draw(t, "text")
				b.add([]byte(text), world.Time(len(texts)))
				texts = append(texts, text)
			} else {
				b.drop(first + turn.Number(rapid.IntRange(0, len(texts)+2).Draw(t, "before")))
			}
			if b.next != first+turn.Number(len(texts)) || b.has(b.next) || b.has(b.first-1) {
				t.Fatalf("%d to %d, after %d turns from %d on", b.first, b.next, len(texts), first)
			}
			for n := b.first; n < b.next; n++ {
				if text, came := b.get(n); string(text) != texts[n-first] || came != world.Time(n-first) {
					t.Fatalf("turn %d is %q, not %q", n, text, texts[n-first])
				}
			}
			if held := int(b.next - b.first); len(b.list) > 2*held+1 {
				t.Fatalf("%d turns take the room of %d", held, len(b.list))
			}
		}
	})
}

func TestTrailKeepsTheLatest(t *testing.T) {
	w := mechanismtest.Marbles(2)
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	var kept trail
	follower := (*memo.Pool)(nil).Follow(0, s)
	add := func(from, to world.Tick) {
		for tick := from; tick < to; tick++ {
			follower.Step(nil, func(w *world.Window, _ []byte) {
				w.State().SetTick(tick)
				w.Edit(1).Attr[mechanismtest.MarbleHits] = int64(tick)
			})
			kept.add(follower)
		}
	}
	wants := func(from, to world.Tick) {
		t.Helper()
		if kept.get(from-1) != nil || kept.get(to) != nil || len(kept.past) != int(to-from) {
			t.Fatalf("%d states from tick %d on, instead of %d to %d", len(kept.past), kept.first, from, to)
		}
		for tick := from; tick < to; tick++ {
			if x := kept.get(tick); x.Tick() != tick || x.Get(1).Attr[mechanismtest.MarbleHits] != int64(tick) {
				t.Fatalf("what is kept of tick %d is another one", tick)
			}
		}
	}
	add(5, 10)
	wants(5, 10)
	kept.trim(7)
	wants(7, 10)
	kept.trim(3)
	wants(7, 10)
	add(10, 200)
	wants(200-trailMax, 200)
	add(50, 60) // after a repair it goes on from before
	wants(50, 60)
	kept.trim(1000)
	wants(60, 60)
}

// What a replica has to wait for it makes up for, a third faster than usual, and counts only what is beyond the usual pace.
func TestReplicaMakesUpForWhatItMissed(t *testing.T) {
	r := rig(t, mechanismtest.Marbles(1), nil)
	n := clientOf(r, 1)
	n.last = 250 * ms
	n.restart(withTick(r, 4)) // the first of turn 2, due to be left at 250 ms
	if !n.missing() || n.due() != world.Never || n.wants() != 2 {
		t.Fatalf("it waits: %t, until %v, for turn %d", n.missing(), n.due(), n.wants())
	}
	n.batches.add(nobody, 400*ms)
	carried, stalled := n.take()
	if string(carried) != string(nobody) || stalled != 100*ms || n.last != 400*ms {
		t.Errorf("it waited for %v and took the tick at %v", stalled, n.last)
	}
	if due := n.due(); due != 400*ms+37500*world.Microsecond {
		t.Errorf("the next tick is due at %v", due)
	}
	if carried, stalled = n.take(); carried != nil || stalled != 0 || n.tick() != 6 {
		t.Errorf("within a turn it carries out %x and waits for %v", carried, stalled)
	}
}

func withTick(r *mechanismtest.Rig, tick world.Tick) *world.State {
	s := r.Session.Start.Detach()
	s.SetTick(tick)
	return s
}
