package sim

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/internal/param"
	"throng/mechanism"
)

func TestWhatGoesToManyIsKeptOnce(t *testing.T) {
	var out mechanism.Outbox
	out.SendAll([]mechanism.NodeID{2, 3, 4}, mechanism.Update, []byte("news"))
	out.Send(2, mechanism.Update, []byte("olds"))
	var m mail
	for i := range out.Sends() {
		m.post(out.Message(i, 1))
	}
	if len(m.letters) != 2 {
		t.Errorf("two payloads are kept in %d letters", len(m.letters))
	}
}

// Whatever is posted and discarded in whatever order, a datagram in flight keeps what it carries.
func TestLettersStandUntilDiscarded(t *testing.T) {
	type datagram struct {
		ref  uint32
		want mechanism.Message
	}
	rapid.Check(t, func(t *rapid.T) {
		var m mail
		var out mechanism.Outbox
		var flying []datagram
		for range rapid.IntRange(1, 50).Draw(t, "rounds") {
			from := mechanism.NodeID(rapid.IntRange(1, 3).Draw(t, "from"))
			out.Reset()
			for range rapid.IntRange(0, 3).Draw(t, "payloads") {
				to := rapid.SliceOfN(rapid.Uint32Range(1, 9), 1, 3).Draw(t, "receivers")
				class := mechanism.Class(rapid.IntRange(0, 2).Draw(t, "class"))
				payload := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "payload")
				for _, id := range to {
					out.Send(mechanism.NodeID(id), class, payload)
				}
				out.SendAll([]mechanism.NodeID{1, 2, 3}, class, payload)
			}
			for i := range out.Sends() {
				msg := out.Message(i, from)
				d := datagram{m.post(msg), msg}
				d.want.Payload = bytes.Clone(msg.Payload)
				flying = append(flying, d)
			}
			m.forget()
			flying = slices.DeleteFunc(flying, func(d datagram) bool {
				got := m.message(d.ref, d.want.To)
				if got.From != d.want.From || got.To != d.want.To || got.Class != d.want.Class || !bytes.Equal(got.Payload, d.want.Payload) {
					t.Fatalf("%+v has become %+v", d.want, got)
				}
				arrives := rapid.Bool().Draw(t, "arrives")
				if arrives {
					m.discard(d.ref)
				}
				return arrives
			})
		}
	})
}

func TestLongDatagramsCostAHeaderForEachPiece(t *testing.T) {
	c := param.Default[Config]()
	for payload, want := range map[int]int{0: 28, 1: 29, 1472: 1500, 1473: 1473 + 2*28, 60_000: 60_000 + 41*28} {
		if got := c.wire(payload); got != want {
			t.Errorf("%d bytes take %d on the wire, want %d", payload, got, want)
		}
	}
}
