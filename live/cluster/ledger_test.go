package cluster

import (
	"bytes"
	"testing"

	"throng/mechanism"
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
