package gateway

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"throng/live/hub"
	"throng/live/protocol"
	"throng/live/thin"
	"throng/live/thin/thinclient"
)

// operate asks as an operator does; the answer is read into reply.
func (s *site) operate(t testing.TB, method, path, body string, reply any) int {
	t.Helper()
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:9"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.operators.Handler.ServeHTTP(w, r)
	if reply != nil {
		d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(reply); err != nil {
			t.Errorf("%s %s: %d %s: %v", method, path, w.Code, w.Body, err)
		}
	}
	return w.Code
}

func TestOperatorsListPeople(t *testing.T) {
	s := openHub(t, hub.Config{Grace: time.Hour}, func(c *Config) { c.Accounts = members{} })
	g := s.dial(t)
	ada := g.hello(t, s.member(t, "1:Ada"), true)
	ben := joinThin(t, s.dialThin(t, thin.JSON), thinclient.Message{"account": "2:Ben"})
	var people []Person
	s.operate(t, "GET", "/admin/api/people", "", &people)
	if len(people) != 2 || people[0].User != uint32(ada.User) || people[0].Name != "Ada" || people[0].Account != "1" || people[0].State != "here" ||
		people[0].By != "websocket" || people[0].Host == "" || people[1].By != "thin" || float64(people[1].User) != ben["user"] {
		t.Errorf("%+v", people)
	}
	g.conn.NetConn().Close()
	until(t, "Ada is away", func() bool {
		var now []Person
		s.operate(t, "GET", "/admin/api/people", "", &now)
		return len(now) == 2 && now[0].State == "away" && now[0].Host == ""
	})
}

func TestOperatorsShowOut(t *testing.T) {
	s := open(t, nil)
	ada, welcome := s.seat(t, "Ada")
	token := s.join(t, "Ben").Token
	who := func(more string) string { return `{"user": ` + itoa(uint32(welcome.User)) + more + `}` }
	if code := s.operate(t, "POST", "/admin/api/kick", who(`, "reason": "be kind"`), nil); code != http.StatusOK {
		t.Fatal(code)
	}
	if reason := ada.goodbye(t); reason != "be kind" {
		t.Errorf("told %q", reason)
	}
	until(t, "the ending is counted", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.ended[endKicked] == 1
	})
	if code := s.operate(t, "POST", "/admin/api/kick", who(""), nil); code != http.StatusNotFound {
		t.Errorf("somebody who is not there: %d", code)
	}
	s.dial(t).hello(t, token, true) // another is not concerned
}

// A ban is the account's or, of those who have none, the address's. It ends, and can be lifted.
func TestOperatorsBan(t *testing.T) {
	s := open(t, func(c *Config) { c.Accounts = members{} })
	g := s.dial(t)
	ada := g.hello(t, s.member(t, "1:Ada"), true)
	unused := s.member(t, "2:Ben")
	var ban Ban
	s.operate(t, "POST", "/admin/api/ban", `{"user": `+itoa(uint32(ada.User))+`, "reason": "enough"}`, &ban)
	if ban.Account != "1" || ban.Network != "" || ban.Until != nil || g.goodbye(t) != "enough" {
		t.Errorf("%+v", ban)
	}
	w := s.ask("POST", "/api/join", `{"account": "1:Ada"}`, nil)
	if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), "enough") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.operate(t, "POST", "/admin/api/ban", `{"account": "2", "seconds": 60}`, &ban)
	if ban.Until == nil {
		t.Errorf("%+v", ban)
	}
	late := s.dial(t)
	late.send(t, helloFrame(unused, true))
	if reason := late.goodbye(t); reason != endStranger.text {
		t.Errorf("with a token from before: %q", reason)
	}
	if s.bans.find("2", s.sourceOf(httptest.NewRequest("GET", "/", nil)).addr, time.Now().Add(2*time.Minute)) != nil {
		t.Error("the ban does not end")
	}
	var all []Ban
	s.operate(t, "GET", "/admin/api/bans", "", &all)
	if len(all) != 2 || s.operate(t, "DELETE", "/admin/api/bans/"+itoa(uint32(all[0].Number)), "", nil) != http.StatusOK {
		t.Errorf("%+v", all)
	}
	s.member(t, "1:Ada")
	if code := s.operate(t, "DELETE", "/admin/api/bans/99", "", nil); code != http.StatusNotFound {
		t.Error(code)
	}
}

