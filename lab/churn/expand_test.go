package churn_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"throng/lab/churn"
	"throng/lab/network"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// stage is a run with a registry, two servers and four users, under a mechanism that admits more.
func stage() churn.Stage {
	s := churn.Stage{Seed: 1, Duration: 100 * sec, Bounds: fixed.Box{Max: fixed.Vec{X: fixed.FromInt(200), Y: fixed.FromInt(100)}}}
	s.Places = []mechanism.Place{{ID: 1, Role: "registry"}, {ID: 2, Role: "server"}, {ID: 3, Role: "server"}}
	s.Admit = func(u world.User) mechanism.Place {
		return mechanism.Place{ID: 3 + mechanism.NodeID(u), Role: "client", User: u}
	}
	for u := range world.User(4) {
		s.Places = append(s.Places, s.Admit(u+1))
	}
	return s
}

func expand(t *testing.T, s churn.Stage, text string) churn.Timeline {
	t.Helper()
	plan, err := churn.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	timeline, err := plan.Expand(s)
	if err != nil {
		t.Fatal(err)
	}
	return timeline
}

// show writes events as a person would.
func show(events []churn.Event) []string {
	var out []string
	for _, e := range events {
		text := fmt.Sprintf("%v %v", e.At, e.Kind)
		if e.Node != 0 {
			text += fmt.Sprintf(" %d", e.Node)
		}
		switch e.Kind {
		case churn.Arrive, churn.Return:
			text += fmt.Sprintf(" epoch %d on %d", e.Epoch, e.Host)
		case churn.Move:
			text += fmt.Sprintf(" epoch %d on %d within %v", e.Epoch, e.Host, e.Grace)
		case churn.Leave:
			if e.Grace > 0 {
				text += fmt.Sprintf(" within %v", e.Grace)
			}
		case churn.Gather:
			text += fmt.Sprintf(" at %v,%v until %v", e.Spot.X, e.Spot.Y, e.Until)
		case churn.Limit:
			text += fmt.Sprintf(" on %d up %d down %d", e.Host, e.Up, e.Down)
		}
		out = append(out, text)
	}
	return out
}

func expect(t *testing.T, timeline churn.Timeline, want ...string) {
	t.Helper()
	if got := show(timeline.Events); !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestWhatHappensToNodes(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"at 30s: crash server 2, back after 5s", []string{"30s crash 3", "35s return 3 epoch 1 on 3"}},
		{"at 30s: crash server 2, back after 5s with memory", []string{"30s freeze 3", "35s thaw 3"}},
		{"at 30s: crash all servers; at 31s: crash server 1; at 40s: server 1 returns",
			[]string{"30s crash 2", "30s crash 3", "40s return 2 epoch 1 on 2"}},
		{"every 40s: crash the registry, back after 1s",
			[]string{"40s crash 1", "41s return 1 epoch 1 on 1", "80s crash 1", "81s return 1 epoch 2 on 1"}},
		{"at 10s: user 2 leaves, back after 5s; at 12s: a user arrives", // whose place is kept
			[]string{"10s leave 5", "12s arrive 8 epoch 0 on 8", "15s return 5 epoch 1 on 5"}},
		{"at 10s: crash user 2, back after 5s; at 12s: a user arrives; at 20s: crash user 2; at 21s: a user arrives",
			[]string{"10s crash 5", "12s arrive 8 epoch 0 on 8", "15s return 5 epoch 1 on 5", "20s crash 5", "21s arrive 5 epoch 2 on 5"}},
		{"at 10s: users 2-3 leave; at 12s: 3 users arrive", // vacant places come first
			[]string{"10s leave 5", "10s leave 6", "12s arrive 5 epoch 1 on 5", "12s arrive 6 epoch 1 on 6", "12s arrive 8 epoch 0 on 8"}},
		{"at 10s: drain server 1 within 3s; at 20s: crash server 1, back after 1s", // hosts follow all nodes
			[]string{"10s move 2 epoch 1 on 8 within 3s", "20s crash 2", "21s return 2 epoch 2 on 8"}},
		{"at 10s: drain user 1 within 3s, back after 2s", []string{"10s leave 4 within 3s", "15s return 4 epoch 1 on 4"}},
		{"at 10s: replace server 1 after 2s; at 20s: a user arrives; at 30s: replace server 1", // hosts follow all nodes
			[]string{"10s crash 2", "12s return 2 epoch 1 on 9", "20s arrive 8 epoch 0 on 8", "30s crash 2", "30s return 2 epoch 2 on 10"}},
		{"at 99s: crash client 1, back after 2s; at 101s: crash client 2", []string{"99s crash 4"}},
		{"at 10s: client 1 gathers at the centre for 5s and user 2 gathers at 500,10",
			[]string{"10s gather 4 at 100,50 until 15s", "10s gather 5 at 200,10 until never"}},
		{"at 10s: a user arrives at 25%,50%", []string{"10s arrive 8 epoch 0 on 8", "10s gather 8 at 50,50 until never"}},
	} {
		timeline := expand(t, stage(), c.text)
		t.Run(c.text, func(t *testing.T) { expect(t, timeline, c.want...) })
	}
}

