package optimistic

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"throng/mechanism"
	"throng/world"
)

func TestOwnActionTakesEffectAtOnce(t *testing.T) {
	h := take(t, 1, nil)
	h.until(5)
	h.reports(h.act(7), "applied 1.1")
	h.shows(5, 7)
	h.reports(h.act(8), "applied 1.2")
	h.shows(5, 78)
	h.reports(h.until(6), "")
	h.shows(6, 78)
}

func TestOwnActionGoesToAllOthers(t *testing.T) {
	h := take(t, 2, nil)
	h.until(5)
	a := write(7)
	a.User, a.Seq = 2, 1
	h.Act(h.now, a, &h.out)
	var to []mechanism.NodeID
	for i := range h.out.Sends() {
		m := h.out.Message(i, 2)
		to = append(to, m.To)
		if want := appendNews(5, &a); m.Class != mechanism.Command || !bytes.HasSuffix(m.Payload, want) {
			t.Errorf("a %v of %x, which does not end in %x", m.Class, m.Payload, want)
		}
	}
	if !slices.Equal(to, []mechanism.NodeID{1, 3}) {
		t.Errorf("it goes to %v", to)
	}
}

// TestNews lets news of others' actions come in all orders. At tick 10, the strip must show them as if they had been there
// from the start.
func TestNews(t *testing.T) {
	type news struct {
		at    world.Tick // when it comes
		user  world.User // from whom, user 2 being this node's own
		tick  world.Tick // for when
		digit int64
	}
	for _, c := range []struct {
		name string
		news []news
		text int64
		told []string // what is reported, news by news and for the time after
	}{
		{"in time", []news{{3, 1, 5, 1}}, 1, []string{"", "applied 1.1"}},
		{"just in time", []news{{5, 1, 5, 1}}, 1, []string{"applied 1.1", ""}},
		{"late", []news{{7, 1, 5, 1}}, 1, []string{"", "rollback (2), applied 1.1"}},
		{"after a later one", []news{{6, 3, 6, 3}, {7, 1, 5, 1}}, 13,
			[]string{"applied 3.1", "", "rollback (2), applied 1.1"}},
		{"before an own one", []news{{6, 2, 6, 2}, {8, 1, 5, 1}}, 12,
			[]string{"applied 2.1", "", "rollback (3), applied 1.1"}},
		{"late in turn", []news{{7, 1, 5, 1}, {7, 3, 6, 3}}, 13,
			[]string{"", "", "rollback (2), applied 1.1, applied 3.1"}},
		{"late out of turn", []news{{7, 3, 6, 3}, {7, 1, 5, 1}}, 13,
			[]string{"", "", "rollback (2), applied 1.1, applied 3.1"}},
		{"own one before another's", []news{{5, 3, 5, 3}, {5, 2, 5, 2}}, 23,
			[]string{"applied 3.1", "rollback, applied 2.1", ""}},
		{"late, then just in time", []news{{8, 1, 5, 1}, {8, 3, 8, 3}}, 13,
			[]string{"", "", "rollback (3), applied 1.1, applied 3.1"}},
		{"one tick, in order", []news{{5, 1, 5, 1}, {5, 2, 5, 2}, {5, 3, 5, 3}}, 123,
			[]string{"applied 1.1", "applied 2.1", "applied 3.1", ""}},
		{"one tick, out of order", []news{{5, 2, 5, 2}, {5, 3, 5, 3}, {5, 1, 5, 1}}, 123,
			[]string{"applied 2.1", "applied 3.1", "", "rollback, applied 1.1"}},
		{"from the start", []news{{9, 1, 0, 1}}, 1, []string{"", "rollback (9), applied 1.1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := take(t, 2, func(c *Config) { c.Link.Timeout = world.Minute })
			var told []string
			for _, n := range c.news {
				h.until(n.at)
				if n.user == 2 {
					told = append(told, h.act(n.digit))
				} else {
					told = append(told, h.hear(n.user, n.tick, n.digit))
				}
			}
			told = append(told, h.until(10))
			h.shows(10, c.text)
			if !slices.Equal(told, c.told) {
				t.Errorf("reported %q, not %q", told, c.told)
			}
			var actions []timed
			for _, n := range c.news {
				a := write(n.digit)
				a.User = n.user
				actions = append(actions, timed{n.tick, a})
			}
			if want := straight(h.session, actions, 10); want.Hash() != h.View().Hash() {
				t.Errorf("%v, not %v", h.View().Get(1).Attr, want.Get(1).Attr)
			}
		})
	}
}

