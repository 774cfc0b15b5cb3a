package queue

// entry is one pending event. Class and insertion number share a word, the class in its top byte, so that two comparisons
// decide the order.
type entry[T any] struct {
	time  int64
	order uint64
	value T
}

func (e *entry[T]) before(f *entry[T]) bool {
	return e.time < f.time || e.time == f.time && e.order < f.order
}

// heap is a min-heap of values with four children to a node: half the levels of a binary one, and siblings that lie
// side by side in memory.
type heap[T any] []entry[T]

func (h *heap[T]) push(e entry[T]) {
	s := append(*h, e)
	*h = s
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&s[parent]) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = e
}

// pop removes the first entry of a heap that is not empty.
func (h *heap[T]) pop() entry[T] {
	n := len(*h) - 1
	first, last := (*h)[0], (*h)[n]
	s := (*h)[:n]
	*h = s
	if n == 0 {
		return first
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= n {
			break
		}
		for c := least + 1; c < min(4*i+5, n); c++ {
			if s[c].before(&s[least]) {
				least = c
			}
		}
		if !s[least].before(&last) {
			break
		}
		s[i] = s[least]
		i = least
	}
	s[i] = last
	return first
}