func TestAProcessCrashesAsOne(t *testing.T) {
	s := stage()
	s.Processes = [][]mechanism.NodeID{{3, 1}, {4, 5}}
	expect(t, expand(t, s, "at 10s: crash server 2, back after 1s; at 20s: crash process 2; at 30s: replace process 1 after 1s"),
		"10s crash 1", "10s crash 3", "11s return 1 epoch 1 on 1", "11s return 3 epoch 1 on 1", "20s crash 4", "20s crash 5",
		"30s crash 1", "30s crash 3", "31s return 1 epoch 2 on 8", "31s return 3 epoch 2 on 8")
	expect(t, expand(t, s, "at 10s: drain server 2"), "10s move 1 epoch 1 on 8 within 10s", "10s move 3 epoch 1 on 8 within 10s")
	timeline := expand(t, s, "at 10s: client 1 leaves") // a process outlives one of its nodes
	expect(t, timeline, "10s leave 4")
	for node, home := range map[mechanism.NodeID]int{1: 1, 2: 2, 3: 1, 4: 4, 5: 4, 8: 8} {
		if got := timeline.Home(node); got != home {
			t.Errorf("node %d begins on host %d, want %d", node, got, home)
		}
	}
}

func TestWhatHappensToTheNetwork(t *testing.T) {
	timeline := expand(t, stage(), "from 10s to 20s: partition server 1 + clients | rest; at 15s: add 50ms delay between users and the registry, for 1s; "+
		"at 11s: a user arrives; at 12s: replace server 1")
	expect(t, timeline, "10s cut", "11s arrive 8 epoch 0 on 8", "12s crash 2", "12s return 2 epoch 1 on 9", "15s disturb", "16s calm", "20s heal")
	want := []network.Change{
		{From: 10 * sec, Until: 20 * sec, Sides: [][]uint32{{2, 4, 5, 6, 7, 8, 9}, {1, 3}}},
		{From: 15 * sec, Until: 16 * sec, A: []uint32{4, 5, 6, 7, 8}, B: []uint32{1}, Delay: 50 * world.Millisecond},
	}
	if !reflect.DeepEqual(timeline.Changes, want) {
		t.Errorf("got %+v\nwant %+v", timeline.Changes, want)
	}
	if hosts := []string{"registry", "server", "server", "client", "client", "client", "client", "client", "server"}; !slices.Equal(timeline.Hosts, hosts) || !reflect.DeepEqual(timeline.Admitted, []mechanism.Place{{ID: 8, Role: "client", User: 5}}) {
		t.Errorf("hosts %q, admitted %+v", timeline.Hosts, timeline.Admitted)
	}
}

func TestHealEndsAllPartitions(t *testing.T) {
	timeline := expand(t, stage(), "at 10s: partition servers | rest; at 12s: partition 1 | 2, heal after 10s; at 15s: heal; at 16s: partition 1 | 2")
	expect(t, timeline, "10s cut", "12s cut", "15s heal", "16s cut")
	var until []world.Time
	for _, c := range timeline.Changes {
		until = append(until, c.Until)
	}
	if want := []world.Time{15 * sec, 15 * sec, world.Never}; !slices.Equal(until, want) {
		t.Errorf("they end at %v, want %v", until, want)
	}
}

