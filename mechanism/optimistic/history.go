package optimistic

import (
	"iter"
	"math/bits"
	"unsafe"

	"throng/world"
)

// perTickMax is how many actions one user may take in one tick. It bounds what a hostile node can make others remember.
const perTickMax = 64

// input is an action in its place in time.
type input struct {
	action  world.Action
	epoch   uint32 // of the user's node; with the action's user and number it names the action
	applied bool   // whether it has taken effect before
	next    int32  // the following input of its tick, or the next free one; places count from one, zero ends the list
}

// inputBytes is the size of an input.
const inputBytes = int(unsafe.Sizeof(input{}))

// before orders the inputs of one tick, the same everywhere: by user, then as the users took them.
func (x *input) before(a *world.Action, epoch uint32) bool {
	if x.action.User != a.User || x.epoch == epoch {
		return x.action.Before(a)
	}
	return x.epoch < epoch
}

// history holds the inputs of a stretch of ticks, those of each tick in the order in which they are carried out.
//
// It is a ring of ticks, each with a list of inputs. One sorted sequence of all inputs would be simpler, but putting a late
// one into it means moving all that follow: as many as all users have issued since, which at hundreds of users costs more
// than the roll-back.
type history struct {
	first  world.Tick // the oldest tick that is held
	ticks  []int32    // the first input of each tick from there on, at the tick modulo the length, a power of two
	inputs []input
	free   int32
	count  int
}

// verdict is what became of an input that was to be inserted.
type verdict uint8

const (
	refused   verdict = iota // the user has too many actions in the tick
	duplicate                // it is there already
	inserted                 // it stands before others of its tick
	appended                 // it is the last of its tick
)

// newHistory returns an empty history that can hold a number of ticks at a time.
func newHistory(ticks world.Tick) history {
	return history{ticks: make([]int32, 1<<bits.Len64(uint64(ticks)))}
}

func (h *history) tick(t world.Tick) *int32 { return &h.ticks[uint64(t)&uint64(len(h.ticks)-1)] }

// input returns the input at a place.
func (h *history) input(at int32) *input { return &h.inputs[at-1] }

// insert puts an action into a tick, which must be among those held, and returns its place.
func (h *history) insert(t world.Tick, a *world.Action, epoch uint32) (int32, verdict) {
	var before, same int32 // the input that it follows, and how many the user has
	for at := *h.tick(t); at != 0; at = h.input(at).next {
		x := h.input(at)
		if x.action.User > a.User {
			break
		}
		if x.action.User == a.User {
			if x.action.Seq == a.Seq && x.epoch == epoch {
				return 0, duplicate
			}
			same++
		}
		if x.before(a, epoch) {
			before = at
		}
	}
	if same == perTickMax {
		return 0, refused
	}
	i := h.take()
	link := h.tick(t)
	if before != 0 {
		link = &h.input(before).next
	}
	*h.input(i) = input{action: *a, epoch: epoch, next: *link}
	*link = i
	h.count++
	if h.input(i).next != 0 {
		return i, inserted
	}
	return i, appended
}

// take returns the place of an input that is not in use.
func (h *history) take() int32 {
	if h.free == 0 {
		h.inputs = append(h.inputs, input{})
		return int32(len(h.inputs))
	}
	i := h.free
	h.free = h.input(i).next
	return i
}

// all runs through the inputs by tick, those of each tick in their order.
func (h *history) all() iter.Seq2[world.Tick, *input] {
	return func(yield func(world.Tick, *input) bool) {
		for t := h.first; t < h.first+world.Tick(len(h.ticks)); t++ {
			for at := *h.tick(t); at != 0; at = h.input(at).next {
				if !yield(t, h.input(at)) {
					return
				}
			}
		}
	}
}

// discard gives up all inputs of ticks before t.
func (h *history) discard(t world.Tick) {
	for ; h.first < t; h.first++ {
		head := h.tick(h.first)
		for at := *head; at != 0; {
			x := h.input(at)
			next := x.next
			x.next, h.free = h.free, at
			at = next
			h.count--
		}
		*head = 0
	}
}

// bytes is the memory that the history takes.
func (h *history) bytes() int { return 4*len(h.ticks) + inputBytes*h.count }
