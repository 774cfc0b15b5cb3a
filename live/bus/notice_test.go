package bus

import (
	"errors"
	"testing"

	"throng/catalog"
	"throng/live/hub"
	"throng/live/livetest"
	"throng/mechanism"
)

// Whoever does harm to a node in another process is cut off where it came in, and nobody else is; and where a server is given up, those
// hear of it who want something of it, wherever they are.
func TestProcessesTellEachOtherOfHarm(t *testing.T) {
	processes := found(t, three(), 3, catalog.Default(), nil)
	ada, ben := processes[1].sit(t), processes[2].sit(t)
	livetest.Until(t, "Ada is told", func() bool { // a notice may be lost as any datagram
		processes[0].hub.Cut(ada.seat.Place().ID)
		return len(ada.ended) > 0
	})
	if reason := <-ada.ended; reason != hub.CutReason {
		t.Errorf("Ada was told %q", reason)
	}
	select {
	case reason := <-ben.ended:
		t.Errorf("Ben was told %q", reason)
	default:
	}
	for _, payload := range [][]byte{nil, {0}, {1, 1}, {2}, {2, 200, 0, 0, 0}, {2, 255, 255, 255, 255}} { // no notices, or of nobody
		processes[2].hub.Receive(mechanism.Message{From: hub.Nobody, To: ben.seat.Place().ID, Class: mechanism.Control, Payload: payload})
	}
	if err := processes[2].hub.Whole(); err != nil {
		t.Error(err)
	}
	given := processes[1].hub.Places()[1]
	processes[1].hub.Lose(hub.Process{Name: "this process", Here: true, Sites: []hub.Site{{Place: given}}})
	for _, p := range processes {
		livetest.Until(t, "it is known to be given up", func() bool { return p.hub.Lost(given.ID) })
		if err := p.hub.Whole(); !errors.Is(err, hub.ErrBroken) {
			t.Errorf("process %d says: %v", p.number, err)
		}
		if p.hub.Lost(processes[0].hub.Places()[0].ID) {
			t.Errorf("process %d takes another server to be gone", p.number)
		}
	}
	if _, err := processes[2].hub.Join("Cleo"); !errors.Is(err, hub.ErrBroken) {
		t.Errorf("people are let in: %v", err)
	}
}