func TestTheStrictestLimitHolds(t *testing.T) {
	expect(t, expand(t, stage(), "at 10s: limit up of client 1 to 100kbit/s, for 20s; from 15s to 20s: limit up and down of clients 1-2 to 50kbit/s; "+
		"at 25s: limit up of client 1 to 1Mbit/s"),
		"10s limit on 4 up 100000 down 0", "15s limit on 4 up 50000 down 50000", "15s limit on 5 up 50000 down 50000",
		"20s limit on 4 up 100000 down 0", "20s limit on 5 up 0 down 0", "30s limit on 4 up 1000000 down 0")
}

func TestSharesAndRates(t *testing.T) {
	timeline := expand(t, stage(), "at 40s: half of the users leave")
	if n := len(timeline.Events); n != 2 {
		t.Errorf("%d of 4 users leave", n)
	}
	timeline = expand(t, stage(), "from 20s to 60s: users arrive 5/s, leave 5/s")
	count := map[churn.Kind]int{}
	there := 4
	for _, e := range timeline.Events {
		count[e.Kind]++
		if e.At < 20*sec || e.At > 60*sec {
			t.Errorf("%v at %v", e.Kind, e.At)
		}
		if e.Kind == churn.Arrive {
			there++
		} else {
			there--
		}
		if there < 0 {
			t.Fatal("more leave than are there")
		}
	}
	// 200 are expected of each, with a standard deviation of 14; those who find nobody to leave are fewer.
	if n := count[churn.Arrive]; n < 160 || n > 240 {
		t.Errorf("%d arrive", n)
	}
	timeline = expand(t, stage(), "at 10s: 100 users arrive within 2s")
	if n := len(timeline.Events); n != 100 {
		t.Errorf("%d arrive", n)
	}
	for _, e := range timeline.Events {
		if e.At < 10*sec || e.At >= 12*sec {
			t.Errorf("one arrives at %v", e.At)
		}
	}
}

// Who is struck differs from seed to seed and from time to time, and everybody may be.
func TestAnybodyMayBeStruck(t *testing.T) {
	struck := map[mechanism.NodeID]int{}
	for seed := range uint64(200) {
		s := stage()
		s.Seed = seed
		for _, e := range expand(t, s, "at 10s: crash a client").Events {
			struck[e.Node]++
		}
	}
	for id := mechanism.NodeID(4); id <= 7; id++ {
		if struck[id] < 30 || struck[id] > 70 { // 50 expected, with a standard deviation of 6
			t.Errorf("node %d was struck %d times of 200", id, struck[id])
		}
	}
}

// What one statement does is not shifted by another, except where it concerns the same nodes.
func TestStatementsDrawByThemselves(t *testing.T) {
	const one = "every 10s on average: crash a client, back after 100ms"
	alone := show(expand(t, stage(), one).Events)
	if len(alone) < 8 {
		t.Fatalf("only %q", alone)
	}
	both := expand(t, stage(), "every 7s on average: crash a server, back after 1s; from 3s to 5s: crash the registry; "+one)
	var mine []churn.Event
	for _, e := range both.Events {
		if both.Statements[e.Cause] == one {
			mine = append(mine, e)
		}
	}
	if got := show(mine); !slices.Equal(got, alone) {
		t.Errorf("alone %q\nwith others %q", alone, got)
	}
	s := stage()
	s.Seed = 2
	if slices.Equal(show(expand(t, s, one).Events), alone) {
		t.Error("another seed changes nothing")
	}
	twice := expand(t, stage(), one+";"+one)
	if first, second := moments(twice, 0), moments(twice, 1); slices.Equal(first, second) {
		t.Errorf("statements that are written alike happen at the same times %v", first)
	}
}

func moments(t churn.Timeline, cause int) (at []world.Time) {
	for _, e := range t.Events {
		if e.Cause == cause {
			at = append(at, e.At)
		}
	}
	return at
}

