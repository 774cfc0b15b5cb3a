package cluster

import (
	"bytes"
	"testing"

	"throng/mechanism"
	"throng/world"
)

func TestLedgerComesBack(t *testing.T) {
	l := newLedger()
	for _, seq := range []uint32{1, 2, 2, 200, seqMax} {
		l.note(mechanism.Event{Name: mechanism.Executed, User: 7, Seq: seq})
	}
	l.note(mechanism.Event{Name: mechanism.Confirmed, User: 8, Seq: 1})
	text := l.append(nil)
	again := newLedger()
	if err := again.read(text); err != nil || !bytes.Equal(again.append(nil), text) {
		t.Fatalf("the ledger does not come back: %v", err)
	}
	a := again.users[7]
	e := Entry{User: 7, Done: a.done, Twice: a.Twice}
	if len(again.users) != 1 || a.Done != 3 || a.Twice != 1 || a.Latest != 200 || !e.Did(200) || e.Did(3) || e.Did(1<<20) {
		t.Errorf("%+v", a)
	}
	if again.read(text[:len(text)-1]) == nil {
		t.Error("part of a ledger is taken for all of it")
	}
}

// Where actions have an order, what stands in it was done, unless it is voided before it is settled.
func TestLedgerOfAnOrder(t *testing.T) {
	l := newLedger()
	place := func(position uint64, seq uint32, steps int) {
		l.Placed(position, &mechanism.Entry{Action: world.Action{User: 7, Seq: seq}, Steps: steps})
	}
	place(1, 1, 0)
	l.note(mechanism.Event{Name: mechanism.Executed, User: 7, Seq: 1}) // as servers of some orders also say
	place(2, 2, 0)
	place(3, 3, 1) // time passes
	place(4, 4, 0)
	l.Settled(1)
	again := newLedger()
	if err := again.read(l.append(nil)); err != nil || len(again.open) != 2 {
		t.Fatalf("the ledger does not come back: %v, %v", err, again.open)
	}
	again.Voided(1) // it is settled
	again.Voided(2)
	e := Entry{Done: again.users[7].done}
	if !e.Did(1) || e.Did(2) || e.Did(3) || !e.Did(4) || again.users[7].Twice != 0 {
		t.Errorf("%+v", again.users[7])
	}
}
