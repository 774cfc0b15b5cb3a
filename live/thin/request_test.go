package thin_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tinylib/msgp/msgp"

	"throng/live/thin"
	"throng/live/thin/thinclient"
)

// pack makes MessagePack of JSON.
func pack(t testing.TB, text string) []byte {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	b, err := msgp.AppendIntf(nil, numbers(v))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = numbers(v[key])
		}
	}
	return v
}

func TestRequests(t *testing.T) {
	for text, want := range map[string]thin.Request{
		`{"type":"join","version":1,"name":"Ada","rate":5,"fields":{"walker":["x","y"],"shout":[]},"new":{"a":[1]}}`: {Type: "join", Version: 1, Name: "Ada",
			Wishes: thin.Wishes{Rate: 5, Fields: map[string][]string{"walker": {"x", "y"}, "shout": nil}}},
		`{"type":"ask","view":"smooth","fields":"all","rate":2.5}`: {Type: "ask", Wishes: thin.Wishes{Rate: 2.5, View: "smooth", All: true}},
		`{"type":"act","id":9,"verb":"walk","target":17,"args":{"vx":1.5,"vy":-2,"ok":true}}`: {Type: "act", ID: 9, Verb: "walk", Target: 17,
			Args: map[string]any{"vx": 1.5, "vy": int64(-2), "ok": true}},
		`{"type":"act","verb":"walk","target":"18446744073709551615"}`: {Type: "act", Verb: "walk", Target: math.MaxUint64},
		`{"type":"say","text":"héllo"}`:                                {Type: "say", Text: "héllo"},
		`{"type":"ping","time":12.5}`:                                  {Type: "ping", Time: 12.5},
		`{"type":"leave"}`:                                             {Type: "leave"},
		`{"type":"tomorrow","verb":1}`:                                 {Type: "tomorrow"},
	} {
		for name, message := range map[string][]byte{"json": []byte(text), "msgpack": pack(t, text)} {
			got, err := thin.ReadRequest(formats[name], message)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s\n got %+v, %v\nwant %+v", name, text, got, err, want)
			}
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, text := range []string{
		``, `1`, `[]`, `{}`, `{"type":1}`, `{"type":"leave"} {}`, `{"type":"leave"`, `{"type":"act","id":"1","verb":"x"}`, `{"type":"act","args":[1]}`,
		`{"type":"act","target":-1}`, `{"type":"act","target":1.5}`, `{"type":"say","text":["a"]}`, `{"type":"ask","fields":{"walker":"x"}}`,
		`{"type":"ask","fields":{"walker":[1]}}`, `{"type":"ask","rate":"fast"}`, `{"type":"ping","time":{}}`, `{"type":"act","args":{"x":1e999}}`,
		`{"type":"ask","deep":[[[[[1]]]]]}`, `{"type":"ask","long":[` + strings.Repeat("1,", 300) + `1]}`,
	} {
		if r, err := thin.ReadRequest(thin.JSON, []byte(text)); err == nil {
			t.Errorf("%s is read as %+v", text, r)
		}
	}
	for _, bytes := range [][]byte{
		{}, {0xc1}, {0xdf, 0xff, 0xff, 0xff, 0xff}, {0xdd, 0xff, 0xff, 0xff, 0xff}, {0xdb, 0xff, 0xff, 0xff, 0xff, 'a'},
		pack(t, `{"type":"ask","deep":[[[[[1]]]]]}`), pack(t, `{"type":"ask","deep":{"a":{"a":{"a":{"a":1}}}}}`),
		append(pack(t, `{"type":"leave"}`), 0), {0x81, 0x01, 0x01}, {0x81, 0xa4, 't', 'y', 'p', 'e', 0xd4, 1, 2},
	} {
		if r, err := thin.ReadRequest(thin.MessagePack, bytes); err == nil {
			t.Errorf("%x is read as %+v", bytes, r)
		}
	}
}

func TestActions(t *testing.T) {
	w, _ := build(t, "crowd", nil)
	c := thin.NewCatalogue(w)
	for _, bad := range []string{
		`{"type":"act","verb":"fly"}`, `{"type":"act","verb":"walk","args":{"speed":1}}`, `{"type":"act","verb":"walk","args":{"vx":1000000}}`,
		`{"type":"act","verb":"walk","args":{"vx":1.5}}`, `{"type":"act","verb":"walk","args":{"vx":"1"}}`, `{"type":"act","verb":"walk","args":{"vx":true}}`,
		`{"type":"act","verb":"walk","args":{"vx":null}}`, `{"type":"act","verb":"walk","args":{"vx":1e300}}`, `{"type":"act","verb":"walk","args":{"vx":[1]}}`,
	} {
		r, err := thin.ReadRequest(thin.JSON, []byte(bad))
		if err != nil {
			t.Fatal(err)
		}
		if a, err := c.Action(&r); err == nil {
			t.Errorf("%s becomes %+v", bad, a)
		}
	}
	r, _ := thin.ReadRequest(thin.JSON, []byte(`{"type":"act","verb":"walk","args":{"vy":-120},"target":3}`))
	if a, err := c.Action(&r); err != nil || a.Args[1] != -120 || a.Args[0] != 0 || a.Target != 3 || a.Verb != 0 {
		t.Errorf("walking becomes %+v, %v", a, err)
	}
}

// Whatever a stranger sends is refused, or is an action that makes sense.
func fuzzRequest(f *testing.F, format thin.Format) {
	w, _ := build(f, "rts", nil)
	c := thin.NewCatalogue(w)
	for _, text := range []string{`{"type":"join","version":1,"fields":{"a":["b"]}}`, `{"type":"act","verb":"go","args":{"x":1.5,"y":2},"target":4}`, `{"type":"ping","time":1}`} {
		if format == thin.JSON {
			f.Add([]byte(text))
		} else {
			f.Add(pack(f, text))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := thin.ReadRequest(format, b)
		if err != nil {
			return
		}
		if c.Check(&r.Wishes) == nil {
			thin.NewStream(c).Ask(&r.Wishes)
		}
		if a, err := c.Action(&r); err == nil && w.Schema().CheckAction(&a) != nil {
			t.Errorf("%q becomes %+v", b, a)
		}
	})
}

func FuzzJSON(f *testing.F)        { fuzzRequest(f, thin.JSON) }
func FuzzMessagePack(f *testing.F) { fuzzRequest(f, thin.MessagePack) }

// Both formats say the same, and what was written can be read.
func TestWriter(t *testing.T) {
	write := func(w *thin.Writer) []byte {
		w.Map(6)
		w.Key("text")
		w.String("a \"quote\", a \\, a \n, é, \x00 and \xff")
		w.Key("empty")
		w.Map(0)
		w.EndMap()
		w.Key("numbers")
		w.Array(9)
		for _, n := range []int64{0, 5, -5, 1005, -1005, 100000, math.MaxInt64, math.MinInt64, 12345678} {
			w.Decimal(n, 3)
		}
		w.EndArray()
		w.Key("ids")
		w.Array(3)
		w.ID(1)
		w.ID(1<<53 - 1)
		w.ID(1 << 53)
		w.EndArray()
		w.Key("true")
		w.Bool(true)
		w.Key("nested")
		w.Array(2)
		w.Array(0)
		w.EndArray()
		w.Array(1)
		w.Int(-7)
		w.EndArray()
		w.EndArray()
		w.EndMap()
		return w.B
	}
	text, err := thinclient.Parse(thin.JSON, write(&thin.Writer{Format: thin.JSON}))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := thinclient.Parse(thin.MessagePack, write(&thin.Writer{Format: thin.MessagePack}))
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0, 0.005, -0.005, 1.005, -1.005, 100, 9223372036854775.807, -9223372036854775.808, 12345.678}
	for i, n := range want {
		for _, m := range []thinclient.Message{text, packed} {
			if got := m["numbers"].([]any)[i].(float64); math.Abs(got-n) > max(5e-4, math.Abs(n)*1e-15) {
				t.Errorf("%v is told as %v", n, got)
			}
		}
	}
	if ids := text["ids"].([]any); ids[1] != float64(1<<53-1) || ids[2] != "9007199254740992" {
		t.Errorf("IDs %v", ids)
	}
	delete(text, "numbers")
	delete(packed, "numbers")
	if !reflect.DeepEqual(text, packed) {
		t.Errorf("JSON says %v\nMessagePack %v", text, packed)
	}
}
