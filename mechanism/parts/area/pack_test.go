package area

import (
	"bytes"
	"testing"
)

func TestPackedTextComesBack(t *testing.T) {
	var p Packer
	var u Unpacker
	for _, text := range [][]byte{nil, {1}, []byte("short"), bytes.Repeat([]byte("again "), 500)} {
		packed := p.Append([]byte{9}, text)
		if got, ok := u.Open(packed[1:]); !ok || !bytes.Equal(got, text) {
			t.Errorf("%d bytes come back as %d (%v)", len(text), len(got), ok)
		}
		if len(packed) > len(text)+2 {
			t.Errorf("%d bytes take %d", len(text), len(packed))
		}
	}
	if packed := p.Append(nil, bytes.Repeat([]byte("again "), 500)); len(packed) > 100 {
		t.Errorf("what repeats itself takes %d bytes", len(packed))
	}
	for _, bad := range [][]byte{nil, {7, 7}, {formSqueezed}, {formSqueezed, 200, 1, 2}} {
		if _, ok := u.Open(bad); ok {
			t.Errorf("%x is taken for something packed", bad)
		}
	}
}
