package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"throng/live/gateway"
	"throng/live/thin"
	"throng/live/thin/thinclient"
)

const twoRooms = `
plaza:
  world: crowd
  players: 3
  about: The market square
  world.restless: true
duel:
  world: {name: pong}
  mechanism: lockstep
`

// written writes a file of worlds.
func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "worlds.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestWorldsComplain(t *testing.T) {
	for _, c := range []struct {
		name, text string
		args       []string
		want       string
	}{
		{"nothing", "", nil, "worlds.yaml: has no rooms; it wants some by their names, as plaza: {world: crowd}"},
		{"no YAML", "plaza: [", nil, "worlds.yaml:1: "},
		{"a list", "- plaza", nil, "worlds.yaml:1: wants rooms by their names, as plaza: {world: crowd}"},
		{"a word", "plaza: crowd", nil, "worlds.yaml:1: room plaza wants settings, as plaza: {world: crowd, mechanism: central}"},
		{"name", "The Plaza: {world: crowd}", nil, `worlds.yaml:1: a room's name has up to 32 small letters, digits and hyphens, as the-arena; "The Plaza" is none`},
		{"variant", "plaza.central: {world: crowd}", nil, `"plaza.central" is none`},
		{"key", "plaza:\n  wrld: crowd", nil, `worlds.yaml:2: unknown key "wrld"; did you mean "world"?`},
		{"server's key", "plaza:\n  listen: 127.0.0.1:1", nil, "worlds.yaml:2: listen is the server's and the same for all rooms: give it as --set listen=… or with --config"},
		{"world", "plaza: {world: crowd}\nduel: {world: pnog}", nil, `worlds.yaml:2: unknown world "pnog"; did you mean "pong"?`},
		{"first world", "plaza: {world: crwd}", nil, `worlds.yaml:1: unknown world "crwd"; did you mean "crowd"?`},
		{"parameter", "plaza: {world: crowd}\nsquare:\n  world: crowd\n  world.walkrs: 3", nil, `worlds.yaml:4: unknown key "world.walkrs"; did you mean "world.walkers"?`},
		{"together", "a: {world: crowd}\nb: {world: crowd, world.earshot: 400}", nil, "worlds.yaml:2: room b: world crowd: earshot: a shout is heard at some distance"},
		{"twice", "a: {world: crowd}\na: {world: pong}", nil, "worlds.yaml:2: "},
		{"also a world", "a: {world: crowd}", []string{"--world", "pong"}, "--world: world says what is played, and so does --worlds: write it there, under the name of a room"},
		{"also players", "a: {world: crowd}", []string{"--players", "3"}, "--players: players says what is played, and so does --worlds"},
		{"processes", "a: {world: crowd}", []string{"--processes", "2"}, "--worlds: rooms are in one process and in memory"},
		{"too many", twoRooms, []string{"--set", "rooms.most=1"}, "has 2 rooms, and 1 may be: set rooms.most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, err := serveRun(t, append([]string{"--worlds", written(t, c.text)}, c.args...)...)
			if code != exitUsage || !strings.Contains(err, c.want) || strings.Count(err, "\n") != 1 {
				t.Errorf("exit code %d\ngot  %swant %s", code, err, c.want)
			}
		})
	}
}

// roomsAt asks for a server's rooms.
func roomsAt(t *testing.T, url string) (list []gateway.RoomInfo) {
	t.Helper()
	if _, body := ask(t, "GET", url); json.Unmarshal([]byte(body), &list) != nil {
		t.Fatal(body)
	}
	return list
}

// order has an operator ask for something, and returns the answer.
func order(t *testing.T, method, url, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var text bytes.Buffer
	text.ReadFrom(response.Body)
	return response.StatusCode, text.String()
}

