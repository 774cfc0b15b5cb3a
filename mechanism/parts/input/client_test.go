package input

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
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
