package world

import (
	"math"
	"testing"

	"pgregory.net/rapid"
	"throng/world/wire"
)

func TestCheckAction(t *testing.T) {
	const rest, turn = VerbID(0), VerbID(1)
	for _, test := range []struct {
		name   string
		action Action
		want   string
	}{
		{"without arguments", Action{Verb: rest}, ""},
		{"within the range", Action{Verb: turn, Args: [MaxArgs]int64{1<<32 - 1}}, ""},
		{"any reference", Action{Verb: turn, Args: [MaxArgs]int64{2: math.MinInt64}}, ""},
		{"any target", Action{Verb: rest, Target: 99}, ""},
		{"entering", Action{Verb: Enter, User: 1}, ""},
		{"leaving", Action{Verb: Leave, User: 1}, ""},
		{"unknown verb", Action{Verb: 2}, "world test has no verb 2"},
		{"below the range", Action{Verb: turn, Args: [MaxArgs]int64{-1}}, "turn: heading is -1, outside 0 to 4294967295"},
		{"above the range", Action{Verb: turn, Args: [MaxArgs]int64{1 << 32}},
			"turn: heading is 4294967296, outside 0 to 4294967295"},
		{"argument between the others", Action{Verb: turn, Args: [MaxArgs]int64{1: 1}}, "turn takes no argument 1"},
		{"argument of none", Action{Verb: rest, Args: [MaxArgs]int64{5: 1}}, "rest takes no argument 5"},
		{"entering with an argument", Action{Verb: Enter, Args: [MaxArgs]int64{1}}, "entering and leaving take no arguments"},
		{"leaving with a target", Action{Verb: Leave, Target: 1}, "entering and leaving take no arguments"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if err := testSchema.CheckAction(&test.action); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestActionsOfATickAreInOrder(t *testing.T) {
	order := []Action{{User: 1, Seq: 1}, {User: 1, Seq: 2}, {User: 2, Seq: 1}, {User: 10, Seq: 0}}
	for i := range order {
		for j := range order {
			if got := order[i].Before(&order[j]); got != (i < j) {
				t.Errorf("%+v before %+v: %v", order[i], order[j], got)
			}
		}
	}
}

func TestActionComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Action{
			User:   User(rapid.Uint32().Draw(t, "user")),
			Seq:    rapid.Uint32().Draw(t, "seq"),
			Verb:   VerbID(rapid.Uint8().Draw(t, "verb")),
			Target: ID(rapid.Uint64().Draw(t, "target")),
		}
		for i := range rapid.IntRange(0, MaxArgs).Draw(t, "args") {
			a.Args[i] = rapid.Int64().Draw(t, "arg")
		}
		r := wire.NewReader(AppendAction(nil, &a))
		if got := ReadAction(&r); got != a || r.Done() != nil {
			t.Fatalf("got %+v, want %+v (%v)", got, a, r.Done())
		}
	})
}

func TestMalformedActionsAreRefused(t *testing.T) {
	whole := AppendAction(nil, &Action{User: 300, Seq: 1, Verb: 2, Target: 9, Args: [MaxArgs]int64{1, 0, -300}})
	for n := range whole {
		r := wire.NewReader(whole[:n])
		if got := ReadAction(&r); !r.Failed() || got != (Action{}) {
			t.Errorf("%d of %d bytes: %+v", n, len(whole), got)
		}
	}
	for name, msg := range map[string][]byte{
		"seven arguments":     {1, 1, 0, 0, 7, 2, 2, 2, 2, 2, 2, 2},
		"zero at the end":     {1, 1, 0, 0, 2, 2, 0},
		"user beyond 32 bits": {0x80, 0x80, 0x80, 0x80, 0x10, 1, 0, 0, 0},
	} {
		r := wire.NewReader(msg)
		if got := ReadAction(&r); !r.Failed() || got != (Action{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
