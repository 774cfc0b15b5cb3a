package direct

import (
	"strings"
	"testing"
	"time"

	"throng/mechanism"
)

// What is malformed, too large or too much is dropped and counted, whoever sends it.
func TestHostile(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	s := n.switches[2]
	huge, short := example("huge"), example("abc")
	huge.password = strings.Repeat("x", secretMax+1)
	crowded := (&signal{offer, 1, example("many")}).append(nil)
	for _, payload := range [][]byte{
		nil, {0}, {byte(tally), 0, 0}, {byte(offer), 1, 0}, {byte(invite), 0, 1}, {byte(offer), 1, 200}, crowded[:len(crowded)-1],
		(&signal{offer, 1, huge}).append(nil), (&signal{offer, 1, short}).append(nil), append(crowded, make([]byte, SignalMax)...),
	} {
		before := s.Counts().Dropped
		if s.Signal(3, payload); s.Counts().Dropped != before+1 {
			t.Errorf("%q was taken", payload)
		}
	}
	if s.Signal(1, (&signal{kind: invite}).append(nil)); s.Counts().Dropped != 11 {
		t.Error("a server's signal was taken")
	}
	n.send(2, 3, worth)
	p := s.peers[3]
	for _, b := range [][]byte{{}, {byte(mechanism.Classes)}, make([]byte, messageMax+1)} {
		before := s.Counts().Dropped
		if s.message(p, b); s.Counts().Dropped != before+1 {
			t.Errorf("%d bytes were taken", len(b))
		}
	}
	n.got[2] = nil
	for range 2 * burst {
		s.message(p, []byte{byte(mechanism.Update), 1})
	}
	if got := len(n.got[2]); got > burst {
		t.Errorf("%d datagrams were taken at once", got)
	}
	for range 2 * burst {
		s.message(p, []byte{byte(mechanism.Update), 1})
	}
	if n.settle(); s.Counts().Open != 0 {
		t.Error("who floods stays connected")
	}
	n.now += time.Minute
	s.Signal(3, (&signal{kind: invite}).append(nil))
	n.settle()
	if s.Counts().Open != 0 || n.signals[len(n.signals)-1] != refuse {
		t.Errorf("who has flooded is connected to again: %v", n.signals)
	}
	for id := mechanism.NodeID(10); id < 10+2*peersMax; id++ {
		s.Signal(id, (&signal{kind: answer, number: 1, about: example("some")}).append(nil))
	}
	if len(s.peers) > peersMax {
		t.Errorf("%d peers are remembered", len(s.peers))
	}
}

// Who floods with what only shows that it is there is cut like anybody else.
func TestFloodOfBeats(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	n.send(2, 3, worth)
	s := n.switches[2]
	for range 3 * burst {
		s.message(s.peers[3], []byte{beat})
	}
	if s.Counts().Open != 0 {
		t.Error("who floods stays connected")
	}
}

// Who leaves and had offered cannot speak in the name of whoever has the place next, though that one's first attempt has the same number.
func TestNumbersDoNotSayWhoSpeaks(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	n.send(2, 3, worth+1)
	old := n.switches[2].peers[3].conn
	next := newNet(t, 4, 2).switches[2]
	next.config = n.switches[2].config
	n.switches[2] = next
	n.now += againMin + time.Second
	n.send(2, 3, worth)
	if n.send(2, 3, 1) != 1 || n.switches[3].peers[2].number != 1 {
		t.Fatalf("the next one is not connected: %+v", n.switches[3].Counts())
	}
	before := len(n.got[3])
	old.Send([]byte{byte(mechanism.Update), 'o'})
	if n.settle(); len(n.got[3]) != before {
		t.Error("the one before was heard")
	}
}

// Who asks again and again is told once in a while: what this end may say by the gateway is not to be used up by others.
func TestRefusalsAreFew(t *testing.T) {
	n := newNet(t, 0, 2, 3)
	n.now = time.Hour
	for range 500 {
		n.switches[2].Signal(3, (&signal{kind: invite}).append(nil))
		n.now += 20 * time.Millisecond
	}
	if got := len(n.signals); got < 2 || got > 3 {
		t.Errorf("%d signals in 10 s", got)
	}
}

// A datagram that comes directly costs no allocation.
func TestMessagesAllocateNothing(t *testing.T) {
	n := newNet(t, 4, 2, 3)
	n.send(2, 3, worth)
	s, h := n.switches[2], n.ends[0][0].h
	got := 0
	s.config.Take = func(mechanism.Message) { got++ }
	b := []byte{byte(mechanism.Update), 1}
	if a := testing.AllocsPerRun(100, func() { h.Message(b) }); a != 0 || got == 0 {
		t.Errorf("%v allocations, %d taken", a, got)
	}
}

func FuzzSignal(f *testing.F) {
	f.Add((&signal{offer, 7, example("name")}).append(nil))
	f.Add((&signal{kind: invite}).append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, ok := readSignal(b)
		if !ok {
			return
		}
		if again, ok := readSignal(s.append(nil)); !ok || again != s {
			t.Errorf("%+v is read as %+v", s, again)
		}
	})
}
