package thin

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"

	"github.com/tinylib/msgp/msgp"
)

// ErrMalformed is returned for what is no message.
var ErrMalformed = errors.New("not a message: a map with a type is wanted")

// What a message from a program may hold. Its length is bounded by whoever receives it.
const (
	depthMax = 4   // maps and arrays within one another
	itemsMax = 256 // entries of all of them together
)

// read makes a value of a message: nil, bool, int64, float64, string, []any or map[string]any.
func read(format Format, message []byte) (any, error) {
	budget := itemsMax
	if format == MessagePack {
		v, rest, err := readPacked(message, depthMax, &budget)
		if err != nil || len(rest) > 0 {
			return nil, ErrMalformed
		}
		return v, nil
	}
	d := json.NewDecoder(bytes.NewReader(message))
	d.UseNumber()
	v, err := readJSON(d, depthMax, &budget)
	if err != nil {
		return nil, ErrMalformed
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, ErrMalformed
	}
	return v, nil
}

// readJSON reads one value by its tokens, so that nothing is built that is beyond the limits.
func readJSON(d *json.Decoder, depth int, budget *int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	if *budget--; *budget < 0 {
		return nil, ErrMalformed
	}
	switch t := t.(type) {
	case json.Number:
		return number(t.String())
	case json.Delim:
		if depth == 0 {
			return nil, ErrMalformed
		}
		if t == '[' {
			return readJSONArray(d, depth, budget)
		}
		return readJSONMap(d, depth, budget)
	}
	return t, nil // nil, bool or string
}

func readJSONArray(d *json.Decoder, depth int, budget *int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := readJSON(d, depth-1, budget)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func readJSONMap(d *json.Decoder, depth int, budget *int) (any, error) {
	m := map[string]any{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := readJSON(d, depth-1, budget)
		if err != nil {
			return nil, err
		}
		m[key.(string)] = v // the decoder sees to it that keys are texts
	}
	_, err := d.Token()
	return m, err
}

// number reads a whole number where it is one that fits.
func number(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	return finite(f, err)
}

func finite(f float64, err error) (any, error) {
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, ErrMalformed
	}
	return f, nil
}

// readPacked reads one value of MessagePack.
func readPacked(b []byte, depth int, budget *int) (v any, rest []byte, err error) {
	if *budget--; *budget < 0 {
		return nil, nil, ErrMalformed
	}
	switch msgp.NextType(b) {
	case msgp.NilType:
		rest, err = msgp.ReadNilBytes(b)
		return nil, rest, err
	case msgp.BoolType:
		return packed(msgp.ReadBoolBytes(b))
	case msgp.IntType, msgp.UintType:
		return packed(msgp.ReadInt64Bytes(b)) // one that does not fit is an error
	case msgp.Float32Type:
		f, rest, err := msgp.ReadFloat32Bytes(b)
		v, err = finite(float64(f), err)
		return v, rest, err
	case msgp.Float64Type:
		f, rest, err := msgp.ReadFloat64Bytes(b)
		v, err = finite(f, err)
		return v, rest, err
	case msgp.StrType:
		return packed(msgp.ReadStringBytes(b))
	case msgp.ArrayType:
		return readPackedArray(b, depth, budget)
	case msgp.MapType:
		return readPackedMap(b, depth, budget)
	}
	return nil, nil, ErrMalformed
}

func packed[T any](v T, rest []byte, err error) (any, []byte, error) { return v, rest, err }

func readPackedArray(b []byte, depth int, budget *int) (any, []byte, error) {
	n, b, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil || depth == 0 || n > uint32(*budget) {
		return nil, nil, ErrMalformed
	}
	list := make([]any, n)
	for i := range list {
		if list[i], b, err = readPacked(b, depth-1, budget); err != nil {
			return nil, nil, err
		}
	}
	return list, b, nil
}

func readPackedMap(b []byte, depth int, budget *int) (any, []byte, error) {
	n, b, err := msgp.ReadMapHeaderBytes(b)
	if err != nil || depth == 0 || n > uint32(*budget) {
		return nil, nil, ErrMalformed
	}
	m := make(map[string]any, n)
	for range n {
		var key string
		if key, b, err = msgp.ReadStringBytes(b); err != nil {
			return nil, nil, ErrMalformed
		}
		if m[key], b, err = readPacked(b, depth-1, budget); err != nil {
			return nil, nil, err
		}
	}
	return m, b, nil
}
