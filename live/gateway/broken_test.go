package gateway

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"throng/live/hub"
	"throng/live/protocol"
	"throng/mechanism"
	"throng/world/fixed"
)

// gone is a process elsewhere that is said to have run the server.
var gone = hub.Process{Number: 2, Name: "pid 7 on elsewhere", Gone: true, Sites: []hub.Site{{
	Place: mechanism.Place{ID: officeID, Role: "server"},
	Areas: []fixed.Box{{Max: fixed.Vec{X: fixed.FromInt(50), Y: fixed.FromInt(60)}}},
}}}

// Whoever still wants something of a server that is gone is told so. Acknowledging what it said before is no such thing.
func TestUsersOfWhatIsGoneAreTold(t *testing.T) {
	s := open(t, nil)
	g, _ := s.seat(t, "Ada")
	receipt := protocol.AppendItem(protocol.AppendData(nil), officeID, mechanism.Receipt, []byte("echo"))
	s.hub.Lose(gone)
	g.send(t, receipt)
	if item := g.datagram(t); item.Class != mechanism.Receipt {
		t.Errorf("heard %v", item.Class)
	}
	g.send(t, dataFrame(officeID, "echo"))
	if reason := g.goodbye(t); reason != endBroken.text {
		t.Errorf("told %q", reason)
	}
	until(t, "it is counted", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.ended[endBroken] == 1 })
}

func TestNobodyIsLetIntoABrokenWorld(t *testing.T) {
	s := open(t, func(c *Config) {
		c.Processes = func() []hub.Process { return []hub.Process{{Name: "pid 1 on here", Here: true}, gone} }
	})
	s.hub.Lose(gone)
	const why = "part of the world is gone: process 2 ran node 1 (server of 0,0 to 50,60)"
	if w := s.ask("GET", "/readyz", "", nil); w.Code != http.StatusServiceUnavailable || w.Body.String() != why+"\n" {
		t.Errorf("ready: %d %q", w.Code, w.Body)
	}
	if w := s.ask("POST", "/api/join", `{"name": "Ada"}`, nil); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), why) {
		t.Errorf("joining: %d %q", w.Code, w.Body)
	}
	var o overview
	if err := json.Unmarshal(s.askOperators("/admin/data", nil).Body.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	want := processInfo{2, "pid 7 on elsewhere", "1 (server of 0,0 to 50,60)", "gone"}
	if o.Broken != why || len(o.Parts) != 2 || o.Parts[0].State != "this one" || o.Parts[1] != want {
		t.Errorf("operators see %q and %+v", o.Broken, o.Parts)
	}
}
