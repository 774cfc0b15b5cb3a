package cluster

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"throng/live/hub"
	"throng/live/livetest"
	"throng/live/replica"
	"throng/world/wire"
)

// Whoever leads dies: another leads, others play for its players, its people go on through another process as the same users, and
// everything that anybody was told to be final is known to all that live. A newcomer takes its place, and is told everything.
func TestLeadersDeath(t *testing.T) {
	t.Parallel()
	all := found(t, dense("central"), 3, nil)
	allPlay(t, all, walkers)
	leader, others := leading(t, all)
	ada, bob := leader.sit(t), others[0].sit(t)
	ada.acts(t)
	bob.acts(t)
	leader.kill()
	ada.change(t, others[1])
	ada.acts(t)
	bob.acts(t)
	next, rest := leading(t, others)
	if next != others[0] { // the survivor with the smallest number
		t.Errorf("process %d leads, though %d has a smaller number", next.self.number, rest[0].self.number)
	}
	allPlay(t, others, walkers)
	late := join(t, next.JoinURL(), nil)
	livetest.Until(t, "the newcomer is a member, in place of the dead one", func() bool {
		s := next.Status()
		return len(s.Processes) == 3 && s.Processes[2].Member && s.Processes[2].Number == late.self.number
	})
	allPlay(t, []*member{others[0], others[1], late}, walkers)
	if late.plays() != walkers/3 {
		t.Errorf("the newcomer plays for %d", late.plays())
	}
	ada.acts(t)
	for _, m := range []*member{others[0], others[1], late} {
		ada.remembered(t, m)
		bob.remembered(t, m)
	}
}

// One of three that cannot speak to the others says nothing that users could rely on, and learns that the others have gone on.
func TestCutOffLeaderConfirmsNothing(t *testing.T) {
	t.Parallel()
	all := found(t, dense("central"), 3, nil)
	leader, others := leading(t, all)
	ada := leader.sit(t)
	ada.acts(t)
	leader.mesh.close()
	var before int
	leader.group.do(func() { before = ada.finals() })
	livetest.Until(t, "it knows that it leads no more", func() bool { return leader.leader() != leader.self.number })
	if now := ada.finals(); now > before+1 { // what was on its way to the client
		t.Errorf("%d further actions were final without a majority", now-before)
	}
	leading(t, others)
	ada.remembered(t, others[0])
}

// A process that has been told to have another one lead, which does not answer, is not busy with trying, and goes on leading.
func TestLeadershipThatNobodyTakesOver(t *testing.T) {
	t.Parallel()
	leader, others := leading(t, found(t, dense("central"), 3, nil))
	ada := leader.sit(t)
	ada.acts(t)
	others[0].kill()
	leader.group.do(func() {
		leader.group.core.Transfer(replica.NewMember(others[0].self.number, 0))
		leader.group.pending = false // as if the batch that is on its way had come through
	})
	leader.group.do(func() {})
	ada.acts(t)
}

// However many requests another process has, it is not waited for that they are dealt with: the same connection carries what the group
// agrees by. And those there is room for are dealt with.
func TestRequestsHoldUpNothing(t *testing.T) {
	t.Parallel()
	leader, others := leading(t, found(t, dense("central"), 3, nil))
	entered, busy, over := make(chan struct{}), make(chan struct{}), make(chan bool)
	go func() { over <- leader.group.do(func() { close(entered); <-busy }) }()
	<-entered
	of := leader.mesh.of(others[0].self.number)
	command := append(wire.AppendUint64(nil, 1), commandOut, 0)
	for range 2 * commandsMost {
		leader.requested(of, command)
	}
	if waiting := len(leader.group.commands); waiting != commandsMost {
		t.Errorf("%d requests wait, not %d", waiting, commandsMost)
	}
	close(busy)
	<-over
	livetest.Until(t, "requests are dealt with", func() bool { return len(leader.group.commands) == 0 })
	others[0].sit(t).acts(t)
}