func TestPlansThatDoNotFitTheRun(t *testing.T) {
	few := stage()
	few.Admit = nil
	for _, c := range []struct {
		stage      churn.Stage
		text, want string
	}{
		{stage(), "at 1s: crash server 3", "there is no server 3; they go from 1 to 2"},
		{stage(), "at 1s: crash sever 1", `nobody here is a "sever"; did you mean "server"?`},
		{stage(), "at 1s: crash storage 1", `nobody here is a "storage"; there are: client, node, registry, server, user`},
		{stage(), "at 1s: crash the server", `there are 2 of "server"; say which, as in server 1, or how many`},
		{stage(), "at 1s: crash process 1", "no nodes share a process; say which do with host.together"},
		{stage(), "at 1s: partition servers | server 2", "host 3 is on two sides; name every node once; the nodes of one process cannot be parted"},
		{few, "at 1s: user 1 leaves; at 2s: 2 users arrive", "no place is free for a user who arrives; this world or this mechanism takes nobody beyond those that it begins with: have others leave before"},
		{stage(), "every 10µs: crash a client, back after 1µs; every 10µs from 1s to 99s: crash a client", "happens too often: more than 300000 times; make it rarer or the run shorter"},
	} {
		plan, err := churn.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = plan.Expand(c.stage)
		if err == nil || !strings.HasSuffix(err.Error(), `": `+c.want) {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}

// Whatever is written, reading and expanding it ends, without a panic, in an error that explains itself or in a sound timeline.
func FuzzPlan(f *testing.F) {
	for _, text := range []string{
		"at 30s: crash server 2, back after 5s", "at 10s: 100 users arrive within 2s", "from 20s to 60s: users arrive 5/s, leave 5/s",
		"at 40s: half of the users leave; every 30s on average: crash a client, back after 3s without memory",
		"from 10s to 20s: partition servers 1-2 | rest", "at 50s: limit up of clients to 128kbit/s, for 10s",
		"at 1s: add 5% loss between users and node 1\nat 2s: heal", "at 5s: everybody gathers at the centre; at 6s: replace process 1 after 1s",
		"every 10µs: drain 3 nodes within 1s, back after 1µs on another host",
	} {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		plan, err := churn.Parse(text)
		if err != nil {
			if e, ok := err.(*churn.Error); !ok || e.Problem == "" {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		s := stage()
		s.Seed, s.Duration, s.Processes = seed, sec/10, [][]mechanism.NodeID{{2, 3}}
		timeline, err := plan.Expand(s)
		if err != nil {
			return
		}
		checkSound(t, s, timeline)
		again, _ := plan.Expand(s)
		if !reflect.DeepEqual(again, timeline) {
			t.Error("the same plan expands to something else")
		}
	})
}

// checkSound holds that nobody ends who is not there, begins who is, or has an epoch twice.
func checkSound(t *testing.T, s churn.Stage, timeline churn.Timeline) {
	if !slices.IsSortedFunc(timeline.Events, func(a, b churn.Event) int { return cmp.Compare(a.At, b.At) }) {
		t.Error("events are not in order")
	}
	state := map[mechanism.NodeID]churn.Kind{}
	epoch := map[mechanism.NodeID]uint32{}
	for _, p := range s.Places {
		state[p.ID] = churn.Return
	}
	for _, e := range timeline.Events {
		if e.At < 0 || e.At > s.Duration || e.Cause < 0 || e.Cause >= len(timeline.Statements) {
			t.Fatalf("%+v", e)
		}
		last, known := state[e.Node]
		switch e.Kind {
		case churn.Arrive, churn.Return:
			if known && (last != churn.Leave && last != churn.Crash || e.Epoch <= epoch[e.Node]) || e.Host < 1 || e.Host > len(timeline.Hosts) {
				t.Fatalf("%+v after %v under epoch %d", e, last, epoch[e.Node])
			}
			state[e.Node], epoch[e.Node] = churn.Return, e.Epoch
		case churn.Thaw:
			if last != churn.Freeze {
				t.Fatalf("%+v after %v", e, last)
			}
			state[e.Node] = churn.Return
		case churn.Leave, churn.Crash, churn.Freeze:
			if last != churn.Return || !known {
				t.Fatalf("%+v after %v", e, last)
			}
			state[e.Node] = e.Kind
		}
	}
}
