package queue

import (
	"fmt"
	"testing"
)

// holder is what the hold model needs: remove the first event and put it back later.
type holder interface {
	push(time int64, value uint64)
	pop() (time int64, value uint64)
}

type wheelHolder struct{ q Queue[uint64] }

func (h *wheelHolder) push(time int64, value uint64) { h.q.Push(time, uint8(value%3), value) }
func (h *wheelHolder) pop() (int64, uint64)          { t, v, _ := h.q.Pop(); return t, v }

// heapHolder is the plain heap that the wheel is measured against.
type heapHolder struct {
	h        heap[uint64]
	inserted uint64
}

func (h *heapHolder) push(time int64, value uint64) {
	h.h.push(entry[uint64]{time, value%3<<56 | h.inserted, value})
	h.inserted++
}
func (h *heapHolder) pop() (int64, uint64) { e := h.h.pop(); return e.time, e.value }

// BenchmarkHold removes the first event and adds one a random time later (uniform up to 268 ms): the usual measure of event
// queues. In ticks every event returns exactly 50 ms later, so that all happen at once.
func BenchmarkHold(b *testing.B) {
	state := uint64(88172645463325252)
	random := func() int64 { // xorshift
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return int64(state >> 36)
	}
	tick := func() int64 { return 50_000_000 }

	for _, pattern := range []struct {
		name  string
		delay func() int64
	}{{"random", random}, {"ticks", tick}} {
		for _, pending := range []int{100, 10_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/wheel/%d", pattern.name, pending), func(b *testing.B) {
				hold(b, &wheelHolder{}, pending, pattern.delay)
			})
			b.Run(fmt.Sprintf("%s/heap/%d", pattern.name, pending), func(b *testing.B) {
				hold(b, &heapHolder{}, pending, pattern.delay)
			})
		}
	}
}

func hold(b *testing.B, q holder, pending int, delay func() int64) {
	for i := range pending {
		q.push(delay(), uint64(i))
	}
	turn := func() {
		time, value := q.pop()
		q.push(time+delay(), value)
	}
	for range 2 * pending {
		turn()
	}
	b.ReportAllocs()
	for b.Loop() {
		turn()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
