package protocol

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

var hello = Hello{Version: Version, Fresh: true, Token: []byte("secret")}

var welcome = Welcome{Node: 1 << 31, User: 70_000, Epoch: 3, Time: 12 * world.Second, Tick: 50 * world.Millisecond,
	Role: []byte("client"), Description: []byte(`{"world":{"name":"crowd"}}`)}

func TestFramesComeBackAsTheyWere(t *testing.T) {
	if got, err := ReadHello(AppendHello(nil, hello)); err != nil || !reflect.DeepEqual(got, hello) {
		t.Errorf("hello: %+v, %v", got, err)
	}
	got, err := ReadWelcome(AppendWelcome(nil, &welcome))
	if err != nil || !reflect.DeepEqual(got, welcome) {
		t.Errorf("welcome: %+v, %v", got, err)
	}
	if want := (mechanism.Place{ID: 1 << 31, Role: "client", User: 70_000}); got.Place() != want {
		t.Errorf("place: %+v", got.Place())
	}
	if client, err := ReadPing(AppendPing(nil, -5)); err != nil || client != -5 {
		t.Errorf("ping: %v, %v", client, err)
	}
	if client, server, err := ReadPong(AppendPong(nil, 5, 1<<62)); err != nil || client != 5 || server != 1<<62 {
		t.Errorf("pong: %v, %v, %v", client, server, err)
	}
	if err := ReadBye(AppendBye(nil)); err != nil {
		t.Errorf("bye: %v", err)
	}
	if reason, err := ReadGoodbye(AppendGoodbye(nil, "too slow")); err != nil || string(reason) != "too slow" {
		t.Errorf("goodbye: %q, %v", reason, err)
	}
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		frame []byte
		want  Kind
	}{
		{nil, 0}, {[]byte{99}, 99},
		{AppendHello(nil, hello), KindHello}, {AppendWelcome(nil, &welcome), KindWelcome}, {AppendData(nil), KindData},
		{AppendPing(nil, 1), KindPing}, {AppendPong(nil, 1, 2), KindPong}, {AppendBye(nil), KindBye}, {AppendGoodbye(nil, ""), KindGoodbye},
	} {
		if got := KindOf(c.frame); got != c.want {
			t.Errorf("%v is of kind %d, want %d", c.frame, got, c.want)
		}
	}
}

// The bytes are what old and new binaries must agree on. Changing them means a new Version.
func TestWireFormat(t *testing.T) {
	data := AppendItem(AppendItem(AppendData(nil), 300, mechanism.Update, []byte("ab")), 2, mechanism.Control, nil)
	for _, c := range []struct {
		name  string
		frame []byte
		want  string
	}{
		{"hello", AppendHello(nil, Hello{Version: 1, Fresh: true, Token: []byte("t")}), "\x01\x01\x01\x01t"},
		{"welcome", AppendWelcome(nil, &Welcome{Node: 2, User: 1, Epoch: 3, Time: 4, Tick: 5, Role: []byte("c"), Description: []byte("{}")}),
			"\x02\x02\x01\x03\x08\x0a\x01c\x02{}"},
		{"data", data, "\x03\xac\x02\x02\x02ab\x02\x00\x00"},
		{"ping", AppendPing(nil, -1), "\x04\x01"},
		{"pong", AppendPong(nil, 1, 64), "\x05\x02\x80\x01"},
		{"bye", AppendBye(nil), "\x06"},
		{"goodbye", AppendGoodbye(nil, "no"), "\x07no"},
	} {
		if string(c.frame) != c.want {
			t.Errorf("%s is %q, want %q", c.name, c.frame, c.want)
		}
	}
}

