package queue

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// pending is an event of the model: a slice that is sorted stably whenever something is taken from it.
type pending struct {
	time  int64
	class uint8
	value int
}

func (p pending) compare(o pending) int {
	return cmp.Or(cmp.Compare(p.time, o.time), cmp.Compare(p.class, o.class))
}

// delays reach every level of the wheel, with many ties, and a few events in the past.
func delays() *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Int64Range(0, 3),
		rapid.Int64Range(-5, 200),
		rapid.SampledFrom([]int64{0, 50_000_000, 100_000_000}),
		rapid.Int64Range(0, 5_000_000_000),
		rapid.Int64Range(0, math.MaxInt64/4),
	)
}

func TestQueueAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue[int]
		var model []pending
		var now int64
		next := 0
		sorted := func() []pending {
			slices.SortStableFunc(model, pending.compare)
			return model
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				delay := delays().Draw(t, "delay")
				class := rapid.Uint8Range(0, 3).Draw(t, "class")
				for range rapid.SampledFrom([]int{1, 2, 40}).Draw(t, "times") {
					p := pending{now, class, next}
					if delay <= math.MaxInt64-now {
						p.time += delay
					}
					next++
					q.Push(p.time, p.class, p.value)
					model = append(model, p)
				}
			},
			"pop": func(t *rapid.T) {
				for range rapid.IntRange(1, 30).Draw(t, "times") {
					time, value, ok := q.Pop()
					if ok != (len(model) > 0) {
						t.Fatalf("Pop reports %v with %d pending", ok, len(model))
					}
					if !ok {
						return
					}
					want := sorted()[0]
					model = model[1:]
					if time != want.time || value != want.value {
						t.Fatalf("Pop = %d at %d, want %d at %d", value, time, want.value, want.time)
					}
					now = max(now, time)
				}
			},
			"peek": func(t *rapid.T) {
				time, value, ok := q.Peek()
				if ok != (len(model) > 0) {
					t.Fatalf("Peek reports %v with %d pending", ok, len(model))
				}
				if want := sorted(); ok && (time != want[0].time || value != want[0].value) {
					t.Fatalf("Peek = %d at %d, want %d at %d", value, time, want[0].value, want[0].time)
				}
			},
			"": func(t *rapid.T) {
				if q.Len() != len(model) {
					t.Fatalf("Len = %d, want %d", q.Len(), len(model))
				}
			},
		})
	})
}

func TestOrderAtOneTime(t *testing.T) {
	var q Queue[string]
	q.Push(7, 2, "late class")
	q.Push(7, 1, "first")
	q.Push(7, 1, "second")
	q.Push(6, 255, "earlier")
	for _, want := range []string{"earlier", "first", "second", "late class"} {
		if _, got, _ := q.Pop(); got != want {
			t.Fatalf("Pop = %q, want %q", got, want)
		}
	}
}

func TestExtremeTimes(t *testing.T) {
	times := []int64{math.MaxInt64, math.MinInt64, 0, -1, 1, math.MaxInt64 - 1, 1 << 62, 1<<62 - 1}
	var q Queue[int]
	for i, time := range times {
		q.Push(time, 0, i)
	}
	slices.Sort(times)
	for _, want := range times {
		if got, _, ok := q.Pop(); !ok || got != want {
			t.Fatalf("Pop = %d, %v, want %d", got, ok, want)
		}
	}
	q.Push(5, 0, 1) // after the end of time has been reached
	if got, _, ok := q.Pop(); !ok || got != 5 {
		t.Fatalf("Pop = %d, %v, want 5", got, ok)
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	var q Queue[int]
	step := int64(1)
	for i := range 5000 {
		q.Push(int64(i)*step, 0, i)
	}
	turns := func() {
		for range 5000 {
			step = (step*1103515245 + 12345) & (1<<27 - 1)
			time, value, _ := q.Pop()
			q.Push(time+step, uint8(value), value)
		}
	}
	for range 20 {
		turns()
	}
	if n := testing.AllocsPerRun(20, turns); n != 0 {
		t.Errorf("%v allocations in 5000 events, want none", n)
	}
}

// Memory follows what is pending, not what has passed through.
func TestMemoryIsBounded(t *testing.T) {
	var q Queue[int]
	now := int64(0)
	for i := range 200_000 {
		q.Push(now+int64(i%1000)*1_000_003, 0, i)
		if q.Len() > 500 {
			now, _, _ = q.Pop()
		}
	}
	if got, limit := len(q.chunks), 500; got > limit {
		t.Errorf("%d chunks for 500 events, want at most %d: one each", got, limit)
	}
}
