package app

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"throng/live/gateway"
)

// ask makes a request and returns the answer's status and body.
func ask(t *testing.T, method, url string, header ...string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	request.Host = request.Header.Get("Host") // or the one of the address
	resp, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestTheMechanismIsChangedWhilePeoplePlay has somebody in a world who is shown out when it goes on under another mechanism, and comes
// back to that one; the one before goes on too, at an address of its own.
func TestTheMechanismIsChangedWhilePeoplePlay(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--no-webtransport", "--players", "4", "--set", "world.restless=true")
	defer func() {
		stop()
		if code := <-ended; code != exitOK {
			t.Errorf("exit code %d", code)
		}
	}()
	ada := visit(t, url)
	ada.inside(t)
	if status, body := ask(t, "POST", url+"/api/mechanisms/lockstep?everybody=1"); status != http.StatusOK || !strings.Contains(body, `"/room/crowd.lockstep"`) {
		t.Fatalf("%d %s", status, body)
	}
	if <-ada.lost; ada.told != gateway.Switched {
		t.Errorf("the visitor is told %q", ada.told)
	}
	if _, body := ask(t, "GET", url+"/api/info"); !strings.Contains(body, `"mechanism":"lockstep"`) {
		t.Error(body)
	}
	again := visit(t, url)
	again.inside(t)
	soon(t, "the visitor is counted", func() bool {
		_, body := ask(t, "GET", url+"/room/crowd.lockstep/api/info")
		return strings.Contains(body, `"people":1`)
	})
	if _, body := ask(t, "GET", url+"/room/crowd.central/api/info"); !strings.Contains(body, `"mechanism":"central"`) {
		t.Error(body)
	}
	again.leave(t)
	ask(t, "POST", url+"/api/mechanisms/central?everybody=1")
	if _, body := ask(t, "GET", url+"/api/info"); !strings.Contains(body, `"mechanism":"central"`) {
		t.Error(body)
	}
}

// TestWhatMechanismsAreOffered reads the list: cards of all, what is in use, and why some are not to be had.
func TestWhatMechanismsAreOffered(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--no-webtransport", "--players", "100")
	defer func() { stop(); <-ended }()
	_, body := ask(t, "GET", url+"/api/mechanisms")
	var got struct {
		Current   string
		Switching bool
		List      []offered
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Current != "central" || !got.Switching {
		t.Fatalf("%v: %s", err, body)
	}
	for _, o := range got.List {
		if o.Name == "ideal" || len(o.Card) < 5 {
			t.Errorf("%+v", o)
		}
		if peers := o.Name == "loose" || o.Name == "optimistic"; peers != (o.Because != "") {
			t.Errorf("%s: %q", o.Name, o.Because)
		}
	}
	for _, c := range []struct {
		path   string
		header []string
		want   int
	}{
		{"loose", nil, http.StatusConflict}, {"none", nil, http.StatusNotFound}, {"ideal", nil, http.StatusConflict},
		{"lockstep", []string{"Origin", "https://elsewhere.example"}, http.StatusForbidden},
		{"lockstep", []string{"Origin", "null"}, http.StatusForbidden}, // a form in a sandbox
		{"lockstep", []string{"X-Forwarded-For", "192.0.2.1"}, http.StatusForbidden},
	} {
		if status, body := ask(t, "POST", url+"/api/mechanisms/"+c.path, c.header...); status != c.want {
			t.Errorf("%s: %d %s", c.path, status, body)
		}
	}
	if status, _ := ask(t, "GET", url+"/room/crowd.lockstep/api/info"); status != http.StatusNotFound {
		t.Errorf("a world that has not begun: %d", status)
	}
}

// TestTheMechanismIsTheOperators is for servers that others can reach, or where the operator says so.
func TestTheMechanismIsTheOperators(t *testing.T) {
	for _, c := range []struct {
		s    serving
		want bool
	}{
		{serving{Switch: "auto", Listen: "127.0.0.1:0", Processes: 1, Replicas: 1}, true},
		{serving{Switch: "auto", Listen: ":8080", Processes: 1, Replicas: 1}, false},
		{serving{Switch: "auto", Listen: "127.0.0.1:0", BehindProxy: true, Processes: 1, Replicas: 1}, false},
		{serving{Switch: "on", Listen: ":8080", Processes: 1, Replicas: 1}, true},
		{serving{Switch: "off", Listen: "127.0.0.1:0", Processes: 1, Replicas: 1}, false},
		{serving{Switch: "auto", Listen: "127.0.0.1:0", Processes: 3, Replicas: 1}, false},
		{serving{Switch: "auto", Listen: "127.0.0.1:0", Processes: 1, Replicas: 1, Data: "x"}, false},
	} {
		if got := c.s.switchable(); got != c.want {
			t.Errorf("%+v: %v", c.s, got)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--no-webtransport", "--players", "4", "--switch", "off")
	defer func() { stop(); <-ended }()
	if status, _ := ask(t, "POST", url+"/api/mechanisms/lockstep"); status != http.StatusForbidden {
		t.Errorf("%d", status)
	}
}
