package cluster

import (
	"bytes"
	"testing"

	"throng/mechanism"
	"throng/world/wire"
)

func TestFramesComeBack(t *testing.T) {
	m := mechanism.Message{From: 3, To: 4, Class: mechanism.Receipt, Payload: []byte("hello")}
	text := appendDatagram(appendFrame(nil, kindPing, []byte("a"), []byte("b")), &m)
	r := bytes.NewReader(text)
	var buf []byte
	kind, body, err := readFrame(r, &buf, 100)
	if err != nil || kind != kindPing || string(body) != "ab" {
		t.Errorf("%d %q %v", kind, body, err)
	}
	kind, body, err = readFrame(r, &buf, 100)
	got, ok := readDatagram(body)
	if err != nil || kind != kindDatagram || !ok || got.From != 3 || got.To != 4 || got.Class != mechanism.Receipt || string(got.Payload) != "hello" {
		t.Errorf("%v %+v %v", ok, got, err)
	}
	if _, _, err := readFrame(bytes.NewReader(appendFrame(nil, kindPing, make([]byte, 101))), &buf, 100); err == nil {
		t.Error("a frame may be larger than it may be")
	}
}

// Nothing that a process says makes another one panic.
func FuzzWire(f *testing.F) {
	d := founded(2)
	f.Add(d.append(nil))
	f.Add(appendProcess([]byte{commandJoin}, &process{instance: 1}))
	f.Add(appendHold([]byte{commandTake}, &hold{node: 20, user: 9, process: 1, seat: seatID{1}}))
	f.Add((&hello{token: "t", instance: 1, address: "a"}).append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := wire.NewReader(data)
		_, _ = readDirectory(&r, layout())
		_, _, _ = founded(2).apply(data, 1)
		_, _ = readDatagram(data)
		_, _ = (&mesh{token: "t"}).readHello(data)
		var buf []byte
		_, _, _ = readFrame(bytes.NewReader(data), &buf, 1<<16)
	})
}

func TestAddresses(t *testing.T) {
	token, list, err := parseURL("throng://secret@127.0.0.1:1,[::1]:2\n")
	if err != nil || token != "secret" || len(list) != 2 || list[1] != "[::1]:2" {
		t.Errorf("%q %q %v", token, list, err)
	}
	for _, wrong := range []string{"nats://a@b:1", "throng://b:1", "throng://a@b", "throng://@b:1", ""} {
		if _, _, err := parseURL(wrong); err == nil {
			t.Errorf("%q is taken for a URL", wrong)
		}
	}
}