// Two rooms of a file, and one that an operator begins and closes: each has its own world and people, and no two people the same name.
func TestRooms(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	lines, ended := printed(t, ctx, 3, "--listen", "127.0.0.1:0", "--no-webtransport", "--worlds", written(t, twoRooms), "--admin-listen", "127.0.0.1:0")
	if want := "Open it in a browser to choose a room: plaza, duel. Ctrl-C ends it."; lines[1] != want {
		t.Errorf("says %q", lines[1])
	}
	url, operators := strings.TrimPrefix(lines[0], "listening on "), strings.TrimSuffix(strings.TrimPrefix(lines[2], forOperators), "/admin")
	defer func() {
		stop()
		if code := <-ended; code != exitOK {
			t.Errorf("exit code %d", code)
		}
	}()
	list := roomsAt(t, url+"/api/rooms")
	if len(list) != 2 || list[0].Name != "plaza" || list[0].About != "The market square" || list[0].Artificial != 3 ||
		list[1].Name != "duel" || list[1].World != "pong" || list[1].Mechanism != "lockstep" || list[1].Path != "/room/duel" || list[1].About != "" {
		t.Fatalf("%+v", list)
	}
	for path, want := range map[string]string{"": "crowd", "/room/plaza": "crowd", "/room/duel": "pong"} {
		if _, body := ask(t, "GET", url+path+"/api/info"); !strings.Contains(body, fmt.Sprintf(`"world":%q`, want)) {
			t.Errorf("%s: %s", path, body)
		}
	}
	if status, body := order(t, "POST", operators+"/admin/api/rooms", `{"name": "arena", "world": "crowd", "players": 2, "about": "A fight"}`); status != http.StatusCreated {
		t.Fatalf("%d %s", status, body)
	}
	// One after the other: who is first has the name.
	here := visitThinly(t, url, thin.JSON)
	here.isCalled(t, "Thin")
	there := visitThinly(t, url+"/room/arena", thin.MessagePack)
	there.isCalled(t, "Thin 2")
	testMetricsByRoom(t, operators)
	if status, _ := ask(t, "GET", operators+"/room/arena/admin/api/people"); status != http.StatusOK {
		t.Errorf("people of a room: %d", status)
	}
	if status, body := ask(t, "POST", url+"/room/arena/api/mechanisms/lockstep"); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	if status, body := order(t, "DELETE", operators+"/admin/api/rooms/arena?reason=lunch", ""); status != http.StatusOK || !strings.Contains(body, `"people":1`) {
		t.Errorf("%d %s", status, body)
	}
	var last thinclient.Message
	for m := range there.Messages {
		last = m
	}
	if last["reason"] != "lunch" {
		t.Errorf("told %v", last)
	}
	if status, body := ask(t, "GET", url+"/room/arena/api/info"); status != http.StatusNotFound || !strings.Contains(body, `no room \"arena\"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := ask(t, "GET", url+"/room/arena.lockstep/api/info"); status != http.StatusNotFound {
		t.Errorf("its world under another mechanism: %d %s", status, body)
	}
	again := visitThinly(t, url+"/room/duel", thin.JSON)
	again.isCalled(t, "Thin 2") // which is free with the end of the room
	again.leave(t)
	here.leave(t)
}

func (v *thinVisitor) isCalled(t *testing.T, want string) {
	t.Helper()
	v.until(t, "the welcome", func() bool { return v.welcome != nil })
	if got := v.welcome["name"]; got != want {
		t.Errorf("called %v instead of %s", got, want)
	}
}

// Where an operator closes the mechanism that a room's people have gone on to, they are back where they were.
func TestAVariantIsClosed(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	url, operators, ended := startedWithOperators(t, ctx, "--listen", "127.0.0.1:0", "--no-webtransport", "--players", "2")
	defer func() { stop(); <-ended }()
	if status, body := ask(t, "POST", url+"/api/mechanisms/lockstep?everybody=1"); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := order(t, "DELETE", operators+"/admin/api/rooms/crowd.lockstep", ""); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := ask(t, "GET", url+"/api/info"); status != http.StatusOK || !strings.Contains(body, `"mechanism":"central"`) {
		t.Errorf("%d %s", status, body)
	}
	visitor := visitThinly(t, url, thin.JSON)
	visitor.isCalled(t, "Thin")
	visitor.leave(t)
}

// Whoever asks for another mechanism gets there, though others ask for further ones in the meantime; there are never many.
func TestVariantsAreFew(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	url, operators, ended := startedWithOperators(t, ctx, "--listen", "127.0.0.1:0", "--no-webtransport", "--players", "2")
	defer func() { stop(); <-ended }()
	for i, name := range []string{"lockstep", "loose", "optimistic", "interest", "aos"} {
		if status, body := ask(t, "POST", url+"/api/mechanisms/"+name); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, body)
		}
		if status, _ := ask(t, "GET", url+"/room/crowd.lockstep/api/info"); (status == http.StatusOK) != (i < variantsMax) {
			t.Errorf("the first answers %d with %d", status, i+1)
		}
		if list := roomsAt(t, operators+"/admin/api/rooms"); len(list) > 1+variantsMax {
			t.Errorf("%+v", list)
		}
	}
}

// From some memory on no room begins, whatever it is asked for by.
func TestMemoryForRooms(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	url, operators, ended := startedWithOperators(t, ctx, "--listen", "127.0.0.1:0", "--no-webtransport", "--players", "2", "--set", "rooms.memory=1MiB")
	defer func() { stop(); <-ended }()
	if status, body := order(t, "POST", operators+"/admin/api/rooms", `{"name": "second", "world": "pong"}`); status != http.StatusConflict || !strings.Contains(body, "rooms.memory") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := ask(t, "POST", url+"/api/mechanisms/lockstep"); status != http.StatusConflict || !strings.Contains(body, "rooms.memory") {
		t.Errorf("%d %s", status, body)
	}
}

func testMetricsByRoom(t *testing.T, operators string) {
	t.Helper()
	status, body := ask(t, "GET", operators+"/metrics")
	for _, want := range []string{
		`throng_users{kind="artificial",room="plaza"} 3`, `throng_users{kind="person",room="plaza"} 1`, `throng_users{kind="person",room="arena"} 1`,
		`throng_users{kind="person",room="duel"} 0`, `throng_wake_duration_seconds_count{node="server",room="arena"}`, "go_goroutines ", `throng_refused_total{reason="joins",room="plaza"} 0`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%d: no %s in\n%s", status, want, body)
		}
	}
	if strings.Contains(body, `throng_refused_total{reason="joins",room="arena"}`) {
		t.Error("what is refused in all rooms together is counted again")
	}
	if status, body := ask(t, "GET", operators+"/room/arena/metrics"); status != http.StatusOK || !strings.Contains(body, `room="arena"`) || strings.Contains(body, `room="plaza"`) {
		t.Errorf("of one room: %d\n%s", status, body)
	}
}

func TestOrdersAboutRooms(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	url, operators, ended := startedWithOperators(t, ctx, "--listen", "127.0.0.1:0", "--no-webtransport", "--players", "2", "--set", "rooms.most=2")
	defer func() { stop(); <-ended }()
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{`{}`, http.StatusBadRequest, "wants a name too"},
		{`{"name": "A b"}`, http.StatusBadRequest, "small letters"},
		{`{"name": "x", "world": "pnog"}`, http.StatusBadRequest, `did you mean \"pong\"?`},
		{`{"name": "x", "world": {"name": "crowd", "walkers": 5}, "mechanism.intervall": "1s"}`, http.StatusBadRequest, "mechanism.interval"},
		{`{"name": "x", "admin-token": "a secret of some length"}`, http.StatusBadRequest, "the same for all rooms"},
		{`[`, http.StatusBadRequest, "request:1"},
		{strings.Repeat(" ", orderMax+1), http.StatusRequestEntityTooLarge, "bytes"},
		{`{"name": "crowd"}`, http.StatusConflict, "already"},
		{`{"name": "second", "world": "pong"}`, http.StatusCreated, `"/room/second"`},
		{`{"name": "third", "world": "pong"}`, http.StatusConflict, "rooms.most"},
	} {
		if status, body := order(t, "POST", operators+"/admin/api/rooms", c.body); status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%.60s: %d %s", c.body, status, body)
		}
	}
	for name, want := range map[string]int{"none": http.StatusNotFound, "crowd": http.StatusConflict} {
		if status, body := order(t, "DELETE", operators+"/admin/api/rooms/"+name, ""); status != want {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, body := ask(t, "POST", url+"/api/mechanisms/lockstep"); status != http.StatusConflict || !strings.Contains(body, "rooms.most") {
		t.Errorf("a third, under another mechanism: %d %s", status, body)
	}
	if status, body := ask(t, "POST", operators+"/admin/api/rooms"); status != http.StatusUnsupportedMediaType {
		t.Errorf("an order that is not JSON: %d %s", status, body)
	}
	if status, _ := order(t, "POST", url+"/admin/api/rooms", `{"name": "fourth"}`); status != http.StatusForbidden {
		t.Errorf("anybody may: %d", status)
	}
	if list := roomsAt(t, url+"/api/rooms"); len(list) != 2 {
		t.Errorf("%+v", list)
	}
}
