package measure

import (
	"testing"

	"throng/world"
)

// Of 200 pieces of news in a window one may be late; three windows follow of which all but the second have more that are.
func TestForHowLongNewsIsLate(t *testing.T) {
	var l lateness
	window := func(number int64, soon, late int) {
		now := lateWindow*world.Time(number) + 1
		for range soon {
			l.add(now, true)
		}
		for range late {
			l.add(now, false)
		}
	}
	window(0, 199, 1)
	window(1, 98, 2)
	window(2, 99, 1)
	window(3, 1, 1)
	window(4, 0, 5)
	if got := l.end(); got != 2*lateWindow {
		t.Errorf("late for %v at a stretch", got)
	}
}

// Two nodes with replicas: three computers are told 1,000 bytes each within two seconds, one input waits for 4 ms and another for 6, and there is
// one election. What came before measuring began does not count.
func TestReplicasByHand(t *testing.T) {
	p := &Replicas{all: 2}
	happen := func() {
		for range 3 {
			p.Replicated(nil, 1000)
		}
		p.Decided(nil, 4*world.Millisecond)
		p.Decided(nil, 6*world.Millisecond)
		p.Elected(nil)
	}
	happen()
	p.Begin(0)
	happen()
	got := map[string]float64{}
	p.Report(2*world.Second, func(name, _ string, v float64) { got[name] = v })
	expect(t, got, map[string]float64{"safe.mean": 0.005, "replicas.bytes": 750, "replicas.elections": 1})
}
