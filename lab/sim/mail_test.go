package sim

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

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

// Whatever is posted and discarded in whatever order, a datagram in flight keeps its payload.
func TestPayloadsStandUntilDiscarded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m mail
		var out mechanism.Outbox
		want := map[uint32][]byte{}
		for range rapid.IntRange(1, 50).Draw(t, "rounds") {
			out.Reset()
			for range rapid.IntRange(0, 3).Draw(t, "payloads") {
				to := make([]mechanism.NodeID, rapid.IntRange(1, 3).Draw(t, "receivers"))
				out.SendAll(to, mechanism.Update, rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "payload"))
			}
			for i := range out.Sends() {
				msg := out.Message(i, 1)
				ref := m.post(msg)
				if _, used := want[ref]; used {
					t.Fatalf("slot %d was given twice", ref)
				}
				want[ref] = bytes.Clone(msg.Payload)
			}
			m.forget()
			for ref := range uint32(len(m.slots)) {
				payload, in := want[ref]
				if !in {
					continue
				}
				if got := m.message(ref).Payload; !bytes.Equal(got, payload) {
					t.Fatalf("slot %d holds %q, not %q", ref, got, payload)
				}
				if rapid.Bool().Draw(t, "discard") {
					m.discard(ref)
					delete(want, ref)
				}
			}
		}
	})
}

func TestLongDatagramsCostAHeaderForEachPiece(t *testing.T) {
	c := Default()
	for payload, want := range map[int]int{0: 28, 1: 29, 1472: 1500, 1473: 1473 + 2*28, 60_000: 60_000 + 41*28} {
		if got := c.wire(payload); got != want {
			t.Errorf("%d bytes take %d on the wire, want %d", payload, got, want)
		}
	}
}
