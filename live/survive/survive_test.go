package main

import (
	"testing"
	"time"
)

// The short form of make survive: processes are killed in turn, the first one first, as many as a machine replaces in the time.
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
	case r.kills == 0:
		t.Error("no process was killed")
	case r.twice > 0:
		t.Errorf("%d actions were carried out twice", r.twice)
	case !r.checked:
		t.Error("nothing could be looked for")
	}
}