func TestHelloOfAnotherVersionIsRecognised(t *testing.T) {
	future := append(AppendHello(nil, Hello{Version: Version + 1}), "whatever comes then"...)
	if got, err := ReadHello(future); err != nil || got.Version != Version+1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTextsAreLimited(t *testing.T) {
	long := Hello{Version: Version, Token: make([]byte, TokenMax+1)}
	if _, err := ReadHello(AppendHello(nil, long)); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("a long token: %v", err)
	}
	reason, err := ReadGoodbye(AppendGoodbye(nil, "x"+strings.Repeat("ü", ReasonMax)))
	if err != nil || len(reason) != ReasonMax-1 || !utf8.Valid(reason) {
		t.Errorf("a long reason becomes %d bytes, %v", len(reason), err)
	}
	if _, err := ReadGoodbye(append([]byte{byte(KindGoodbye)}, make([]byte, ReasonMax+1)...)); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("a reason beyond the limit: %v", err)
	}
}

func TestCutAndPaddedFramesAreMalformed(t *testing.T) {
	readers := map[string]struct {
		frame []byte
		read  func([]byte) error
	}{
		"hello":   {AppendHello(nil, hello), func(b []byte) error { _, err := ReadHello(b); return err }},
		"welcome": {AppendWelcome(nil, &welcome), func(b []byte) error { _, err := ReadWelcome(b); return err }},
		"ping":    {AppendPing(nil, 1000), func(b []byte) error { _, err := ReadPing(b); return err }},
		"pong":    {AppendPong(nil, 1000, 2000), func(b []byte) error { _, _, err := ReadPong(b); return err }},
		"bye":     {AppendBye(nil), ReadBye},
	}
	for name, c := range readers {
		for end := range c.frame {
			if err := c.read(c.frame[:end]); !errors.Is(err, wire.ErrMalformed) {
				t.Errorf("%s cut to %d bytes: %v", name, end, err)
			}
		}
		if err := c.read(append(bytes.Clone(c.frame), 0)); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%s with a byte too many: %v", name, err)
		}
		c.frame[0]++
		if err := c.read(c.frame); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%s of another kind: %v", name, err)
		}
	}
}

// FuzzFrames feeds anything to everything. What can be read must survive being written and read again.
func FuzzFrames(f *testing.F) {
	for _, frame := range [][]byte{
		AppendHello(nil, hello), AppendWelcome(nil, &welcome), AppendPing(nil, 7), AppendPong(nil, 7, 9), AppendBye(nil),
		AppendGoodbye(nil, "so long"), AppendItem(AppendData(nil), 9, mechanism.Update, []byte("xyz")),
	} {
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		if h, err := ReadHello(frame); err == nil && h.Version == Version {
			same(t, h, AppendHello, ReadHello)
		}
		if w, err := ReadWelcome(frame); err == nil {
			same(t, w, func(dst []byte, w Welcome) []byte { return AppendWelcome(dst, &w) }, ReadWelcome)
		}
		if client, err := ReadPing(frame); err == nil {
			same(t, client, AppendPing, ReadPing)
		}
		if client, server, err := ReadPong(frame); err == nil {
			type pong struct{ client, server world.Time }
			same(t, pong{client, server}, func(dst []byte, p pong) []byte { return AppendPong(dst, p.client, p.server) },
				func(b []byte) (p pong, err error) { p.client, p.server, err = ReadPong(b); return p, err })
		}
		if reason, err := ReadGoodbye(frame); err == nil && utf8.Valid(reason) {
			same(t, string(reason), AppendGoodbye, func(b []byte) (string, error) { r, err := ReadGoodbye(b); return string(r), err })
		}
		var items []Item
		again := AppendData(nil)
		data := ReadData(frame)
		for item, ok := data.Next(); ok; item, ok = data.Next() {
			items = append(items, item)
			again = AppendItem(again, item.Peer, item.Class, item.Payload)
		}
		if got, err := all(again); err != nil || len(got) != len(items) {
			t.Fatalf("%d items become %d, %v", len(items), len(got), err)
		}
	})
}

func same[T any](t *testing.T, v T, write func([]byte, T) []byte, read func([]byte) (T, error)) {
	got, err := read(write(nil, v))
	if err != nil || !reflect.DeepEqual(got, v) {
		t.Fatalf("%+v becomes %+v, %v", v, got, err)
	}
}

func all(frame []byte) (items []Item, err error) {
	data := ReadData(frame)
	for item, ok := data.Next(); ok; item, ok = data.Next() {
		items = append(items, item)
	}
	return items, data.Err()
}
