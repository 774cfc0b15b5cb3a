package wire

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// field is one value of a message: how it is written, and whether reading gives it back.
type field struct {
	name   string
	append func(dst []byte) []byte
	read   func(r *Reader) bool
}

func drawField(t *rapid.T) field {
	switch rapid.IntRange(0, 6).Draw(t, "type") {
	case 0:
		v := rapid.Int64().Draw(t, "int")
		return field{"int", func(b []byte) []byte { return AppendInt(b, v) }, func(r *Reader) bool { return r.Int() == v }}
	case 1:
		v := rapid.Uint64().Draw(t, "uint")
		return field{"uint", func(b []byte) []byte { return AppendUint(b, v) }, func(r *Reader) bool { return r.Uint() == v }}
	case 2:
		v := rapid.Uint64().Draw(t, "uint64")
		return field{"uint64", func(b []byte) []byte { return AppendUint64(b, v) }, func(r *Reader) bool { return r.Uint64() == v }}
	case 3:
		v := rapid.Byte().Draw(t, "byte")
		return field{"byte", func(b []byte) []byte { return append(b, v) }, func(r *Reader) bool { return r.Byte() == v }}
	case 4:
		v := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "bytes")
		return field{"bytes", func(b []byte) []byte { return AppendBytes(b, v) }, func(r *Reader) bool { return bytes.Equal(r.Bytes(), v) }}
	case 5:
		v := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "next")
		return field{"next", func(b []byte) []byte { return append(b, v...) }, func(r *Reader) bool { return bytes.Equal(r.Next(len(v)), v) }}
	}
	v := rapid.Uint64Range(0, 1000).Draw(t, "uint to 1000")
	return field{"uint to 1000", func(b []byte) []byte { return AppendUint(b, v) }, func(r *Reader) bool { return r.UintMax(1000) == v }}
}

func TestMessageComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(rapid.Custom(drawField), 0, 20).Draw(t, "fields")
		var msg []byte
		for _, f := range fields {
			msg = f.append(msg)
		}
		r := NewReader(msg)
		for _, f := range fields {
			if !f.read(&r) || r.Failed() {
				t.Fatalf("%s did not come back", f.name)
			}
		}
		if err := r.Done(); err != nil {
			t.Fatal(err)
		}

		// Any part of it is noticed to be a part.
		if len(msg) > 0 {
			r = NewReader(msg[:rapid.IntRange(0, len(msg)-1).Draw(t, "cut")])
			for _, f := range fields {
				f.read(&r)
			}
			if r.Done() == nil {
				t.Fatal("a message cut short was read without complaint")
			}
		}
	})
}

// reads are all ways to take something off a message that can fail.
var reads = map[string]func(r *Reader) (zero bool){
	"Int":     func(r *Reader) bool { return r.Int() == 0 },
	"Uint":    func(r *Reader) bool { return r.Uint() == 0 },
	"UintMax": func(r *Reader) bool { return r.UintMax(math.MaxUint64) == 0 },
	"Uint64":  func(r *Reader) bool { return r.Uint64() == 0 },
	"Byte":    func(r *Reader) bool { return r.Byte() == 0 },
	"Bytes":   func(r *Reader) bool { return len(r.Bytes()) == 0 },
}

func TestEmptyMessageHoldsNothing(t *testing.T) {
	for name, read := range reads {
		var r Reader
		if r.Failed() || r.Done() != nil {
			t.Errorf("%s: failed before anything was read", name)
		}
		if !read(&r) || !r.Failed() || r.Done() != ErrMalformed {
			t.Errorf("%s off an empty message was no failure", name)
		}
	}
}

func TestFailureSticks(t *testing.T) {
	for name, read := range reads {
		r := NewReader([]byte{1, 1, 1, 1, 1, 1, 1, 1, 1})
		r.Fail()
		if !read(&r) || !r.Failed() || r.Len() != 0 || r.Rest() != nil {
			t.Errorf("%s read on after a failure", name)
		}
	}
}

