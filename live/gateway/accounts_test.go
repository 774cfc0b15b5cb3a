package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"throng/live/account"
	"throng/live/hub"
	"throng/live/thin"
	"throng/live/thin/thinclient"
)

// members are accounts whose token is their ID and their name, with a colon between.
type members struct{}

func (members) Verify(token string) (account.Account, error) {
	id, name, ok := strings.Cut(token, ":")
	if !ok {
		return account.Account{}, account.ErrMissing
	}
	return account.Account{ID: id, Name: name}, nil
}

// member joins with an account.
func (s *site) member(t testing.TB, token string) string {
	t.Helper()
	w := s.ask("POST", "/api/join", fmt.Sprintf(`{"account": %q, "name": "wanted"}`, token), nil)
	var reply JoinReply
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return reply.Token
}

func TestOnlyAccountsGetIn(t *testing.T) {
	s := open(t, func(c *Config) { c.Accounts = members{} })
	w := s.ask("POST", "/api/join", `{"name": "Ada"}`, nil)
	if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), account.ErrMissing.Error()) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	c := s.dialThin(t, thin.JSON)
	tell(t, c, thinclient.Message{"type": "join", "version": thin.Version, "name": "Ada"})
	if m := <-c.Messages; m.Type() != "goodbye" || m["code"] != "account" || m["reason"] != account.ErrMissing.Error() {
		t.Errorf("%v", m)
	}
	welcome := joinThin(t, s.dialThin(t, thin.JSON), thinclient.Message{"account": "1:Grace"})
	if welcome["name"] != "Grace" {
		t.Errorf("called %v", welcome["name"])
	}
}

// An account is one user, wherever it comes from, and the same one again when it comes back later.
func TestAccountsComeBackAsThemselves(t *testing.T) {
	s := openHub(t, hub.Config{Grace: time.Millisecond, SeatsMax: 4}, func(c *Config) { c.Accounts = members{} })
	before := joinThin(t, s.dialThin(t, thin.JSON), thinclient.Message{"account": "0:Before"})
	first := s.dial(t)
	ada := first.hello(t, s.member(t, "1:Ada"), true).User
	second := s.dial(t)
	if again := second.hello(t, s.member(t, "1:Ada"), true).User; again != ada {
		t.Errorf("user %d and %d at once", ada, again)
	}
	if reason := first.goodbye(t); reason != endReplaced.text {
		t.Errorf("the first connection is told %q", reason)
	}
	for _, other := range []string{"2:Ben", "3:Cleo"} {
		s.dial(t).hello(t, s.member(t, other), true)
	}
	second.conn.NetConn().Close()
	until(t, "Ada has left the world", func() bool { return s.hub.Seated(ada) == nil })
	until(t, "her place is vacant", func() bool { return s.hub.Vacant() == nil }) // it counts as a seat until then
	if again := s.dial(t).hello(t, s.member(t, "1:Ada"), true).User; again != ada {
		t.Errorf("came back as user %d instead of %d; %v is somebody else", again, ada, before["user"])
	}
}

// What people are called nobody else is, whatever the case of its letters; a name that is free again can be had again.
func TestNamesAreUnique(t *testing.T) {
	k := newTokens(newNames())
	now := time.Now()
	var last *hub.Seat
	join := func(who hub.Visitor) (*hub.Seat, error) {
		last = &hub.Seat{Name: who.Name}
		return last, nil
	}
	called := func(name string) string {
		t.Helper()
		ticket, err := k.show([]byte(k.issue(account.Account{Name: name}, now)), join)
		if err != nil {
			t.Fatal(err)
		}
		return ticket.name
	}
	long := strings.Repeat("x", nameMax)
	for _, c := range [][2]string{{"Ada", "Ada"}, {"ada", "ada 2"}, {"ADA", "ADA 3"}, {"Ada 2", "Ada 2 2"}, {"", ""}, {"", ""}, {long, long}, {long, long[:nameMax-2] + " 2"}} {
		if got := called(c[0]); got != c[1] || last.Name != c[1] {
			t.Errorf("%q is called %q, in the hub %q", c[0], got, last.Name)
		}
	}
	for range 300 {
		called("Ben")
	}
	if len(k.names.taken) != 300+6 {
		t.Errorf("%d names of 306 people who have one", len(k.names.taken))
	}
}

func TestJoiningMayFail(t *testing.T) {
	k := newTokens(newNames())
	token := k.issue(account.Account{ID: "1", Name: "Ada"}, time.Now())
	full := func(hub.Visitor) (*hub.Seat, error) { return nil, hub.ErrFull }
	if _, err := k.show([]byte(token), full); !errors.Is(err, hub.ErrFull) || len(k.names.taken)+len(k.before) != 0 {
		t.Errorf("%v; %v, %v", err, k.names.taken, k.before)
	}
	k.revoke("1")
	if len(k.tickets)+len(k.accounts) != 0 {
		t.Error("revoked, and still known")
	}
}
