//go:build !js

package record

import "github.com/klauspost/compress/zstd"

// packer compresses groups.
type packer struct{ encoder *zstd.Encoder }

func newPacker() (packer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	return packer{encoder}, err
}

func (p packer) pack(dst, src []byte) []byte { return p.encoder.EncodeAll(src, dst) }
