package update

import (
	"testing"

	"pgregory.net/rapid"
)

// The queue gives out what a plain search for the highest priority would.
func TestQueueIsByPriority(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type waiting struct {
			lane  int
			since uint32
		}
		var q queue
		var model []waiting
		round := uint32(10)
		for h := range rapid.IntRange(1, 30).Draw(t, "entries") {
			w := waiting{rapid.IntRange(0, Lanes-1).Draw(t, "lane"), round - 1}
			model = append(model, w)
			q.push(w.lane, int32(h), w.since)
		}
		for range 40 {
			round++
			for range rapid.IntRange(0, 12).Draw(t, "room") {
				lane, priority := q.head(round)
				most := uint32(0)
				for _, w := range model {
					most = max(most, (round-w.since)*weights[w.lane])
				}
				if priority == 0 {
					if most != 0 {
						t.Fatalf("nobody comes up, though somebody waits with priority %d", most)
					}
					break
				}
				h := q.peek(lane)
				if got := (round - model[h].since) * weights[model[h].lane]; got != most || model[h].lane != lane {
					t.Fatalf("%d comes up with priority %d in lane %d, the highest is %d", h, got, lane, most)
				}
				q.pop(lane)
				model[h] = waiting{rapid.IntRange(1, Lanes-1).Draw(t, "next lane"), round}
				q.push(model[h].lane, h, round)
			}
		}
	})
}

// However crowded the better lanes are, the last one moves, in proportion to the weights.
func TestNothingStarves(t *testing.T) {
	var q queue
	lanes := make([]int, 200)
	for h := range lanes {
		lanes[h] = 1 + h%(Lanes-1)
		q.push(lanes[h], int32(h), 0)
	}
	served := make([]int, len(lanes))
	last := make([]uint32, len(lanes))
	longest := uint32(0)
	for round := uint32(1); round <= 1000; round++ {
		for range 10 {
			lane, _ := q.head(round)
			h := q.peek(lane)
			q.pop(lane)
			longest = max(longest, round-last[h])
			last[h] = round
			served[h]++
			q.push(lane, h, round)
		}
	}
	// 50 objects in each lane, ten sent a round: by the weights those in the last lane wait 75 rounds.
	if longest > 100 {
		t.Errorf("somebody waited %d rounds", longest)
	}
	near, far := served[0], served[Lanes-2]
	if near < 5*far || far < 10 {
		t.Errorf("an object in the first lane was sent %d times, one in the last %d times; the weights are %v", near, far, weights)
	}
}

func TestQueueWaitsWithoutOverflow(t *testing.T) {
	var q queue
	q.push(0, 1, 0)
	q.push(Lanes-1, 2, 0)
	if lane, _ := q.head(1 << 31); lane != 0 {
		t.Errorf("lane %d comes up after a very long time, want the first", lane)
	}
}
