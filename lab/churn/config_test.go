package churn_test

import (
	"testing"

	"throng/internal/param"
	"throng/lab/churn"
	"throng/world"
	"throng/world/fixed"
)

func TestRatesAreParameters(t *testing.T) {
	var c churn.Config
	if err := param.Defaults(&c); err != nil {
		t.Fatal(err)
	}
	timeline := func() churn.Timeline {
		plan, err := c.Plan()
		if err != nil {
			t.Fatal(err)
		}
		timeline, err := plan.Expand(stage())
		if err != nil {
			t.Fatal(err)
		}
		return timeline
	}
	if n := len(timeline().Events); n != 0 {
		t.Errorf("%d things happen by default", n)
	}
	c.Arrive, c.Leave, c.Crash, c.ServerCrash, c.Memory = fixed.One, fixed.One/2, fixed.One/4, fixed.One/8, true
	count := map[churn.Kind]int{}
	for _, e := range timeline().Events {
		count[e.Kind]++
	}
	// Over 100 s; within three standard deviations. Servers lose their memory, users keep it.
	for kind, mean := range map[churn.Kind]int{churn.Arrive: 100, churn.Leave: 50, churn.Freeze: 25, churn.Crash: 12} {
		if d := count[kind] - mean; d*d > 9*mean {
			t.Errorf("%d times %v, about %d expected", count[kind], kind, mean)
		}
	}
	// At twice the rate the same happens in half the time.
	c = churn.Config{Arrive: fixed.One}
	slow := timeline().Events
	c.Arrive *= 2
	for i, e := range timeline().Events[:len(slow)] {
		if d := slow[i].At - 2*e.At; d > world.Microsecond || d < -world.Microsecond {
			t.Fatalf("the %d. arrives at %v and at twice the rate at %v", i+1, slow[i].At, e.At)
		}
	}
	c.Add("at 3s: heal")
	c.Add("at 4s: heal")
	if c.Events != "at 3s: heal; at 4s: heal" {
		t.Errorf("%q", c.Events)
	}
}
