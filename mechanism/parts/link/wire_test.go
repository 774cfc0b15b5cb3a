package link

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

func TestFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stamped := rapid.Bool().Draw(t, "stamped")
		var frames []frame
		var data []byte
		n := rapid.IntRange(1, 5).Draw(t, "frames")
		for i := range n {
			f := frame{
				mode:    rapid.SampledFrom([]Mode{Unreliable, Reliable, Ordered}).Draw(t, "mode"),
				class:   mechanism.Class(rapid.Uint8Max(uint8(mechanism.Classes)-1).Draw(t, "class")),
				payload: rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "payload"),
			}
			if f.mode != Unreliable {
				f.number = rapid.Uint64Max(numberMax).Draw(t, "number")
				if f.opening = rapid.Bool().Draw(t, "opening"); f.opening {
					f.since = rapid.Uint64Max(min(f.number, windowSize-1)).Draw(t, "since")
				}
			}
			if stamped {
				f.stamp = rapid.Uint16().Draw(t, "stamp")
			}
			before := len(data)
			data = f.append(data, i == n-1, stamped)
			if header := len(data) - before - len(f.payload); header > headerMax {
				t.Fatalf("a header of %d bytes", header)
			}
			frames = append(frames, f)
		}
		r := wire.NewReader(data)
		for _, want := range frames {
			got := readFrame(&r, stamped)
			if got.payload = bytes.Clone(got.payload); len(got.payload) == 0 {
				got.payload, want.payload = nil, nil
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v came back as %+v", want, got)
			}
		}
		if err := r.Done(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestParts(t *testing.T) {
	cfg := param.Default[Config]()
	cfg.Batching, cfg.ReceptionDelay = 10*ms, 10*ms
	a, b := pair(cfg)
	a.Send(0, 2, mechanism.Update, []byte("one"), Unreliable, &a.out)
	a.Send(0, 2, mechanism.Border, []byte("two"), Ordered, &a.out)
	d := a.wake(10 * ms)
	b.take(10*ms, d...)
	d = append(d, b.wake(20*ms)...)
	d[0].Payload = append(d[0].Payload, d[1].Payload...)
	var got []string
	for _, m := range append(d, mechanism.Message{Payload: []byte{0xff}}) {
		for p := range Parts(cfg, m.Payload) {
			got = append(got, fmt.Sprintf("%v %q %v", p.Class, p.Payload, p))
		}
	}
	want := []string{`update "one" unreliable`, `border "two\x03\x01" ordered #0 of a link from #0`, `receipt "" have all below #1`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	for range Parts(cfg, d[0].Payload) {
		break // halfway
	}
}

// FuzzReceive hands a layer in the middle of its work any datagram at all. It must neither panic nor be the worse for it.
func FuzzReceive(f *testing.F) {
	a, b := pair(param.Default[Config]())
	for _, m := range [][]mechanism.Message{a.send(0, Reliable, "x"), a.send(0, Ordered, "y"), a.send(0, Unreliable, "z")} {
		f.Add(m[0].Payload, false)
		for _, r := range b.take(0, m...) {
			f.Add(r.Payload, true)
		}
	}
	f.Add([]byte{byte(receipt) | headOpening, 0, 2, 0, 0}, false)
	f.Fuzz(func(t *testing.T, payload []byte, delayed bool) {
		cfg := param.Default[Config]()
		if delayed {
			cfg.Batching, cfg.ReceptionDelay = 10*ms, 20*ms
		}
		for p := range Parts(cfg, payload) {
			_ = p.String()
		}
		a, b := pair(cfg)
		for i := range 3 {
			a.send(world.Time(i), Ordered, "early")
			b.send(world.Time(i), Reliable, "early")
		}
		a.take(ms, b.wake(ms)...)
		a.take(ms, mechanism.Message{From: 2, To: 1, Payload: payload})
		a.take(ms, mechanism.Message{From: 2, To: 1, Payload: payload})
		now := ms
		for range 50 {
			next := a.Next()
			if next < now {
				t.Fatalf("at %v it wants to have been woken at %v", now, next)
			}
			now = min(next, now+world.Second)
			a.wake(now)
		}
		a.Forget(2)
		if a.bodies.bytes != 0 {
			t.Fatalf("%d bytes are held after all is forgotten", a.bodies.bytes)
		}
	})
}
