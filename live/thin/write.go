package thin

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tinylib/msgp/msgp"
)

// Format is how messages are written.
type Format uint8

// The formats.
const (
	JSON Format = iota
	MessagePack
)

// ParseFormat finds a format by its name; the empty one stands for JSON.
func ParseFormat(name string) (f Format, ok bool) {
	switch name {
	case "", "json":
		return JSON, true
	case "msgpack":
		return MessagePack, true
	}
	return 0, false
}

// Writer appends values to a message. Maps and arrays say how many entries follow, and are closed.
type Writer struct {
	Format Format
	B      []byte
}

// separate puts a comma where JSON wants one.
func (w *Writer) separate() {
	if n := len(w.B); n > 0 {
		switch w.B[n-1] {
		case '[', '{', ':':
		default:
			w.B = append(w.B, ',')
		}
	}
}

// Map begins a map.
func (w *Writer) Map(entries int) { w.open('{', entries, msgp.AppendMapHeader) }

// EndMap ends it.
func (w *Writer) EndMap() { w.close('}') }

// Array begins an array.
func (w *Writer) Array(entries int) { w.open('[', entries, msgp.AppendArrayHeader) }

// EndArray ends it.
func (w *Writer) EndArray() { w.close(']') }

func (w *Writer) open(bracket byte, entries int, header func(b []byte, size uint32) []byte) {
	if w.Format == MessagePack {
		w.B = header(w.B, uint32(entries))
		return
	}
	w.separate()
	w.B = append(w.B, bracket)
}

func (w *Writer) close(bracket byte) {
	if w.Format == JSON {
		w.B = append(w.B, bracket)
	}
}

// Key begins an entry of a map.
func (w *Writer) Key(name string) {
	w.String(name)
	if w.Format == JSON {
		w.B = append(w.B, ':')
	}
}

// String writes a text. What is no UTF-8 in it is replaced.
func (w *Writer) String(s string) {
	if w.Format == MessagePack {
		w.B = msgp.AppendString(w.B, strings.ToValidUTF8(s, "\uFFFD"))
		return
	}
	w.separate()
	w.B = append(w.B, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.B = append(w.B, '\\', byte(r))
		case r < ' ':
			w.B = append(w.B, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			w.B = utf8.AppendRune(w.B, r)
		}
	}
	w.B = append(w.B, '"')
}

const hex = "0123456789abcdef"

// Int writes a whole number.
func (w *Writer) Int(n int64) {
	if w.Format == MessagePack {
		w.B = msgp.AppendInt64(w.B, n)
		return
	}
	w.separate()
	w.B = strconv.AppendInt(w.B, n, 10)
}

// exactMax is the greatest whole number up to which JavaScript's numbers know all of them.
const exactMax = 1<<53 - 1

// ID writes an object's ID: a number, or a text where it is one that not all languages can hold.
func (w *Writer) ID(id uint64) {
	if id > exactMax {
		w.String(strconv.FormatUint(id, 10))
		return
	}
	w.Int(int64(id))
}

// Bool writes a truth.
func (w *Writer) Bool(b bool) {
	if w.Format == MessagePack {
		w.B = msgp.AppendBool(w.B, b)
		return
	}
	w.separate()
	w.B = strconv.AppendBool(w.B, b)
}

var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}

// Decimal writes a number that is given in units of ten to the power of minus digits.
func (w *Writer) Decimal(n int64, digits int) {
	precise, most := n, digits
	for digits > 0 && n%10 == 0 {
		n, digits = n/10, digits-1
	}
	switch {
	case digits == 0:
		w.Int(n)
	case w.Format == JSON:
		w.separate()
		w.B = appendDecimal(w.B, n, digits)
	default:
		f := float64(n) / powers[digits]
		// Half the bytes where they say it well enough: whoever rounds to the digits that the number has at most gets the same.
		short := float32(f)
		if precise == int64(int32(precise)) && int64(math.Round(float64(short)*powers[most])) == precise {
			w.B = msgp.AppendFloat32(w.B, short)
		} else {
			w.B = msgp.AppendFloat64(w.B, f)
		}
	}
}

func appendDecimal(b []byte, n int64, digits int) []byte {
	u := uint64(n)
	if n < 0 {
		b = append(b, '-')
		u = -u
	}
	var text [24]byte
	at := len(text)
	for i := 0; u > 0 || i <= digits; i++ {
		if i == digits {
			at--
			text[at] = '.'
		}
		at--
		text[at] = byte('0' + u%10)
		u /= 10
	}
	return append(b, text[at:]...)
}
