package driver

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// pass lets time go by, and everything happen that happens at its end.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func check(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot  %q\nwant %q", what, got, want)
	}
}

func letterTo7(text string) mechanism.Message {
	return mechanism.Message{From: 2, To: 7, Payload: []byte(text)}
}

func TestRunnerCallsTheNodeInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, _, c := setup()
		n.OnWake = mechanismtest.Every(20 * ms)
		c.Player = restless{}
		r := Run(c, Since(time.Now()), DefaultLimits)
		pass(15 * time.Millisecond)
		r.Deliver(letterTo7("hello"))
		pass(10 * time.Millisecond)
		if !r.Act(world.Action{Verb: 1}) {
			t.Error("the action was refused")
		}
		pass(30 * time.Millisecond)
		r.Rest()
		pass(60 * time.Millisecond)
		got := r.Counters()
		r.Stop()
		check(t, "calls", n.Log, "0s wake", "0s act 5.1 verb 2", "15ms got hello from 2", "20ms wake", "25ms act 5.2 verb 1",
			"40ms wake", "50ms act 5.3 verb 2", "60ms wake", "80ms wake", "100ms wake")
		if got != (Counters{Handled: 1, Wakes: 7}) { // one of them, at 50 ms, for the player alone
			t.Errorf("%+v", got)
		}
	})
}

func TestArrivalsComeBeforeTheWakeUpOfTheSameInstant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, _, c := setup()
		n.OnWake = mechanismtest.Every(20 * ms)
		r := Run(c, Since(time.Now()), DefaultLimits)
		synctest.Wait()
		block := make(chan struct{})
		go r.Do(func(*mechanism.Machine) { <-block })
		pass(20 * time.Millisecond)
		r.Deliver(letterTo7("hello"))
		close(block)
		synctest.Wait()
		r.Stop()
		check(t, "calls", n.Log, "0s wake", "20ms got hello from 2", "20ms wake")
	})
}

func TestRunnerWaitsForTheBeginning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, _, c := setup()
		c.Player = restless{}
		r := Run(c, Since(time.Now().Add(time.Second)), DefaultLimits)
		r.Deliver(letterTo7("early"))
		pass(900 * time.Millisecond)
		if r.Act(world.Action{}) {
			t.Error("an action is taken before the beginning")
		}
		pass(110 * time.Millisecond)
		r.Stop()
		check(t, "calls", n.Log, "0s wake", "0s got early from 2", "0s act 5.1 verb 2")
	})
}

func TestWhatANodeWantsIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, o, c := setup()
		var events []mechanism.Event
		var acted []world.Action
		c.Event = func(e mechanism.Event) { events = append(events, e) }
		c.Acted = func(a *world.Action) { acted = append(acted, *a) }
		c.Player = restless{}
		n.OnWake = func(_ world.Time, out *mechanism.Outbox) {
			out.Send(2, mechanism.Update, []byte("a"))
			out.SendAll([]mechanism.NodeID{3, 4}, mechanism.Command, []byte("b"))
			out.Report(mechanism.Event{Name: mechanism.Rollback, Value: 3})
		}
		n.OnReceive = func(_ world.Time, _ mechanism.Message, out *mechanism.Outbox) {
			out.Report(mechanism.Event{Name: mechanism.Late})
		}
		r := Run(c, Since(time.Now()), DefaultLimits)
		pass(time.Millisecond)
		r.Act(world.Action{Verb: 1, User: 99, Seq: 99})
		r.Deliver(letterTo7("x"))
		synctest.Wait()
		r.Leave()
		check(t, "sent", o.sent, "7>2 update a", "7>3 command b", "7>4 command b", "7>9 control goodbye")
		if want := []mechanism.Event{{Name: mechanism.Rollback, Value: 3}, {Name: mechanism.Late}}; !slices.Equal(events, want) {
			t.Errorf("events %+v", events)
		}
		if want := []world.Action{{Verb: mechanismtest.Drop, User: 5, Seq: 1}, {Verb: 1, User: 5, Seq: 2}}; !slices.Equal(acted, want) {
			t.Errorf("actions %+v", acted)
		}
	})
}

// A node that joins a world under way is not late by the world's age.
func TestNodeThatBeginsLaterIsNotLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, _, c := setup()
		n.OnWake = mechanismtest.Every(50 * ms)
		var late []world.Time
		c.Woken = func(by, _ world.Time) { late = append(late, by) }
		r := Run(c, Since(time.Now().Add(-time.Hour)), DefaultLimits)
		r.Deliver(letterTo7("early")) // which has the timer set anew
		pass(60 * time.Millisecond)
		r.Stop()
		if !slices.Equal(late, []world.Time{0, 0}) {
			t.Errorf("late by %v", late)
		}
	})
}

// slow is a clock at half speed, as an estimate of the server's clock may be while it is corrected.
type slow struct{ Since }

