package bus

import (
	"errors"
	"slices"
	"testing"
	"time"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

var dawn = time.Unix(0, 0)

// after is a moment by its distance from the beginning.
func after(d time.Duration) time.Time { return dawn.Add(d) }

// newTown is a directory of a server and six users, with a patience of three seconds.
func newTown() *directory {
	places := []mechanism.Place{{ID: 1}}
	for u := world.User(1); u <= 6; u++ {
		places = append(places, mechanism.Place{ID: mechanism.NodeID(u) + 1, User: u})
	}
	return newDirectory(places, 6, 3*time.Second)
}

// duty is that of one of the town's own users, or of one admitted later.
func duty(u world.User, epoch uint32) hub.Duty {
	return hub.Duty{Node: mechanism.NodeID(u) + 1, User: u, Epoch: epoch}
}

func mustJoin(t *testing.T, e *directory, now time.Time) *holder {
	t.Helper()
	m, err := e.join("", now)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSharesAreFair(t *testing.T) {
	e := newTown()
	one := mustJoin(t, e, dawn)
	if got, want := e.claims(one.number, 6), []claim{{0, 3}}; !slices.Equal(got, want) {
		t.Errorf("of 6 players a second process is given %v, want %v", got, want)
	}
	e.grant(one.number, []hub.Duty{duty(4, 1), duty(5, 1), duty(6, 1)}, dawn)
	two := mustJoin(t, e, dawn)
	if got, want := e.claims(two.number, 3), []claim{{0, 1}, {one.number, 1}}; !slices.Equal(got, want) {
		t.Errorf("a third process is given %v, want %v", got, want)
	}
	if got := e.claims(two.number, 0); !slices.Equal(got, []claim{{one.number, 1}}) {
		t.Errorf("where the first has none a third process is given %v", got)
	}
}

func TestMoreProcessesThanPlayers(t *testing.T) {
	e := newTown()
	for range 8 {
		mustJoin(t, e, dawn)
	}
	if got := e.claims(8, 6); len(got) != 0 {
		t.Errorf("the ninth process is given %v of 6 players", got)
	}
}

func TestSilentMemberLosesItsPlaces(t *testing.T) {
	e := newTown()
	m := mustJoin(t, e, dawn)
	guest := m.users.first
	e.grant(m.number, []hub.Duty{duty(5, 1), duty(6, 1)}, dawn)
	e.beat(m.number, after(time.Second))
	if !e.report(m.number, []hub.Duty{duty(5, 1), duty(6, 4), duty(guest, 2)}, after(time.Second)) {
		t.Error("a sound report was not believed")
	}
	e.beat(m.number, after(2*time.Second)) // nothing new
	if dead, orphans := e.expire(after(5*time.Second - 1)); dead != nil || orphans != nil {
		t.Errorf("given up early: %v, %v", dead, orphans)
	}
	dead, orphans := e.expire(after(5 * time.Second))
	want := []hub.Duty{duty(5, 1+epochSkip), duty(6, 4+epochSkip), duty(guest, 2+epochSkip)}
	if !slices.Equal(dead, []uint32{m.number}) || !slices.Equal(orphans, want) {
		t.Errorf("%v, %v; want %v", dead, orphans, want)
	}
	if dead, _ := e.beat(m.number, after(6*time.Second)); dead != nil {
		t.Error("a member that was given up is believed to be back")
	}
	if len(e.leases) != 0 {
		t.Errorf("still held: %v", e.leases)
	}
}

// Whatever gets lost on the way, a place that nobody tells of finds somebody.
func TestPlaceThatNobodyTellsOfIsTakenBack(t *testing.T) {
	e := newTown()
	m := mustJoin(t, e, dawn)
	e.grant(m.number, []hub.Duty{duty(5, 1), duty(6, 1)}, dawn)
	for s := range 3 {
		now := after(time.Duration(s+1) * time.Second)
		e.beat(m.number, now)
		e.report(m.number, []hub.Duty{duty(5, 1)}, now) // 6 never got there
		if dead, orphans := e.expire(now); s < 2 && (dead != nil || orphans != nil) {
			t.Errorf("after %d s: %v, %v", s+1, dead, orphans)
		} else if s == 2 && (dead != nil || !slices.Equal(orphans, []hub.Duty{duty(6, 1+epochSkip)})) {
			t.Errorf("after %d s: %v, %v", s+1, dead, orphans)
		}
	}
}

func TestMemberLeavesEverythingItTells(t *testing.T) {
	e := newTown()
	m := mustJoin(t, e, dawn)
	guest := m.users.first
	e.grant(m.number, []hub.Duty{duty(5, 1), duty(6, 1)}, dawn)
	e.report(m.number, []hub.Duty{duty(5, 1), duty(6, 1), duty(guest+1, 1)}, dawn)
	got := e.leave(m.number, []hub.Duty{duty(5, 2), duty(6, 1), duty(guest, 3)}, dawn)
	if want := []hub.Duty{duty(5, 2), duty(6, 1), duty(guest, 3)}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v: its last words count, and who left before has left", got, want)
	}
	if e.leave(m.number, nil, dawn) != nil || len(e.members) != 0 {
		t.Error("it left twice")
	}
}

func TestMembersAreNotBelievedEverything(t *testing.T) {
	e := newTown()
	m, other := mustJoin(t, e, dawn), mustJoin(t, e, dawn)
	e.grant(m.number, []hub.Duty{duty(6, 1)}, dawn)
	for name, claimed := range map[string]hub.Duty{
		"somebody else's place": {Node: 6, User: 6},
		"a number of another's": duty(other.users.first, 1),
	} {
		if e.report(m.number, []hub.Duty{duty(6, 1), claimed}, dawn) {
			t.Errorf("%s was believed", name)
		}
	}
	// A beat that was under way while places were given to somebody else is no reason for a quarrel.
	e.grant(other.number, e.release(m.number, []hub.Duty{duty(6, 2), duty(5, 9)}), dawn)
	if !e.report(m.number, []hub.Duty{duty(6, 1)}, dawn) || e.count(m.number) != 0 || e.count(other.number) != 1 {
		t.Errorf("leases: %+v", e.leases)
	}
}

func TestNumbersAreGivenOnce(t *testing.T) {
	n := numbers{all: span{101, 100 + 2*spanSize + 50}}
	var spans []span
	for range 3 {
		s, err := n.take()
		if err != nil {
			t.Fatal(err)
		}
		spans = append(spans, s)
	}
	want := []span{{101, 100 + spanSize}, {101 + spanSize, 100 + 2*spanSize}, {101 + 2*spanSize, 150 + 2*spanSize}}
	if !slices.Equal(spans, want) {
		t.Errorf("%v, want %v", spans, want)
	}
	if _, err := n.take(); !errors.Is(err, errNumbers) {
		t.Errorf("a fourth: %v", err)
	}

	n.giveBack(spans[0], 0) // nobody was admitted
	n.giveBack(spans[1], spans[1].first+9)
	n.giveBack(spans[2], 0) // too few
	for _, want := range []span{{spans[1].first + 10 + spanSkip, spans[1].last}, spans[0]} {
		if got, err := n.take(); err != nil || got != want {
			t.Errorf("%v, %v; want the rest %v", got, err, want)
		}
	}
	if got, err := n.take(); err == nil {
		t.Errorf("%v was given, too few to be of use", got)
	}
}

// A process that is started over and over does not use the numbers up.
func TestNumbersLast(t *testing.T) {
	e := newTown()
	for i := range 50_000 {
		now := after(time.Duration(i) * time.Minute)
		m := mustJoin(t, e, now)
		e.report(m.number, []hub.Duty{duty(m.users.first, 1)}, now)
		e.leave(m.number, nil, now)
	}
}
