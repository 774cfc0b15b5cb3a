package experiment

import (
	"strings"
	"testing"
)

func TestJointSweep(t *testing.T) {
	e := load(t, plain+`
sweep:
  network.loss: [0, 1%]
  network.delay, mechanism.name,mechanism.local-lag: [[50ms, optimistic, 150ms], [0.1s, optimistic, 250ms]]
`, Options{})
	want := `network.loss=0 network.delay=50ms mechanism=optimistic mechanism.local-lag=150ms
network.loss=0 network.delay=100ms mechanism=optimistic mechanism.local-lag=250ms
network.loss=0.01 network.delay=50ms mechanism=optimistic mechanism.local-lag=150ms
network.loss=0.01 network.delay=100ms mechanism=optimistic mechanism.local-lag=250ms`
	if got := points(e); got != want {
		t.Errorf("points:\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(e.Varying, " "); got != "network.loss network.delay mechanism mechanism.local-lag" {
		t.Errorf("varying: %s", got)
	}
	last := e.Points()[3].Setup
	if last.Network.Config.(*constantConfig).Delay.String() != "100ms" || last.Mechanism.Config.(*optimisticConfig).LocalLag.String() != "250ms" {
		t.Errorf("the last point is %+v", last)
	}
}

func TestJointSweepOfCase(t *testing.T) {
	e := load(t, plain+`
cases:
  - {name: none}
  - name: lagging
    sweep:
      mechanism.local-lag, mechanism.states: [[0s, [1s, 2s]], [1s, []]]
sweep: {network.delay: [1ms, 2ms]}
`, Options{})
	want := `case=none network.delay=1ms
case=none network.delay=2ms
case=lagging network.delay=1ms mechanism.local-lag=0s mechanism.states=1s,2s
case=lagging network.delay=1ms mechanism.local-lag=1s mechanism.states=
case=lagging network.delay=2ms mechanism.local-lag=0s mechanism.states=1s,2s
case=lagging network.delay=2ms mechanism.local-lag=1s mechanism.states=`
	if got := points(e); got != want {
		t.Errorf("points:\n%s\nwant\n%s", got, want)
	}
}

func TestJointSweepIsInheritedUnderItsKey(t *testing.T) {
	source := files(map[string]string{
		"base.yaml":     plain + "sweep:\n  network.delay, mechanism.local-lag: [[1ms, 2ms], [3ms, 4ms]]\n",
		"replaced.yaml": "extends: base\nsweep:\n  network.delay,mechanism.local-lag: [[5ms, 6ms]]\n",
		"dropped.yaml":  "extends: base\nsweep: {'network.delay, mechanism.local-lag': null, network.delay: [7ms]}\n",
	})
	for name, want := range map[string]string{
		"replaced": "network.delay=5ms mechanism.local-lag=6ms",
		"dropped":  "network.delay=7ms",
	} {
		e, err := Load(source, name, Options{}, testSpace())
		if err != nil {
			t.Fatal(err)
		}
		if got := points(e); got != want {
			t.Errorf("%s: points:\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestSetList(t *testing.T) {
	const joint = plain + "sweep:\n  network.delay, mechanism.local-lag: [[1ms, 2ms], [3ms, 4ms]]\n"
	const cases = plain + `
cases:
  - {name: loose, set: {mechanism: loose, mechanism.interval: 1s}}
  - {name: optimistic}
  - {name: lagging, sweep: {mechanism.local-lag: [1ms, 2ms]}}
`
	const apart = plain + `
cases:
  - {name: loose, set: {mechanism: loose}, sweep: {network.delay: [3ms, 4ms]}}
  - name: optimistic
    sweep:
      network.delay, mechanism.local-lag: [[3ms, 1ms], [4ms, 2ms]]
`
	for _, c := range []struct {
		name, text string
		set        []string
		want       string
	}{
		{"replaces the values of a sweep", plain + "sweep: {network.delay: [1ms], network.loss: [0]}\n",
			[]string{"network.delay=[5ms, 6ms]"},
			"network.delay=5ms network.loss=0\nnetwork.delay=6ms network.loss=0"},
		{"adds a sweep", plain + "sweep: {network.loss: [0, 1]}\n",
			[]string{"network.delay=[5ms,6ms]"},
			"network.loss=0 network.delay=5ms\nnetwork.loss=0 network.delay=6ms\nnetwork.loss=1 network.delay=5ms\nnetwork.loss=1 network.delay=6ms"},
		{"of one value varies too", plain, []string{"network.delay=[5ms]"}, "network.delay=5ms"},
		{"of lists", plain, []string{"mechanism.local-lag=0s", "mechanism.states=[[1s,2s],[]]"}, "mechanism.states=1s,2s\nmechanism.states="},
		{"replaces a joint sweep", joint, []string{"mechanism.local-lag,network.delay=[[5ms,6ms]]"}, "mechanism.local-lag=5ms network.delay=6ms"},
		{"adds a joint sweep", plain, []string{"network.delay,network.loss=[[1ms,0],[2ms,1]]"},
			"network.delay=1ms network.loss=0\nnetwork.delay=2ms network.loss=1"},
		{"that varies together replaces what varied alone", plain + "sweep: {network.delay: [5ms, 6ms]}\n",
			[]string{"network.delay,network.loss=[[1ms,0],[2ms,1]]"},
			"network.delay=1ms network.loss=0\nnetwork.delay=2ms network.loss=1"},
		{"that varies together is for all cases, as far as they can use it", apart,
			[]string{"network.delay,mechanism.local-lag=[[1ms,5ms],[1ms,6ms],[2ms,7ms]]"},
			"case=loose network.delay=1ms\ncase=loose network.delay=2ms\n" +
				"case=optimistic network.delay=1ms mechanism.local-lag=5ms\ncase=optimistic network.delay=1ms mechanism.local-lag=6ms\n" +
				"case=optimistic network.delay=2ms mechanism.local-lag=7ms"},
		{"chooses", plain, []string{"mechanism=[ideal,loose]"}, "mechanism=ideal\nmechanism=loose"},
		{"of a parameter that only some choices have", plain, []string{"mechanism=[ideal,loose]", "mechanism.interval=[1s,2s]"},
			"mechanism=ideal\nmechanism=loose mechanism.interval=1s\nmechanism=loose mechanism.interval=2s"},
		{"over what a case sets", cases, []string{"mechanism.interval=[2s,3s]", "case=loose"},
			"case=loose mechanism.interval=2s\ncase=loose mechanism.interval=3s"},
		{"where a case sweeps it and another could", cases, []string{"mechanism.local-lag=[5ms,6ms]"},
			"case=loose\ncase=optimistic mechanism.local-lag=5ms\ncase=optimistic mechanism.local-lag=6ms\n" +
				"case=lagging mechanism.local-lag=5ms\ncase=lagging mechanism.local-lag=6ms"},
		{"of cases", cases, []string{"case=[optimistic,loose]"}, "case=loose\ncase=optimistic"},
		{"or a single value where a case sweeps it", cases, []string{"case=lagging", "mechanism.local-lag=7ms"},
			"case=lagging mechanism.local-lag=7ms"},
		{"gives way to what comes later", plain, []string{"network.delay=[1ms,2ms]", "network.delay=3ms"}, ""},
	} {
		if got := points(load(t, c.text, Options{Set: c.set})); got != c.want {
			t.Errorf("a list %s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}

	e := load(t, cases, Options{Set: []string{"mechanism.interval=[2s,3s]"}})
	if got := joinParams(e.Cases[0].Set); got != "mechanism=loose" {
		t.Errorf("case loose is said to set %s, though the interval varies", got)
	}
}
