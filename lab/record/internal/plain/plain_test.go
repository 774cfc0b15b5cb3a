package plain

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func TestAnyDecoderReadsIt(t *testing.T) {
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	for _, n := range []int{0, 1, 255, 256, blockMax - 1, blockMax, blockMax + 1, 3*blockMax + 17} {
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(i * i >> 3)
		}
		got, err := decoder.DecodeAll(AppendFrame([]byte("before"), src)[len("before"):], nil)
		if err != nil || !bytes.Equal(got, src) {
			t.Errorf("%d bytes: %d come back (%v)", n, len(got), err)
		}
	}
}