func (s slow) Now() world.Time { return s.Since.Now() / 2 }

func TestWakeUpsFollowTheWorldsClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, _, c := setup()
		n.OnWake = mechanismtest.Every(32 * ms)
		r := Run(c, slow{Since(time.Now())}, DefaultLimits)
		pass(150 * time.Millisecond)
		r.Stop()
		check(t, "calls", n.Log, "0s wake", "32ms wake", "64ms wake")
	})
}

func TestFullMailboxDropsTheNewest(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits Limits
	}{
		{"datagrams", Limits{Datagrams: 2, Bytes: 100}},
		{"bytes", Limits{Datagrams: 100, Bytes: 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, _, config := setup()
				r := Run(config, Since(time.Now()), c.limits)
				synctest.Wait()
				block := make(chan struct{})
				go r.Do(func(*mechanism.Machine) { <-block })
				synctest.Wait()
				for i, want := range []bool{true, true, false, false} {
					if r.Deliver(letterTo7(fmt.Sprint("m", i))) != want {
						t.Errorf("datagram %d: taken is not %t", i, want)
					}
				}
				if got := r.Counters(); got.Dropped != 2 || got.Queue != 2 {
					t.Errorf("%+v", got)
				}
				close(block)
				synctest.Wait()
				if !r.Deliver(letterTo7("m4")) {
					t.Error("there is no room although the mailbox is empty")
				}
				synctest.Wait()
				r.Stop()
				check(t, "calls", n.Log, "0s wake", "0s got m0 from 2", "0s got m1 from 2", "0s got m4 from 2")
			})
		})
	}
}

// What the node works through still counts as waiting: a mailbox never holds more than its limit.
func TestWhatIsBeingReadTakesRoom(t *testing.T) {
	b := newMailbox(Limits{Datagrams: 2, Bytes: 100})
	b.put(letterTo7("a"))
	b.put(letterTo7("b"))
	b.take()
	if b.put(letterTo7("c")) {
		t.Error("there is room for a third")
	}
	b.done()
	if !b.put(letterTo7("c")) {
		t.Error("there is no room after the first two are done")
	}
}

func TestStopAndLeave(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*Runner)
		want []string
		sent []string
	}{
		{"stop", (*Runner).Stop, []string{"0s wake"}, nil},
		{"leave", (*Runner).Leave, []string{"0s wake", "0s got last from 2", "0s leave"}, []string{"7>9 control goodbye"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, o, config := setup()
				r := Run(config, Since(time.Now()), DefaultLimits)
				synctest.Wait()
				block := make(chan struct{})
				go r.Do(func(*mechanism.Machine) { <-block })
				synctest.Wait()
				r.Deliver(letterTo7("last"))
				<-r.mail.ring // so that only the end is left to react to
				var ends sync.WaitGroup
				ends.Go(func() { c.end(r) })
				synctest.Wait()
				close(block)
				ends.Wait()
				c.end(r) // a second time does no harm
				if r.Deliver(letterTo7("too late")) || r.Do(func(*mechanism.Machine) {}) || r.Act(world.Action{}) {
					t.Error("something is done after the end")
				}
				check(t, "calls", n.Log, c.want...)
				check(t, "sent", o.sent, c.sent...)
			})
		})
	}
}

func TestSendersAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, _, c := setup()
		perSender := map[mechanism.NodeID]int{}
		n.OnReceive = func(_ world.Time, m mechanism.Message, _ *mechanism.Outbox) {
			n.Log = nil
			if int(m.Payload[0]) < perSender[m.From] {
				t.Errorf("datagrams of %d changed places", m.From)
			}
			perSender[m.From] = int(m.Payload[0])
		}
		r := Run(c, Since(time.Now()), Limits{Datagrams: 50, Bytes: 1000})
		var all sync.WaitGroup
		var refused atomic.Int64
		for from := range mechanism.NodeID(20) {
			all.Go(func() {
				for i := range 100 {
					if !r.Deliver(mechanism.Message{From: from, Payload: []byte{byte(i)}}) {
						refused.Add(1)
					}
				}
			})
		}
		all.Wait()
		synctest.Wait()
		got := r.Counters()
		r.Stop()
		if got.Handled+got.Dropped != 2000 || got.Dropped != refused.Load() || got.Queue != 0 {
			t.Errorf("%+v, refused %d", got, refused.Load())
		}
	})
}

func TestMemoryOfABurstIsGivenBack(t *testing.T) {
	b := newMailbox(Limits{Datagrams: 100, Bytes: 1 << 20})
	once := func(size int) {
		b.put(mechanism.Message{Payload: make([]byte, size)})
		b.take()
		b.done()
	}
	once(1 << 19)
	once(1 << 19)
	for range 4 * reviewUses {
		once(10)
	}
	if held := cap(b.in.buf) + cap(b.out.buf); held > 1000 {
		t.Errorf("%d bytes are held for datagrams of 10", held)
	}
}
