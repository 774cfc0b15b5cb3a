package churn_test

import (
	"reflect"
	"strings"
	"testing"

	"throng/lab/churn"
	"throng/world"
	"throng/world/fixed"
)

const sec = world.Second

func TestStatementsSayWhenAndWhat(t *testing.T) {
	all := func(noun string) churn.Who { return churn.Who{Noun: noun, Share: fixed.One} }
	at := func(from world.Time) churn.When { return churn.When{From: from, To: from} }
	for text, want := range map[string]struct {
		when   churn.When
		clause churn.Clause
	}{
		"at 30s: crash server 2, back after 5s": {at(30 * sec), churn.Clause{Verb: churn.VerbCrash,
			Who: churn.Who{Noun: "server", Numbers: []churn.Span{{2, 2}}, Share: fixed.One}, Back: true, After: 5 * sec}},
		"at 10s: 100 users arrive within 2s": {at(10 * sec), churn.Clause{Verb: churn.VerbArrive,
			Who: churn.Who{Noun: "user", Count: 100}, Within: 2 * sec}},
		"at 40s: half of the users leave": {at(40 * sec), churn.Clause{Verb: churn.VerbLeave,
			Who: churn.Who{Noun: "user", Share: fixed.One / 2}}},
		"every 30s on average: crash a client, back after 3s without memory": {
			churn.When{Every: 30 * sec, To: world.Never, Random: true}, churn.Clause{Verb: churn.VerbCrash,
				Who: churn.Who{Noun: "client", Count: 1}, Back: true, After: 3 * sec}},
		"every 1m from 10s to 5m: clients 1,3-5 crash back after 1s with memory": {
			churn.When{Every: 60 * sec, From: 10 * sec, To: 300 * sec}, churn.Clause{Verb: churn.VerbCrash,
				Who: churn.Who{Noun: "client", Numbers: []churn.Span{{1, 1}, {3, 5}}, Share: fixed.One}, Back: true, After: sec, Memory: true}},
		"at 5s: replace the server after 2s": {at(5 * sec), churn.Clause{Verb: churn.VerbReplace,
			Who: churn.Who{Noun: "server", Share: fixed.One, One: true}, Back: true, After: 2 * sec, Moved: true}},
		"at 5s: drain server 1": {at(5 * sec), churn.Clause{Verb: churn.VerbDrain,
			Who: churn.Who{Noun: "server", Numbers: []churn.Span{{1, 1}}, Share: fixed.One}, Within: 10 * sec}},
		"At 5s: Registries return on another host": {at(5 * sec), churn.Clause{Verb: churn.VerbReturn, Who: all("registry"), Moved: true}},
		"from 10s to 20s: partition servers 1-2 + user 7 | the rest": {churn.When{From: 10 * sec, To: 20 * sec, Whole: true}, churn.Clause{
			Verb: churn.VerbPartition, For: 10 * sec, Groups: []churn.Group{{Who: []churn.Who{
				{Noun: "server", Numbers: []churn.Span{{1, 2}}, Share: fixed.One},
				{Noun: "user", Numbers: []churn.Span{{7, 7}}, Share: fixed.One}}}, {Rest: true}}}},
		"at 1s: partition 1-4 | 5-8, heal after 2s": {at(sec), churn.Clause{Verb: churn.VerbPartition, For: 2 * sec, Groups: []churn.Group{
			{Who: []churn.Who{{Noun: "node", Numbers: []churn.Span{{1, 4}}, Share: fixed.One}}},
			{Who: []churn.Who{{Noun: "node", Numbers: []churn.Span{{5, 8}}, Share: fixed.One}}}}}},
		"at 50s: limit up and down of 10% of the clients to 1.5Mbit/s, for 10s": {at(50 * sec), churn.Clause{Verb: churn.VerbLimit,
			Who: churn.Who{Noun: "client", Share: fixed.One.DivInt(10)}, Up: 1_500_000, Down: 1_500_000, For: 10 * sec}},
		"at 1s: add 100ms delay between clients and all the servers": {at(sec), churn.Clause{Verb: churn.VerbAdd,
			Who: all("client"), Other: all("server"), Between: true, Delay: 100 * world.Millisecond}},
		"at 1s: add 5% loss of node 3": {at(sec), churn.Clause{Verb: churn.VerbAdd, Loss: fixed.One.MulInt(5).DivInt(100),
			Who: churn.Who{Noun: "node", Numbers: []churn.Span{{3, 3}}, Share: fixed.One}}},
		"at 1s: everybody gathers at the centre for 5s": {at(sec), churn.Clause{Verb: churn.VerbGather, Who: all("user"), For: 5 * sec,
			Spot: churn.Spot{Given: true, Relative: true, X: fixed.One / 2, Y: fixed.One / 2}}},
		"at 1s: a user joins at 12,-3.5": {at(sec), churn.Clause{Verb: churn.VerbArrive, Who: churn.Who{Noun: "user", Count: 1},
			Spot: churn.Spot{Given: true, X: fixed.FromInt(12), Y: -fixed.One * 7 / 2}}},
	} {
		s, err := churn.ParseStatement(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(s.Clauses) != 1 || s.When != want.when || !reflect.DeepEqual(s.Clauses[0], want.clause) {
			t.Errorf("%s\ngot  %+v\nwant %+v %+v", text, s, want.when, want.clause)
		}
	}
}

func TestOneStatementHasSeveralClauses(t *testing.T) {
	s, err := churn.ParseStatement("from 20s to 60s: users arrive 5/s, leave 30/min within 1s, and crash server 1, back after 1s and heal")
	if err == nil {
		t.Error("a comma before and is taken")
	}
	s, err = churn.ParseStatement("from 20s to 60s: users arrive 5/s, leave 30/min within 1s and crash server 1, back after 1s")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range s.Clauses {
		got = append(got, c.Verb.String()+" "+c.Who.Noun+" "+c.Rate.String())
	}
	if want := []string{"arrive user 200ms", "leave user 2s", "crash server 0s"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Every complaint names the words that are wrong and says what would be right.
func TestMistakesAreExplained(t *testing.T) {
	for text, want := range map[string]string{
		"30s: crash server 2":                               `"30s" begins no event; begin with at 30s:, from 10s to 20s:, every 30s: or every 30s on average:`,
		"at noon: crash server 2":                           `"noon" is no time; write it as in 30s, 1m30s or 250ms`,
		"at -1s: crash server 2":                            `"-1s" is no time; write it as in 30s, 1m30s or 250ms`,
		"at 30s crash server 2":                             `"crash" is not understood here; a colon follows the time, as in at 30s: crash server 2`,
		"at 30s: crsh server 2":                             `"crsh" is nothing that can happen; did you mean "crash"?`,
		"at 30s: server 2 crushes":                          `"crushes" is nothing that can happen; did you mean "crashes"?`,
		"at 30s: crash server 2, bak after 5s":              `"bak" is nothing that can happen; did you mean "back"?`,
		"at 30s: crash":                                     `ends too soon; whom it is about, as in server 2, clients 1-5, a client, half of the users, 100 users, is missing`,
		"at 30s: users":                                     `ends too soon; say what happens to them: arrive, arrives, crash, crashes, gather, gathers, join, joins, leave, leaves, return, returns`,
		"at 30s: crash server 0":                            `"0" is not understood here; known: within, back, with, without, on, for, at, after, heal, and`,
		"at 30s: users arrive":                              `says not how many arrive; as in 100 users arrive, or from 20s to 60s: users arrive 5/s`,
		"at 30s: servers arrive":                            `"server" do not arrive; users arrive; others return after a crash`,
		"at 30s: user 5 arrives":                            `those who arrive have no numbers yet; say how many, as in 100 users arrive; or which return, as in user 5 returns`,
		"at 30s: users leave 5/s":                           `"5/s" needs a time during which it holds; begin with from 20s to 60s:`,
		"from 1s to 2s: users leave 5/d":                    `"5/d" is no rate; write it as in 5/s, 0.5/s, 30/min or 2/h`,
		"from 2s to 1s: users leave 5/s":                    `ends at 1s, but begins at 2s; write the earlier time first`,
		"at 1s: crash server 1 with memory":                 `nobody comes back with a memory; say when, as in back after 5s with memory`,
		"at 1s: users leave for 3s":                         `leave knows no "for"; that goes with [gather partition limit add]`,
		"at 1s: partition servers":                          `a partition has two sides or more; as in partition servers 1-2 | rest`,
		"at 1s: partition rest | rest":                      `the rest is there 2 times; name it on one side`,
		"at 1s: limit up of clients to fast":                `"fast" is no bandwidth; write it as in 128kbit/s or 10Mbit/s, above zero and up to 1000Gbit/s`,
		"at 1s: limit clients to 1Mbit/s":                   `"clients" is not understood here; say up, down or up and down, as in limit up of clients to 128kbit/s`,
		"at 1s: add 120% loss of server 1":                  `"120%" is no share; write it as in 5% or 0.05, from 0 to 1`,
		"at 1s: add 1s lag of server 1":                     `"lag" is nothing that can be added; add delay or loss, as in add 100ms delay between clients and servers, or add 5% loss of server 2`,
		"at 1s: everybody gathers at home":                  `"home" is no place; write the centre, shares of the world such as 25%,50%, or coordinates such as 120,80`,
		"at 1s: everybody gathers at 120%,0%":               `"120%,0%" is outside the world; shares go from 0% to 100%`,
		"every 10s: partition servers | clients":            `partition again and again without an end; say how long, as in for 5s`,
		"every 1ns: crash a server":                         `every 1ns is too often; no more often than every 10µs`,
		"at 1s: crash server 1, back after 1s, x":           `"x" is nothing that can happen`,
		"at 1s: crash server 1 quickly":                     `"quickly" is not understood here`,
		"at 1s: crash server 1, back after 1s, at 3s: heal": `"at" is nothing that can happen`,
	} {
		_, err := churn.ParseStatement(text)
		if err == nil {
			t.Errorf("%s: is accepted", text)
			continue
		}
		if got := strings.TrimPrefix(err.Error(), `"`+strings.TrimSpace(text)+`": `); !strings.HasPrefix(got, want) {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}
