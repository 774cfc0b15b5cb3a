package protocol

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
	"throng/world/wire"
)

func drawItem(t *rapid.T) Item {
	return Item{
		Peer:    mechanism.NodeID(rapid.Uint32Min(1).Draw(t, "peer")),
		Class:   mechanism.Class(rapid.IntRange(0, int(mechanism.Signal+1)-1).Draw(t, "class")),
		Payload: rapid.SliceOf(rapid.Byte()).Draw(t, "payload"),
	}
}

func TestItemsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Custom(drawItem)).Draw(t, "items")
		frame := AppendData(nil)
		for _, item := range want {
			before := len(frame)
			frame = AppendItem(frame, item.Peer, item.Class, item.Payload)
			if len(frame)-before > len(item.Payload)+ItemOverhead {
				t.Fatalf("an item of %d bytes takes %d", len(item.Payload), len(frame)-before)
			}
		}
		got, err := all(frame)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d items, %v; want %d", len(got), err, len(want))
		}
		for i := range want {
			if got[i].Peer != want[i].Peer || got[i].Class != want[i].Class || !bytes.Equal(got[i].Payload, want[i].Payload) {
				t.Fatalf("item %d is %+v, want %+v", i, got[i], want[i])
			}
		}
	})
}

func TestItemsBeforeAMalformedOneAreGood(t *testing.T) {
	good := AppendItem(AppendData(nil), 5, mechanism.Update, []byte("x"))
	for name, bad := range map[string][]byte{
		"nobody":             {0, 0, 0},
		"unknown class":      {1, byte(mechanism.Signal + 1), 0},
		"payload cut short":  {1, 0, 3, 'a', 'b'},
		"receiver too large": {0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0},
		"nothing but peer":   {1},
	} {
		items, err := all(append(bytes.Clone(good), bad...))
		if want := []Item{{5, mechanism.Update, []byte("x")}}; !errors.Is(err, wire.ErrMalformed) || !reflect.DeepEqual(items, want) {
			t.Errorf("%s: %+v, %v", name, items, err)
		}
	}
	if _, err := all(AppendBye(nil)); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("a frame of another kind: %v", err)
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 1000)
	payload := make([]byte, 100)
	splitter := NewSplitter(1000)
	var offset Offset
	if n := testing.AllocsPerRun(100, func() {
		frame := AppendItem(AppendItem(AppendData(buf), 1, mechanism.Update, payload), 2, mechanism.Command, payload)
		items := ReadData(frame)
		for _, ok := items.Next(); ok; _, ok = items.Next() {
		}
		frame = AppendPong(buf, 1, 2)
		client, server, _ := ReadPong(frame)
		offset.Pong(client, server, 3)
		offset.At(4)
		splitter.Write(AppendLength(buf, 0))
		splitter.Next()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkData(b *testing.B) {
	const batch = 10
	payload := make([]byte, 100)
	var frame []byte
	b.ReportAllocs()
	for b.Loop() {
		frame = AppendData(frame[:0])
		for i := range batch {
			frame = AppendItem(frame, mechanism.NodeID(i+1), mechanism.Update, payload)
		}
		items := ReadData(frame)
		for _, ok := items.Next(); ok; _, ok = items.Next() {
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/item")
}