func TestLookingMendsThePast(t *testing.T) {
	h := take(t, 2, nil)
	h.until(8)
	h.reports(h.hear(1, 5, 1), "")
	h.shows(8, 1)
	h.shows(8, 1)
	h.reports(h.act(2), "rollback (3), applied 1.1, applied 2.1") // what happened at the look is told now
	h.shows(8, 12)
}

func TestActingMendsThePast(t *testing.T) {
	h := take(t, 2, nil)
	h.until(8)
	h.hear(1, 5, 1)
	h.reports(h.act(2), "rollback (3), applied 1.1, applied 2.1")
	h.shows(8, 12)
}

func TestManyLateActionsCostOneRollBack(t *testing.T) {
	const objects = 6
	for _, late := range [][]world.Tick{{4}, {4, 5, 6, 7}, {7, 6, 5, 4, 4, 4}} {
		h := take(t, 2, nil)
		h.until(8)
		depth := 8 - h.checkpoints.tick(h.checkpoints.before(4))
		for _, tick := range late {
			h.hear(1, tick, 1)
		}
		h.work = 0
		if n := strings.Count(h.until(9), "rollback"); n != 1 {
			t.Errorf("%v: %d roll-backs", late, n)
		}
		if want := world.Work(depth+1)*objects + world.Work(len(late)); h.work != want {
			t.Errorf("%v: charged %d, not %d", late, h.work, want)
		}
	}
}

func TestCheckpointsAreTakenAnew(t *testing.T) {
	h := take(t, 2, nil)
	h.until(100)
	h.hear(1, 30, 1)
	h.View()
	actions := []timed{{30, write(1)}}
	actions[0].action.User = 1
	for _, x := range h.checkpoints.states {
		s := x.State()
		if straight(h.session, actions, s.Tick()).Hash() != s.Hash() {
			t.Errorf("the checkpoint of tick %d is not what it would have been", s.Tick())
		}
	}
}

func TestTooLate(t *testing.T) {
	h := take(t, 2, func(c *Config) { c.History = world.Second })
	h.until(100)
	oldest := h.checkpoints.oldest()
	if oldest < 60 || oldest > 80 {
		t.Fatalf("a history of 20 ticks begins at tick %d of 100", oldest)
	}
	h.reports(h.hear(1, oldest-2, 1), "late 1.1 (100000000)")
	h.reports(h.until(101), "")
	h.shows(101, 0)
	h.reports(h.hear(1, h.checkpoints.oldest(), 2), "")
	h.shows(101, 2)
}

func TestRefused(t *testing.T) {
	bad := func(change func(*world.Action)) []byte {
		a := write(1)
		a.User, a.Seq = 1, 1
		change(&a)
		return appendNews(10, &a)
	}
	good := bad(func(*world.Action) {})
	tooEarly := write(1)
	tooEarly.User, tooEarly.Seq = 1, 1
	for name, payload := range map[string][]byte{
		"another user":       bad(func(a *world.Action) { a.User = 3 }),
		"the receiver":       bad(func(a *world.Action) { a.User = 2 }),
		"an unknown verb":    bad(func(a *world.Action) { a.Verb = 1 }),
		"a digit too large":  bad(func(a *world.Action) { a.Args[0] = 10 }),
		"too many arguments": bad(func(a *world.Action) { a.Args[1] = 1 }),
		"the far future":     appendNews(10+500+1, &tooEarly),
		"half a message":     good[:len(good)-1],
		"more than one":      append(good, 0),
		"nothing":            {},
	} {
		h := take(t, 2, nil)
		h.until(10)
		if got := h.message(1, payload); !strings.HasPrefix(got, "malformed") {
			t.Errorf("%s: reported %q", name, got)
		}
		if h.dirty != clean || h.history.count != 0 {
			t.Errorf("%s: it is remembered", name)
		}
	}
	h := take(t, 2, nil)
	h.until(10)
	h.reports(h.message(1, good), "applied 1.1")
	for _, from := range []mechanism.NodeID{0, 2, 4} { // nobody, itself, a stranger
		h.Receive(h.now, mechanism.Message{From: from, To: 2, Payload: good}, &h.out)
		h.reports(h.events(), fmt.Sprintf("malformed (%d)", len(good)))
	}
	h.shows(10, 1)
}

