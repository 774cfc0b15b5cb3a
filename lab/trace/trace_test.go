package trace_test

import (
	"bytes"
	"testing"

	"throng/lab/attention"
	"throng/lab/record"
	"throng/lab/trace"
	"throng/world"
)

// FuzzRead: whatever the bytes, reading a trace and asking about it ends.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x89throng\n\x01\x00\x00\x00"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := record.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		defer r.Close()
		tr, err := trace.Read(r)
		if err != nil {
			return
		}
		if _, err := tr.Log().Answer(&attention.Question{Side: 25, Above: []int{2}, Window: world.Second, Distances: []float64{1}}); err != nil {
			t.Fatal(err)
		}
	})
}
