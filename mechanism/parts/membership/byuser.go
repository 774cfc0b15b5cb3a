package membership

import "throng/world"

// ByUser finds what belongs to users by their numbers, which are mostly small and dense: those it has in a list, others in a
// map. Zero stands for nothing.
type ByUser[T comparable] struct {
	low  []T
	high map[world.User]T
}

// lowMax is where the map begins.
const lowMax = 1 << 17

// Get returns what belongs to a user.
func (b *ByUser[T]) Get(u world.User) T {
	if int(u) < len(b.low) {
		return b.low[u]
	}
	return b.high[u]
}

// Set has something belong to a user.
func (b *ByUser[T]) Set(u world.User, x T) {
	var none T
	switch {
	case u < lowMax:
		for len(b.low) <= int(u) {
			b.low = append(b.low, none)
		}
		b.low[u] = x
	case x == none:
		delete(b.high, u)
	case b.high == nil:
		b.high = map[world.User]T{u: x}
	default:
		b.high[u] = x
	}
}
