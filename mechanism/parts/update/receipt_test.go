package update

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world/wire"
)

// Receipts say of each datagram that they cover whether it has come.
func TestArrivals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a arrivals
		come := map[uint32]bool{}
		high := uint32(0)
		for range rapid.IntRange(1, 200).Draw(t, "datagrams") {
			seq := uint32(max(1, int(high)+rapid.IntRange(-80, 40).Draw(t, "ahead")))
			want := !come[seq] && (seq > high && seq <= high+window || seq < high && high-seq < late)
			if a.takes(seq) != want {
				t.Fatalf("datagram %d is taken: %v, want %v; the highest is %d", seq, a.takes(seq), want, high)
			}
			if !want {
				continue
			}
			a.add(seq)
			come[seq] = true
			high = max(high, seq)
			r := Receipt{High: a.high, Missing: a.missing}
			for behind := uint32(0); behind < covered && behind < high; behind++ {
				if r.has(high-behind) != come[high-behind] {
					t.Fatalf("the receipt %+v says of datagram %d that it has come: %v", r, high-behind, r.has(high-behind))
				}
			}
		}
	})
}

func TestReceiptRoundTrip(t *testing.T) {
	for _, r := range []Receipt{{}, {Number: 1}, {Number: 1 << 31, High: 1<<32 - 1, Missing: 1<<63 - 1}, {3, 2, 1}} {
		reader := wire.NewReader(AppendReceipt(nil, r))
		if got := ReadReceipt(&reader); got != r || reader.Done() != nil {
			t.Errorf("%+v arrived as %+v", r, got)
		}
	}
}

func TestImplausibleReceipts(t *testing.T) {
	p := newPair()
	p.put(ball(1, 0, 0), 0)
	p.enter(1)
	p.send()
	must(t, p.flush())
	for _, c := range []struct {
		receipt Receipt
		want    bool
	}{
		{Receipt{Number: 2, High: 2}, false}, // of something never sent
		{Receipt{Number: 2, High: 0}, false}, // takes back what it said
		{Receipt{Number: 1, High: 0}, true},  // an old one, to be ignored
		{Receipt{Number: 2, High: 1}, true},
	} {
		if got := p.sender.Plausible(c.receipt); got != c.want {
			t.Errorf("%+v is plausible: %v", c.receipt, got)
		}
	}
}

func FuzzReceipt(f *testing.F) {
	f.Add(AppendReceipt(nil, Receipt{Number: 5, High: 3, Missing: 2}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, msg []byte) {
		p := newPair()
		for range 5 {
			p.put(ball(1, int64(p.now), 0), 0)
			if _, in := p.handles[1]; !in {
				p.enter(1)
			}
			p.send()
		}
		r := wire.NewReader(msg)
		receipt := ReadReceipt(&r)
		if r.Failed() || !p.sender.Plausible(receipt) {
			return
		}
		p.sender.Confirm(receipt)
		p.put(ball(1, 1, 0), 0)
		p.send() // whatever the receipt said, life goes on
	})
}
