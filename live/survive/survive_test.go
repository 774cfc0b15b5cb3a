package main

import (
	"testing"
	"time"
)

// The short form of make survive: each of three processes is killed in turn, the first one first.
func TestWorldSurvives(t *testing.T) {
	program := build(t, "throng/cmd/throng")
	c := config{
		program: program, world: "crowd", mechanism: "central", time: 12 * time.Second, every: 2 * time.Second, users: 12, seed: 1,
		faults: []fault{killed},
	}
	r, err := survive(t.Context(), c, t.Output())
	if err == nil {
		t.Log(r)
		err = r.verdict()
	}
	switch {
	case err != nil:
		t.Fatal(err)
	case r.kills < 3:
		t.Errorf("only %d processes were killed", r.kills)
	case r.twice > 0:
		t.Errorf("%d actions were carried out twice", r.twice)
	case !r.checked:
		t.Error("nothing could be looked for")
	}
}