// An operator has a process lead, and another one leave, by asking any of them.
func TestOperatorsMoveAndDrain(t *testing.T) {
	t.Parallel()
	all := found(t, dense("central"), 3, nil)
	leader, others := leading(t, all)
	ada := others[1].sit(t)
	post := func(m *member, path string) int {
		answer := httptest.NewRecorder()
		pattern := "POST " + strings.Split(path, "?")[0]
		m.Operators()[pattern].ServeHTTP(answer, httptest.NewRequest(http.MethodPost, path, nil))
		return answer.Code
	}
	number := string(rune('0' + others[1].self.number))
	if code := post(leader, "/admin/lead?process="+number); code != http.StatusAccepted {
		t.Fatalf("answered %d", code)
	}
	livetest.Until(t, "it leads", func() bool {
		return leader.leader() == others[1].self.number && others[1].leader() == others[1].self.number
	})
	for path, want := range map[string]int{"/admin/lead?process=77": http.StatusNotFound, "/admin/drain?process=x": http.StatusBadRequest} {
		if code := post(leader, path); code != want {
			t.Errorf("%s: answered %d", path, code)
		}
	}
	if code := post(others[0], "/admin/drain?process="+number); code != http.StatusAccepted {
		t.Fatalf("answered %d", code)
	}
	<-others[1].Asked()
	ada.acts(t)
	if err := others[1].Leave(t.Context(), "it was asked to"); err != nil {
		t.Fatal(err)
	}
	rest := []*member{all[0], all[1]}
	if others[1] != all[2] {
		rest = slices.DeleteFunc(slices.Clone(all), func(m *member) bool { return m == others[1] })
	}
	others[1].kill()
	ada.change(t, rest[0])
	ada.acts(t)
	allPlay(t, rest, walkers)
	leading(t, rest)
	answer := httptest.NewRecorder()
	rest[0].Operators()["GET /admin/cluster"].ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/admin/cluster", nil))
	var s Status
	if err := json.Unmarshal(answer.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Processes) != 2 || s.Here != rest[0].self.number || s.Leader == 0 || s.Term < 2 || s.Wanted != 3 {
		t.Errorf("%s", answer.Body)
	}
	for _, p := range s.Processes {
		if !p.Member || !p.Reached || p.Applied == 0 || p.Behind > p.Applied || p.Draining || p.Players != walkers/2 {
			t.Errorf("%+v", p)
		}
	}
	if s.Processes[0].People != 1 && s.Processes[1].People != 1 {
		t.Errorf("Ada is nowhere: %s", answer.Body)
	}
}

// No process lets in more than it may, nor anybody while servers do not keep up, whichever process leads; who comes back is no newcomer.
func TestAdmissionLimits(t *testing.T) {
	t.Parallel()
	all := found(t, dense("central"), 3, nil)
	leader, others := leading(t, all)
	m := others[0]
	ada := m.sit(t)
	m.sit(t)
	claim := func(token string) error {
		_, _, err := m.seats.Claim([]byte(token), &chair{&person{}}, true)
		return err
	}
	if err := claim(m.seats.Issue("Eve", "")); !errors.Is(err, hub.ErrFull) {
		t.Errorf("a third person is let into a place for two: %v", err)
	}
	leader.group.do(func() { leader.load.Told(true, 50) })
	// The leader judges its servers anew with every batch: the others are told by its pongs, until then or for good.
	m.load.Told(true, 50)
	if err := m.hub.Vacant(); err == nil || m.hub.Slowed() != 1.5 && m.hub.Slowed() != 1 {
		t.Errorf("somebody could join though servers do not keep up: %v", err)
	}
	livetest.Until(t, "the leader says that they do", func() bool { return !m.load.Full() })
	m.kill()
	ada.change(t, others[1])
	ada.acts(t)
}

// Tokens are good for who has them from one of the world's processes, and for nobody else.
func TestForgedTokens(t *testing.T) {
	t.Parallel()
	all := found(t, dense("central"), 1, nil)
	one, two := all[0], found(t, dense("central"), 1, nil)[0]
	token := one.seats.Issue("Ada", "")
	for _, wrong := range []string{"", "x", token[:len(token)-1], token + "AAAA", two.seats.Issue("Ada", ""), strings.ToLower(token), "A" + token[1:]} {
		if _, _, err := one.seats.Claim([]byte(wrong), &chair{&person{}}, true); wrong != token && !errors.Is(err, ErrStranger) {
			t.Errorf("%q is good: %v", wrong, err)
		}
	}
	if _, _, err := one.seats.Claim([]byte(token), &chair{&person{}}, true); err != nil {
		t.Error(err)
	}
}

// A process that cannot go on, as the one that began the world when its disk is full, does not take the world with it.
func TestAFailedProcessEndsNothing(t *testing.T) {
	list := found(t, dense("central"), 3, nil)
	leader, others := leading(t, list)
	others[0].fail(errors.New("its disk is full"))
	if err := others[0].EndWorld(t.Context(), "it ends"); err != nil {
		t.Error(err)
	}
	ada := others[1].sit(t)
	ada.acts(t)
	for _, m := range []*member{leader, others[1]} {
		if err := m.Err(); err != nil {
			t.Errorf("process %d: %v", m.self.number, err)
		}
	}
}
