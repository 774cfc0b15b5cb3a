package record

import "throng/lab/record/internal/plain"

// packer does not compress: an encoder would make the page larger for everybody, and what somebody records there is short.
type packer struct{}

func newPacker() (packer, error) { return packer{}, nil }

func (packer) pack(dst, src []byte) []byte { return plain.AppendFrame(dst, src) }
