package asset

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/andybalholm/brotli"

	"throng/web/internal/cache"
)

// fast is the level at which a client of eight megabytes takes a second and becomes a fifth larger than at best.
const fast = 5

// window has room for a whole client: what repeats is found however far apart it is.
const window = 24

// CompressFast compresses with Brotli what is to be sent soon.
func CompressFast(content []byte) []byte { return compress("brotli-fast", fast, content) }

// CompressBest compresses with Brotli as well as it can be done. A megabyte takes several seconds.
func CompressBest(content []byte) []byte {
	return compress(kindBest, brotli.BestCompression, content)
}

// kindBest is what the cache calls that.
const kindBest = "brotli-best"

// hasBest reports whether CompressBest takes no time.
func hasBest(content []byte) bool { return len(content) < small || cache.Has(kindBest, content) }

// small is what takes no time to compress.
const small = 100_000

// compress keeps what comes out, since servers are started more often than pages change.
func compress(kind string, quality int, content []byte) []byte {
	anew := func(content []byte) []byte {
		var out bytes.Buffer
		return finish(&out, brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: quality, LGWin: window}), content)
	}
	if len(content) < small {
		return anew(content)
	}
	return cache.Of(kind, content, anew, func(compressed []byte) bool {
		was, err := io.ReadAll(brotli.NewReader(bytes.NewReader(compressed)))
		return err == nil && bytes.Equal(was, content)
	})
}

func zip(content []byte) []byte {
	var out bytes.Buffer
	return finish(&out, gzip.NewWriter(&out), content)
}

func finish(out *bytes.Buffer, w io.WriteCloser, content []byte) []byte {
	if _, err := w.Write(content); err != nil {
		panic(err) // memory takes everything
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// unpack is what was compressed. The program contains it, so that it can only be damaged if the program is.
func unpack(compressed []byte) []byte {
	content, err := io.ReadAll(brotli.NewReader(bytes.NewReader(compressed)))
	if err != nil {
		panic("the page that this program contains is damaged: " + err.Error())
	}
	return content
}
