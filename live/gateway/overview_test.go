package gateway

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"throng/mechanism"
	"throng/world"
)

func TestOverview(t *testing.T) {
	s := open(t, nil)
	g, w := s.seat(t, "<script>")
	g.send(t, dataFrame(officeID, "echo"))
	g.datagram(t)
	now := time.Now()
	m := s.config.Monitor
	m.sample(s.Gateway, now)
	g.send(t, dataFrame(officeID, "echo"))
	g.datagram(t)
	until(t, "both are counted", func() bool { return s.totals().FramesIn == 2 })
	m.Woken(mechanism.Place{ID: officeID}, 3*world.Millisecond, 5*world.Millisecond)
	m.sample(s.Gateway, now.Add(time.Second))

	answer := s.askOperators("/admin/data", nil)
	var o overview
	if err := json.Unmarshal(answer.Body.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Clients) != 1 || o.Clients[0].Name != "<script>" || o.Clients[0].Node != uint32(w.Node) || o.Open["websocket"] != 1 {
		t.Errorf("%+v", o)
	}
	if len(o.Nodes) != 1 || o.Nodes[0].Node != uint32(officeID) || o.Nodes[0].Handled < 2 || o.Slowed != 1 || o.Busy {
		t.Errorf("servers' nodes %+v, slowed %v, busy %v", o.Nodes, o.Slowed, o.Busy)
	}
	if strings.Contains(answer.Body.String(), "<script>") {
		t.Error("a name could be read as markup")
	}
	last := o.Samples[len(o.Samples)-1]
	if last.People != 1 || last.Artificial != 2 || last.Datagrams[0] < 1 || last.TickMax < 5 || last.LateMax < 3 {
		t.Errorf("%+v", last)
	}
}

func TestHistoryKeepsTheLatest(t *testing.T) {
	var h history
	for i := range historySize + 5 {
		h.add(Sample{At: int64(i)})
	}
	list := h.list()
	if len(list) != historySize || list[0].At != 5 || list[historySize-1].At != historySize+4 {
		t.Errorf("%d samples from %d to %d", len(list), list[0].At, list[len(list)-1].At)
	}
}

func TestMetrics(t *testing.T) {
	s := open(t, nil)
	g, w := s.seat(t, "Ada")
	g.send(t, dataFrame(officeID, "echo"))
	g.datagram(t)
	g.send(t, dataFrame(w.Node+5, "stray"))
	g.send(t, dataFrame(officeID, "echo"))
	g.datagram(t)
	m := s.config.Monitor
	m.Event(mechanism.Place{ID: 2, User: 1}, mechanism.Event{Name: mechanism.Rollback, Value: 3})
	until(t, "all is counted", func() bool { return s.totals().FramesIn == 3 })
	text := s.askOperators("/metrics", nil).Body.String()
	page, err := os.ReadFile("../../docs/serving.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(line, "# HELP throng_")
		name, _, _ = strings.Cut(name, " ")
		if ok && !strings.Contains(string(page), "`throng_"+name) {
			t.Errorf("throng_%s is not explained to operators", name)
		}
	}
	for _, want := range []string{
		`throng_users{kind="person"} 1`,
		`throng_users{kind="artificial"} 2`,
		`throng_server_nodes 1`,
		`throng_connections{transport="websocket"} 1`,
		`throng_datagrams_total{direction="in"} 2`,
		`throng_datagrams_total{direction="out"} 2`,
		`throng_drops_total{reason="stray"} 1`,
		`throng_node_events_total{event="rollback"} 1`,
		`throng_wake_duration_seconds_count{node="server"}`,
		`throng_wake_lateness_seconds_bucket{node="artificial"`,
		`throng_observation_delay_seconds_count{at="other"} 0`,
		`go_goroutines`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

// Of a sampled action, the time from when it was taken to when it takes effect, here and there, is measured.
func TestActionsAreFollowed(t *testing.T) {
	m := NewMonitor("")
	own, server, other := mechanism.Place{ID: 2, User: 1}, mechanism.Place{ID: 1}, mechanism.Place{ID: 3, User: 2}
	var seq uint32
	for seq = 1; !sampled(1, seq); seq++ {
	}
	applied := mechanism.Event{Name: mechanism.Applied, User: 1, Seq: seq}
	confirmed := mechanism.Event{Name: mechanism.Confirmed, User: 1, Seq: seq}
	executed := mechanism.Event{Name: mechanism.Executed, User: 1, Seq: seq}
	m.Event(server, executed) // nobody knows when it was taken
	m.Acted(own, &world.Action{User: 1, Seq: seq})
	for _, p := range []mechanism.Place{own, server, other} {
		m.Event(p, applied)
		m.Event(p, confirmed)
	}
	m.Event(server, executed)
	applied.Seq++
	for ; sampled(1, applied.Seq); applied.Seq++ {
	}
	m.Acted(own, &world.Action{User: 1, Seq: applied.Seq})
	m.Event(other, applied) // not in the sample

	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]uint64{}
	for _, f := range families {
		if f.GetName() == "throng_observation_delay_seconds" {
			for _, metric := range f.GetMetric() {
				got[metric.GetLabel()[0].GetValue()] = metric.GetHistogram().GetSampleCount()
			}
		}
	}
	for _, at := range []string{"own", "server", "other"} {
		if got[at] != 1 {
			t.Errorf("%d measured at %s", got[at], at)
		}
	}
}
