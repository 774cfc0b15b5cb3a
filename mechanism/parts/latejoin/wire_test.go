package latejoin

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func drawChunk(t *rapid.T) chunk {
	c := chunk{epoch: rapid.Uint32().Draw(t, "epoch"), size: rapid.SampledFrom([]int{0, 1, chunkBytes, chunkBytes + 1, SizeMax}).Draw(t, "size")}
	if c.size == 0 {
		c.fresh = rapid.Bool().Draw(t, "fresh")
	} else {
		c.sum = rapid.Uint64().Draw(t, "sum")
		c.index = rapid.IntRange(0, chunks(c.size)-1).Draw(t, "index")
		from, to := span(c.index, c.size)
		c.data = text(c.sum, to-from)
	}
	return c
}

func TestWireRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := ask{
			epoch: rapid.Uint32().Draw(t, "epoch"),
			sum:   rapid.Uint64().Draw(t, "sum"),
			base:  rapid.IntRange(0, SizeMax/chunkBytes).Draw(t, "base"),
			mask:  rapid.Uint32().Draw(t, "mask"),
		}
		if got, err := readAsk(appendAsk(nil, &a)); err != nil || got != a {
			t.Fatalf("%+v came back as %+v (%v)", a, got, err)
		}
		c := drawChunk(t)
		payload := appendChunk(nil, &c)
		if got, err := readChunk(payload); err != nil || !reflect.DeepEqual(got, c) {
			t.Fatalf("%+v came back as %+v (%v)", c, got, err)
		}
		if len(payload) > chunkBytes+30 {
			t.Fatalf("a chunk takes %d bytes", len(payload))
		}
	})
}

func TestChunksCoverASnapshot(t *testing.T) {
	for _, size := range []int{1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, SizeMax} {
		end := 0
		for i := range chunks(size) {
			from, to := span(i, size)
			if from != end || to <= from || to-from > chunkBytes {
				t.Fatalf("chunk %d of %d bytes is from %d to %d", i, size, from, to)
			}
			end = to
		}
		if end != size {
			t.Errorf("the chunks of %d bytes end at %d", size, end)
		}
	}
}

// FuzzAsk lets anything be asked. Whatever it is, the answer fits.
func FuzzAsk(f *testing.F) {
	f.Add(appendAsk(nil, &all))
	f.Add(appendAsk(nil, &ask{epoch: 7, sum: sumOf(text(1, 3000)), base: 1, mask: 1}))
	f.Fuzz(func(t *testing.T, payload []byte) {
		var g Guide
		write := func(dst []byte) []byte { return append(dst, text(1, 3000)...) }
		g.Answer(0, 2, appendAsk(nil, &ask{mask: 1}), write, func([]byte) {})
		sent := 0
		sound := g.Answer(0, 2, payload, write, func(answer []byte) {
			sent++
			if _, err := readChunk(answer); err != nil {
				t.Fatalf("%x is answered by %x", payload, answer)
			}
		})
		if sent > windowChunks || !sound && sent > 0 {
			t.Fatalf("%x has %d answers, sound: %t", payload, sent, sound)
		}
	})
}

// FuzzChunk lets anything come instead of a chunk. It never makes a snapshot of something else.
func FuzzChunk(f *testing.F) {
	whole := text(1, chunkBytes+10)
	first := chunk{size: len(whole), sum: sumOf(whole), data: whole[:chunkBytes]}
	second := chunk{size: len(whole), sum: sumOf(whole), index: 1, data: whole[chunkBytes:]}
	f.Add(appendChunk(nil, &first), true)
	f.Add(appendChunk(nil, &second), true)
	f.Add(appendChunk(nil, &second), false)
	f.Add(appendChunk(nil, &chunk{}), true)
	f.Fuzz(func(t *testing.T, payload []byte, begun bool) {
		n := NewNewcomer(1, 0, ids(3, 1))
		n.Poll(0, nil)
		if begun {
			n.Receive(0, 2, appendChunk(nil, &first))
		}
		got, sound := n.Receive(0, 2, payload)
		if !sound && got != nil || begun && got != nil && !bytes.Equal(got, whole) {
			t.Fatalf("%x makes a snapshot of %d bytes, sound: %t", payload, len(got), sound)
		}
		if to, _ := n.Poll(n.Next(), nil); to == 0 {
			t.Fatal("nobody is asked any more")
		}
	})
}
