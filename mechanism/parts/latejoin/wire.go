package latejoin

import (
	"throng/world/wire"
)

const (
	// SizeMax is how long a snapshot may be. It bounds what a guide can make a newcomer hold.
	SizeMax = 4 << 20

	chunkBytes   = 1100 // with what stands before them they fit into any datagram
	windowChunks = 32   // how many chunks are asked for at a time
	epochMax     = 1<<32 - 1
)

// ask is what a newcomer wants.
type ask struct {
	epoch uint32
	sum   uint64 // of the snapshot, or zero for any
	base  int    // a chunk
	mask  uint32 // which of the chunks from there on
}

func appendAsk(dst []byte, a *ask) []byte {
	dst = wire.AppendUint(dst, uint64(a.epoch))
	dst = wire.AppendUint64(dst, a.sum)
	dst = wire.AppendUint(dst, uint64(a.base))
	return wire.AppendUint(dst, uint64(a.mask))
}

// Begins reports whether an ask is for any snapshot, not for the rest of one, and whether it can be read: for those who pass
// asks on.
func Begins(payload []byte) (first, sound bool) {
	a, err := readAsk(payload)
	return a.sum == 0, err == nil
}

func readAsk(payload []byte) (a ask, err error) {
	r := wire.NewReader(payload)
	a.epoch = uint32(r.UintMax(epochMax))
	a.sum = r.Uint64()
	a.base = int(r.UintMax(SizeMax / chunkBytes))
	a.mask = uint32(r.UintMax(1<<windowChunks - 1))
	return a, r.Done()
}

// chunk is a part of a snapshot. One of size zero says that there is none to be had.
type chunk struct {
	epoch uint32 // of the newcomer
	size  int    // of the whole snapshot
	fresh bool   // if there is none: since the node is new itself
	sum   uint64
	index int
	data  []byte
}

func appendChunk(dst []byte, c *chunk) []byte {
	dst = wire.AppendUint(dst, uint64(c.epoch))
	dst = wire.AppendUint(dst, uint64(c.size))
	if c.size == 0 {
		if c.fresh {
			return append(dst, 1)
		}
		return append(dst, 0)
	}
	dst = wire.AppendUint64(dst, c.sum)
	dst = wire.AppendUint(dst, uint64(c.index))
	return append(dst, c.data...)
}

// readChunk reads a chunk. Its data points into the payload and has the length that its place asks for.
func readChunk(payload []byte) (c chunk, err error) {
	r := wire.NewReader(payload)
	c.epoch = uint32(r.UintMax(epochMax))
	c.size = int(r.UintMax(SizeMax))
	if c.size == 0 {
		b := r.Byte()
		c.fresh = b == 1
		if b > 1 {
			r.Fail()
		}
		return c, r.Done()
	}
	c.sum = r.Uint64()
	c.index = int(r.UintMax(uint64(chunks(c.size) - 1)))
	c.data = r.Rest()
	if from, to := span(c.index, c.size); len(c.data) != to-from {
		return chunk{}, wire.ErrMalformed
	}
	return c, r.Done()
}

// chunks is how many chunks a snapshot has.
func chunks(size int) int { return (size + chunkBytes - 1) / chunkBytes }

// span is where a chunk begins and ends.
func span(index, size int) (from, to int) {
	from = index * chunkBytes
	return from, min(from+chunkBytes, size)
}

// sumOf tells snapshots apart and finds out what is damaged (FNV-1a). It is never zero.
func sumOf(text []byte) uint64 {
	sum := uint64(14695981039346656037)
	for _, b := range text {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	return max(sum, 1)
}
