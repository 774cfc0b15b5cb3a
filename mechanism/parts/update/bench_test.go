package update

import (
	"fmt"
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// BenchmarkUpdate is bringing one receiver up to date that sees so many objects, all of which have moved, and taking its
// receipt. What the objects cost the table is not counted: it is shared by all receivers.
func BenchmarkUpdate(b *testing.B) {
	for _, objects := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(objects), func(b *testing.B) {
			table := NewTable(schema())
			senders := make([]*Sender, 100)
			for i := range senders {
				senders[i] = NewSender(table, nil, viewer)
			}
			var buf []byte
			receipt := uint32(0)
			for round := 0; b.Loop(); round++ {
				s := senders[round%len(senders)]
				if round%len(senders) == 0 {
					b.StopTimer()
					move(table, senders, objects, round == 0)
					receipt++
					b.StartTimer()
				}
				s.Begin(0)
				for full := true; full; {
					buf = s.AppendHeader(buf[:0])
					buf, _, full = s.Append(buf, 60_000)
					s.Sent(0, 0)
				}
				s.Confirm(Receipt{Number: receipt, High: s.flights.sent.next - 1})
			}
			b.ReportAllocs()
			b.ReportMetric(float64(len(buf))/float64(objects), "B/object")
		})
	}
}

// move moves all objects, and first has all senders send them.
func move(t *Table, senders []*Sender, objects int, first bool) {
	t.Renew()
	for id := 1; id <= objects; id++ {
		o := world.Object{ID: world.ID(id)}
		if at, known := t.where.Get(o.ID); known {
			o = t.rows[at].object
		}
		o.Pos.X += fixed.One / 8
		o.Pos.Y += fixed.One / 16
		t.Put(&o, 0)
	}
	if first {
		for _, s := range senders {
			for id := 1; id <= objects; id++ {
				s.Enter(world.ID(id))
			}
		}
	}
}
