package input

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/update"
	"throng/world"
)

// A server that does not answer is asked less and less often, and as before once it answers.
func TestRepeatsBackOff(t *testing.T) {
	const ms = world.Millisecond
	w := mechanismtest.Marbles(1)
	c := NewClient(Times{Resend: 100 * ms, Backoff: 3, Timeout: world.Minute}, &mechanism.Session{World: w}, 1, 1, false)
	var out mechanism.Outbox
	c.Join(0, &out)
	c.Enter(0)
	said := func(from world.Time, times int) (waits []world.Time) {
		last := from
		for range times {
			due := c.Due()
			c.Speak(due-1, &out)
			if c.spoke != last {
				t.Fatalf("something is said before it is due at %v", due)
			}
			c.Speak(due, &out)
			waits = append(waits, due-last)
			last = due
		}
		return waits
	}
	c.Act(0, &world.Action{User: 1, Seq: 1}, 0, false, &out)
	if got, want := said(0, 5), []world.Time{100 * ms, 200 * ms, 400 * ms, 800 * ms, 800 * ms}; !slices.Equal(got, want) {
		t.Errorf("repeated after %v, want %v", got, want)
	}
	c.Act(10*world.Second, &world.Action{User: 1, Seq: 2}, 0, false, &out)
	if got, want := said(10*world.Second, 1), []world.Time{800 * ms}; !slices.Equal(got, want) {
		t.Errorf("another action without an answer is repeated after %v, want %v", got, want)
	}
	c.Pending.Take()
	c.Act(20*world.Second, &world.Action{User: 1, Seq: 3}, 0, false, &out)
	if got, want := said(20*world.Second, 2), []world.Time{100 * ms, 200 * ms}; !slices.Equal(got, want) {
		t.Errorf("after an answer, repeated after %v, want %v", got, want)
	}
}

// While the server has slowed down, a client speaks about once for each update, with all that its user did; it goes on, more slowly
// still, if no update comes; and what it keeps to itself goes out even if the user does nothing more.
func TestSparesASlowServer(t *testing.T) {
	w := mechanismtest.Marbles(1)
	tick := w.Schema().Tick
	c := NewClient(Times{Resend: world.Second, Timeout: world.Minute}, &mechanism.Session{World: w}, 1, 1, false)
	var out mechanism.Outbox
	c.Join(0, &out)
	seq := uint32(0)
	act := func(now world.Time) (said int) {
		out.Reset()
		seq++
		c.Act(now, &world.Action{User: 1, Seq: seq}, 0, false, &out)
		return out.Sends()
	}
	const level = 12 // some twice as long
	c.Hear(0, &Preface{Level: level})
	if got := []int{act(tick / 2), act(tick * 3 / 2)}; !slices.Equal(got, []int{0, 1}) {
		t.Errorf("says %v after an update", got)
	}
	c.Hear(2*tick, &Preface{Level: level})
	if got := []int{act(tick * 5 / 2), act(tick * 7 / 2), act(tick * 9 / 2), act(tick * 11 / 2), act(tick * 13 / 2)}; !slices.Equal(got, []int{0, 1, 0, 0, 1}) {
		t.Errorf("says %v while no update comes", got)
	}
	c.Hear(7*tick, &Preface{Level: level})
	act(tick * 15 / 2)
	out.Reset()
	if due := c.Due(); due != tick*15/2+tick*5/4 {
		t.Errorf("an action that is kept back goes out at %v", due)
	}
	if c.Speak(c.Due(), &out); out.Sends() != 1 || c.held {
		t.Errorf("%d messages", out.Sends())
	}
	c.Hear(9*tick, &Preface{})
	if got := []int{act(9*tick + 1), act(9*tick + 2)}; !slices.Equal(got, []int{1, 1}) {
		t.Errorf("says %v once the server keeps up", got)
	}
}

// Who is told that there is no room asks again, but not at once.
func TestNoRoom(t *testing.T) {
	c := NewClient(Times{Resend: 100 * world.Millisecond, Timeout: world.Minute}, &mechanism.Session{World: mechanismtest.Marbles(1)}, 1, 1, false)
	var out mechanism.Outbox
	c.Join(0, &out)
	if _, v := c.Read(AppendFull(nil, c.Identity.Tag()+1)); v != update.Stale || c.Due() != 100*world.Millisecond {
		t.Errorf("of another life: %v, asks again at %v", v, c.Due())
	}
	if _, v := c.Read(AppendFull(nil, c.Identity.Tag())); v != update.Stale || c.Due() != world.Second {
		t.Errorf("%v, asks again at %v", v, c.Due())
	}
	if _, v := c.Read(append(AppendFull(nil, c.Identity.Tag()), 0)); v != update.Impossible {
		t.Errorf("too long: %v", v)
	}
}