func TestCopiesAreIgnored(t *testing.T) {
	h := take(t, 2, nil)
	h.until(10)
	a := write(1)
	a.User, a.Seq = 1, 1
	h.reports(h.message(1, appendNews(10, &a)), "applied 1.1")
	h.reports(h.message(1, appendNews(10, &a)), "")
	h.reports(h.message(1, appendNews(7, &a)), "") // it can take effect in one tick only
	h.until(12)
	h.shows(12, 1)
}

func TestOwnCopiesAreIgnored(t *testing.T) {
	h := take(t, 2, nil)
	h.act(1)
	h.seq[2]--
	h.reports(h.act(1), "")
	h.shows(0, 1)
}

func TestTooManyInATick(t *testing.T) {
	h := take(t, 2, nil)
	for range perTickMax {
		h.hear(1, 3, 1)
	}
	h.reports(h.hear(1, 3, 2), "dropped 1.65")
	h.reports(h.hear(1, 4, 2), "")
}

func TestOwnNonsenseIsGivenUp(t *testing.T) {
	h := take(t, 2, nil)
	h.until(10)
	h.Act(h.now, world.Action{User: 2, Seq: 1, Verb: 7}, &h.out)
	if h.out.Sends() > 0 {
		t.Error("an unknown verb is sent")
	}
	h.reports(h.events(), "dropped 2.1")
	for range perTickMax {
		h.act(1)
	}
	h.reports(h.act(2), "dropped 2.65")
	h.until(11)
	h.reports(h.act(2), "applied 2.66")
}

func TestLocalLag(t *testing.T) {
	for _, c := range []struct{ set, is world.Time }{
		{0, 0}, {1, 50 * world.Millisecond}, {100 * world.Millisecond, 100 * world.Millisecond}, {101 * world.Millisecond, 150 * world.Millisecond},
	} {
		h := take(t, 2, func(c2 *Config) { c2.LocalLag = c.set })
		if got := mechanism.Lag(h.node); got != c.is {
			t.Errorf("a lag of %v makes %v", c.set, got)
		}
		lag := world.Tick(c.is / h.length)
		h.until(5)
		if lag == 0 {
			continue
		}
		h.reports(h.act(7), "")
		h.reports(h.until(5+lag-1), "")
		h.shows(5+lag-1, 0)
		h.reports(h.until(5+lag), "applied 2.1")
		h.shows(5+lag, 7)
	}
}

func TestLateWakesCatchUp(t *testing.T) {
	h := take(t, 2, nil)
	h.hear(1, 3, 1)
	h.now = 7*h.length + 1
	h.Wake(h.now, &h.out)
	if at, asked := h.out.Wake(); !asked || at != 8*h.length {
		t.Errorf("it wants to be woken at %v", at)
	}
	h.shows(7, 1)
}

func TestWakesForTheLinkLetNoTickPass(t *testing.T) {
	h := take(t, 2, func(c *Config) { c.Link.Batching = 10 * world.Millisecond })
	h.Act(0, world.Action{User: 2, Seq: 1, Args: [world.MaxArgs]int64{7}}, &h.out)
	if at, asked := h.out.Wake(); !asked || at != 10*world.Millisecond {
		t.Fatalf("it wants to be woken at %v", at)
	}
	h.hear(1, 0, 1)
	h.Wake(10*world.Millisecond, &h.out)
	if h.out.Sends() != 2 {
		t.Errorf("%d datagrams", h.out.Sends())
	}
	h.reports(h.events(), "") // nor is the past mended for it
	h.shows(0, 17)
}

func TestBytes(t *testing.T) {
	h := take(t, 2, func(c *Config) { c.History = world.Second })
	h.hear(1, 0, 1) // so that there is a link
	h.until(50)
	before := h.Bytes()
	for range 10 {
		h.hear(1, 50, 1)
	}
	if got := h.Bytes(); got < before+10*inputBytes {
		t.Errorf("%d bytes after 10 actions, %d before", got, before)
	}
	h.until(150)
	if got := h.Bytes(); got != before {
		t.Errorf("%d bytes after they were forgotten, %d before", got, before)
	}
}
