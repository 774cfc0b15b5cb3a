package attention_test

import (
	"math"
	"slices"
	"testing"

	"throng/lab/attention"
	"throng/world"
	"throng/world/fixed"
)

// plain is a world of 100 by 50 with a verb that names a place in tenths, and one that names none.
var plain = &world.Schema{
	Name: "plain", Tick: 50 * world.Millisecond,
	Bounds: fixed.Box{Max: fixed.Vec{X: 100 * fixed.One, Y: 50 * fixed.One}},
	Kinds:  []world.Kind{{Name: "thing"}},
	Verbs: []world.Verb{
		{Name: "go", Args: []world.Variable{{Name: "x", Slot: 0, Max: 1000}, {Name: "y", Slot: 1, Max: 500}}},
		{Name: "wait"},
	},
}

// walk has a user name a place each second.
func walk(l *attention.Log, start world.Time, user world.User, places ...[2]int64) {
	for i, p := range places {
		a := world.Action{User: user}
		a.Args[0], a.Args[1] = 10*p[0], 10*p[1]
		l.Add(start+world.Time(i)*world.Second, &a)
	}
}

func TestInterestByHand(t *testing.T) {
	// Eight areas of 25 by 25. User 1 names five places in one and one in each of three others, that is 8 commands, 1 per area
	// on average. User 2 names two places in each of four areas. User 3 names none.
	l := attention.NewLog(plain)
	walk(l, 0, 1, [2]int64{1, 1}, [2]int64{2, 2}, [2]int64{30, 1}, [2]int64{3, 3}, [2]int64{60, 1}, [2]int64{4, 4}, [2]int64{99, 49}, [2]int64{5, 5})
	walk(l, 0, 2, [2]int64{0, 0}, [2]int64{100, 50}, [2]int64{0, 0}, [2]int64{100, 50}, [2]int64{0, 30}, [2]int64{0, 30}, [2]int64{50, 0}, [2]int64{50, 0})
	l.Add(0, &world.Action{User: 3, Verb: 1})
	q := &attention.Question{Side: 25, Above: []int{1, 2, 4, 5}, Window: 4 * world.Second, Distances: []float64{25, 100}}
	got, err := l.Answer(q)
	if err != nil {
		t.Fatal(err)
	}
	if got.Areas != 8 || got.Commands != 16 || got.Others != 1 || len(got.Users) != 2 {
		t.Fatalf("%d areas, %d commands, %d others, %d users", got.Areas, got.Commands, got.Others, len(got.Users))
	}
	// More than so many times the average of one: five commands are more than four, and not more than five.
	if one, two := got.Users[0].High, got.Users[1].High; !slices.Equal(one, []int{1, 1, 1, 0}) || !slices.Equal(two, []int{4, 0, 0, 0}) {
		t.Errorf("areas of high interest: %v and %v", one, two)
	}
	// Windows of four commands. User 1: one of three is beyond 25 from (1, 1), then (4, 4), (99, 49) and (5, 5) from (60, 1).
	if s := got.Users[0].Switches; !close(s[0], (1+3)/2.0) || !close(s[1], 0) {
		t.Errorf("user 1 switches %v", s)
	}
	// User 2: twice from corner to corner, a little more than 100 apart; then twice from (0, 30) to (50, 0).
	if s := got.Users[1].Switches; !close(s[0], (2+2)/2.0) || !close(s[1], 2/2.0) {
		t.Errorf("user 2 switches %v", s)
	}
}

func close(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestWindowsWithoutCommandsDoNotCount(t *testing.T) {
	l := attention.NewLog(plain)
	walk(l, 0, 1, [2]int64{0, 0}, [2]int64{90, 0})
	walk(l, 1000*world.Second, 1, [2]int64{0, 0}, [2]int64{90, 0})
	got, err := l.Answer(&attention.Question{Side: 25, Window: 10 * world.Second, Distances: []float64{25}})
	if err != nil {
		t.Fatal(err)
	}
	if s := got.Users[0].Switches; !close(s[0], 1) {
		t.Errorf("switches %v, want one in each of two windows", s)
	}
}

func TestQuestionsThatMakeNoSense(t *testing.T) {
	l := attention.NewLog(plain)
	for _, q := range []attention.Question{{Side: 0, Window: 1}, {Side: math.NaN(), Window: 1}, {Side: 1}} {
		if _, err := l.Answer(&q); err == nil {
			t.Errorf("%+v was answered", q)
		}
	}
}
