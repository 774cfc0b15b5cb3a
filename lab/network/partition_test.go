package network

import (
	"strings"
	"testing"

	"throng/world"
)

func TestPartition(t *testing.T) {
	m := build(t, "constant", 9, "loss=0 partitions=10s..20s:1-3,8|4,5|6;20s..30s:2|rest")
	cut := func(now world.Time, from, to uint32) bool {
		return m.Fate(now, from, to, 100).Cause == Partitioned
	}
	const second = world.Second
	for _, test := range []struct {
		now  world.Time
		a, b uint32
		want bool
	}{
		{10*second - 1, 1, 4, false},
		{10 * second, 1, 4, true},
		{20*second - 1, 8, 5, true},
		{20 * second, 1, 4, false},
		{15 * second, 1, 8, false}, // the same group
		{15 * second, 4, 6, true},  // the third group
		{15 * second, 1, 9, false}, // in no group
		{25 * second, 2, 9, true},  // the rest
		{25 * second, 9, 7, false}, // both in the rest
		{30 * second, 2, 9, false},
	} {
		if got := cut(test.now, test.a, test.b); got != test.want {
			t.Errorf("at %v, %d and %d are cut off: %v, want %v", test.now, test.a, test.b, got, test.want)
		}
	}
	for now := world.Time(0); now < 31*second; now += second {
		for a := range uint32(9) {
			for b := range a {
				if cut(now, a+1, b+1) != cut(now, b+1, a+1) {
					t.Errorf("at %v, only one of %d and %d is cut off from the other", now, a+1, b+1)
				}
			}
		}
	}
}

func TestPartitionErrors(t *testing.T) {
	for text, problem := range map[string]string{
		"10s":                           "is no partition",
		"1-4 | 5-8":                     "is no partition",
		"10s..20s":                      "is no partition",
		"1s..2s: 1 | 2;":                "is no partition",
		"ten..20s: 1 | 2":               `begins at no time: "ten"`,
		"-1s..20s: 1 | 2":               `begins at no time: "-1s"`,
		"10s..20: 1 | 2":                `ends at no time: "20"`,
		"20s..20s: 1 | 2":               "ends before it begins",
		"1s..2s: 1-4":                   "has a single group",
		"1s..2s: 1 | ":                  `has a wrong group: "" is no node`,
		"1s..2s: 1 | x":                 `has a wrong group: "x" is no node`,
		"1s..2s: 1 | 5-3":               `has a wrong group: "5-3" is no range of nodes`,
		"1s..2s: 1 | 2-":                `has a wrong group: "2-" is no range of nodes`,
		"1s..2s: 1-4 | 4-8":             "has node 4 twice",
		"1s..2s: 1-9,3 | 20":            "has node 3 twice",
		"1s..2s: rest | 4 | rest":       "has the rest twice",
		"1s..2s: 1 | 2; 3s..4s: 1 | 99": "is no node of this run; allowed: 1..8",
		"1s..2s: 0 | 2":                 "is no node of this run; allowed: 1..8",
		"1s..2s: 1 | 2-4000000000":      "is no node of this run; allowed: 1..8",
	} {
		_, err := Constant{Faults: Faults{Partitions: text}}.New(1, 8)
		if err == nil || !strings.HasPrefix(err.Error(), "partitions: ") || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: %v, want: %s", text, err, problem)
		}
	}
}