func TestImpossibleValuesFail(t *testing.T) {
	for name, test := range map[string]struct {
		msg  []byte
		read func(r *Reader)
	}{
		"number without end":         {bytes.Repeat([]byte{0xff}, 20), func(r *Reader) { r.Uint() }},
		"number without end, signed": {bytes.Repeat([]byte{0xff}, 20), func(r *Reader) { r.Int() }},
		"above the maximum":          {[]byte{11}, func(r *Reader) { r.UintMax(10) }},
		"string beyond the end":      {[]byte{3, 'a', 'b'}, func(r *Reader) { r.Bytes() }},
		"string of all memory":       {binary.AppendUvarint(nil, math.MaxUint64), func(r *Reader) { r.Bytes() }},
		"half a hash":                {make([]byte, 7), func(r *Reader) { r.Uint64() }},
	} {
		r := NewReader(test.msg)
		if test.read(&r); !r.Failed() {
			t.Errorf("%s was read", name)
		}
	}
}

func TestBytesLeftOverAreMalformed(t *testing.T) {
	r := NewReader([]byte{1, 2, 3})
	r.Byte()
	if r.Len() != 2 || r.Done() != ErrMalformed || r.Failed() {
		t.Errorf("%d bytes left: %v", r.Len(), r.Done())
	}
	if rest := r.Rest(); !bytes.Equal(rest, []byte{2, 3}) || r.Done() != nil {
		t.Errorf("the rest is %v: %v", rest, r.Done())
	}
}

// What Bytes returns cannot be appended to over the rest of the message.
func TestBytesEndWhereTheyEnd(t *testing.T) {
	r := NewReader(append(AppendBytes(nil, []byte("ab")), 'c'))
	_ = append(r.Bytes(), 'x')
	if r.Byte() != 'c' {
		t.Error("the byte behind the string was overwritten")
	}
}

func FuzzReader(f *testing.F) {
	f.Add(AppendBytes(AppendInt(AppendUint64(nil, 1), -5), []byte("abc")), []byte{3, 0, 5})
	f.Add(AppendUint([]byte{7}, 300), []byte{4, 1})
	f.Fuzz(func(t *testing.T, msg, plan []byte) {
		r := NewReader(msg)
		left := r.Len()
		for _, p := range plan {
			switch p % 6 {
			case 0:
				r.Int()
			case 1:
				r.Uint()
			case 2:
				r.UintMax(1000)
			case 3:
				r.Uint64()
			case 4:
				r.Byte()
			case 5:
				r.Bytes()
			}
			if r.Len() > left || r.Failed() && r.Len() != 0 {
				t.Fatalf("%d bytes left of %d, failed: %v", r.Len(), left, r.Failed())
			}
			left = r.Len()
		}
	})
}

func BenchmarkReadUint(b *testing.B) {
	for _, size := range []struct {
		name string
		v    uint64
	}{{"1byte", 100}, {"4byte", 1 << 27}} {
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			var msg []byte
			for range 64 {
				msg = AppendUint(msg, size.v)
			}
			for b.Loop() {
				r := NewReader(msg)
				for r.Len() > 0 {
					r.Uint()
				}
			}
		})
	}
}

func TestLists(t *testing.T) {
	one := func(dst []byte, v uint64) []byte { return AppendUint(dst, v) }
	msg := AppendList([]byte{9}, []uint64{3, 1 << 40, 0}, one)
	r := NewReader(msg[1:])
	var got []uint64
	for range r.Each() {
		got = append(got, r.Uint())
	}
	if !slices.Equal(got, []uint64{3, 1 << 40, 0}) || r.Done() != nil {
		t.Errorf("arrived as %v", got)
	}
	for _, bad := range [][]byte{{}, {200}, {3, 1}, {2, 1, 0x80}} { // no number, more than can be, fewer than said, half a number
		r, n := NewReader(bad), 0
		for range r.Each() {
			r.Uint()
			n++
		}
		if r.Done() == nil || n > len(bad) {
			t.Errorf("%v: %d were read", bad, n)
		}
	}
}
