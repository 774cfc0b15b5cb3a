package gateway

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// Whoever makes a node panic is cut off, and nobody else notices.
func TestPanicIsTheSendersAlone(t *testing.T) {
	s := open(t, nil)
	ben, _ := s.seat(t, "Ben")
	for range 3 {
		ada, w := s.seat(t, "Ada")
		ada.send(t, dataFrame(officeID, fall))
		if reason := ada.goodbye(t); reason != endHarmful.text {
			t.Errorf("goodbye: %q", reason)
		}
		ben.send(t, dataFrame(officeID, "echo"))
		if item := ben.datagram(t); string(item.Payload) != "echo" {
			t.Errorf("Ben hears %+v", item)
		}
		var list []panicInfo
		if err := json.Unmarshal(s.askOperators("/admin/panics", nil).Body.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		last := list[len(list)-1]
		if last.From != uint32(w.Node) || string(last.Payload) != fall || last.What != "fallen" || last.Outcome != "goes on" || !strings.Contains(last.Stack, "officer") {
			t.Errorf("%+v", last)
		}
	}
	if text := s.askOperators("/metrics", nil).Body.String(); !strings.Contains(text, "\nthrong_node_panics_total 3\n") {
		t.Error("not counted")
	}
	if w := s.ask("GET", "/readyz", "", nil); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A server that cannot be woken any more is given up; those who want something of it are told.
func TestServerThatCannotBeWoken(t *testing.T) {
	s := open(t, nil)
	ada, _ := s.seat(t, "Ada")
	ada.send(t, dataFrame(officeID, sleep))
	until(t, "it is given up", func() bool { return s.ask("GET", "/readyz", "", nil).Code == http.StatusServiceUnavailable })
	ada.send(t, dataFrame(officeID, "echo"))
	if reason := ada.goodbye(t); reason != endBroken.text {
		t.Errorf("goodbye: %q", reason)
	}
	if list, count := s.hub.Failures(); count != 3 || list[2].Outcome != "given up" {
		t.Errorf("%d failures", count)
	}
}
