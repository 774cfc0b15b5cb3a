package turn

// hashesKept is how many turns' fingerprints are kept.
const hashesKept = 256

// Hashes are the fingerprints of the world at the beginnings of the latest turns. The zero Hashes knows none.
type Hashes struct {
	ring [hashesKept]mark
}

type mark struct {
	turn Number // one more than it is, so that the zero mark is of no turn
	hash uint64
}

// Put notes the fingerprint of the world at the beginning of a turn.
func (h *Hashes) Put(n Number, hash uint64) { *h.at(n) = mark{n + 1, hash} }

// Get returns the fingerprint at the beginning of a turn, and whether it is known.
func (h *Hashes) Get(n Number) (hash uint64, known bool) {
	m := h.at(n)
	return m.hash, m.turn == n+1
}

func (h *Hashes) at(n Number) *mark { return &h.ring[uint64(n)%hashesKept] }