func TestOperatorsBanAddresses(t *testing.T) {
	s := open(t, nil)
	_, welcome := s.seat(t, "Ada")
	var ban Ban
	s.operate(t, "POST", "/admin/api/ban", `{"user": `+itoa(uint32(welcome.User))+`}`, &ban)
	if ban.Network != "127.0.0.1/32" || ban.Account != "" {
		t.Errorf("%+v", ban)
	}
	if _, err := s.tryDial(nil); err == nil {
		t.Error("a connection from there")
	}
	if w := s.ask("POST", "/api/join", "{}", from("127.0.0.1:5")); w.Code != http.StatusUnauthorized {
		t.Error(w.Code)
	}
	s.operate(t, "POST", "/admin/api/ban", `{"address": "2001:db8::1"}`, &ban)
	for address, want := range map[string]int{"[2001:db8::2]:9": 401, "[2001:db8:0:1::2]:9": 200, "192.0.2.1:9": 200} {
		if w := s.ask("POST", "/api/join", "{}", from(address)); w.Code != want {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
	for _, body := range []string{`{}`, `{"address": "here"}`, `{"seconds": -1, "account": "1"}`, `{"user": 99}`, `{"whom": 1}`, `[`} {
		if code := s.operate(t, "POST", "/admin/api/ban", body, nil); code < 400 {
			t.Errorf("%s: %d", body, code)
		}
	}
}

func TestOperatorsSpeak(t *testing.T) {
	s := open(t, nil)
	ada, welcome := s.seat(t, "Ada")
	ben := s.dialThin(t, thin.MessagePack)
	joinThin(t, ben, nil)
	var told done
	s.operate(t, "POST", "/admin/api/message", `{"text": "back in\nfive minutes"}`, &told)
	if told.People != 2 || hear(t, ben, "notice")["text"] != "back in five minutes" {
		t.Errorf("%+v", told)
	}
	for {
		f := ada.next(t)
		if protocol.KindOf(f) != protocol.KindNotice {
			continue
		}
		if text, err := protocol.ReadNotice(f); err != nil || string(text) != "back in five minutes" {
			t.Errorf("%q, %v", text, err)
		}
		break
	}
	s.operate(t, "POST", "/admin/api/message", `{"text": "you", "user": `+itoa(uint32(welcome.User))+`}`, &told)
	if told.People != 1 {
		t.Errorf("%+v", told)
	}
	if code := s.operate(t, "POST", "/admin/api/message", `{"text": " "}`, nil); code != http.StatusBadRequest {
		t.Error(code)
	}
	if code := s.operate(t, "POST", "/admin/api/message", `{"text": "x", "user": 99}`, nil); code != http.StatusNotFound {
		t.Error(code)
	}
}

func TestOperatorsDrain(t *testing.T) {
	s := open(t, nil)
	s.seat(t, "Ada")
	for _, drain := range []bool{true, false} {
		text, _ := json.Marshal(draining{drain})
		var now draining
		s.operate(t, "POST", "/admin/api/drain", string(text), &now)
		want := http.StatusOK
		if drain {
			want = http.StatusServiceUnavailable
		}
		if join, ready := s.ask("POST", "/api/join", "{}", nil), s.ask("GET", "/readyz", "", nil); now.Drain != drain || join.Code != want || ready.Code != want {
			t.Errorf("drain %v: %d %d", drain, join.Code, ready.Code)
		}
	}
	if s.Clients() != 1 {
		t.Error("those who are in the world have to go")
	}
	if code := s.operate(t, "POST", "/admin/api/save", "{}", nil); code != http.StatusConflict {
		t.Errorf("a world in memory is saved: %d", code)
	}
}

// Where no server says what it holds, what artificial players see is shown.
func TestOperatorsInspect(t *testing.T) {
	s := open(t, nil)
	var list []Object
	s.operate(t, "GET", "/admin/api/objects?kind=walker&limit=1", "", &list)
	if len(list) != 1 || list[0].Kind != "walker" || list[0].User != 1 || list[0].Decides {
		t.Fatalf("%+v", list)
	}
	var one Object
	s.operate(t, "GET", "/admin/api/objects/"+itoa(uint32(list[0].ID)), "", &one)
	if x, ok := one.Fields["x"].(float64); !ok || x <= 0 || one.ID != list[0].ID {
		t.Errorf("%+v", one)
	}
	s.operate(t, "GET", "/admin/api/objects?kind=walker&user=2", "", &list)
	if len(list) != 1 || list[0].User != 2 {
		t.Errorf("of user 2: %+v", list)
	}
	s.operate(t, "GET", "/admin/api/objects?after="+itoa(uint32(list[0].ID)), "", &list)
	for _, o := range list {
		if o.ID <= one.ID {
			t.Errorf("%+v", o)
		}
	}
	for path, want := range map[string]int{
		"/admin/api/objects?kind=ghost": 400, "/admin/api/objects?limit=x": 400, "/admin/api/objects/x": 400, "/admin/api/objects/99999999": 404,
	} {
		if code := s.operate(t, "GET", path, "", nil); code != want {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// Orders are operators' alone, and no other site's form gives one.
func TestOrdersAreGuarded(t *testing.T) {
	s := open(t, nil)
	for _, path := range []string{"kick", "ban", "message", "drain", "save"} {
		if w := s.ask("POST", "/admin/api/"+path, "{}", nil); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", path, w.Code)
		}
		if w := askHandler(s.operators.Handler, "POST", "/admin/api/"+path, "{}", nil); w.Code != http.StatusUnsupportedMediaType {
			t.Errorf("%s as a form: %d", path, w.Code)
		}
	}
	if err := (&Ban{}).err(); err.Error() != endBanned.text {
		t.Error(err)
	}
}

func itoa(n uint32) string { return strconv.Itoa(int(n)) }
