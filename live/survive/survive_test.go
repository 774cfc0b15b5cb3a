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
		faults: []fault{killed}, inTurn: true,
	}
	r := outcome(t, c)
	switch {
	case r.kills == 0:
		t.Error("no process was killed")
	case r.twice > 0:
		t.Errorf("%d actions were carried out twice", r.twice)
	case !r.checked:
		t.Error("nothing could be looked for")
	}
}

// A disk that is full ends the process that has it, which says so; the others go on, nobody loses anything, and when there is room again it
// is back.
func TestFullDisks(t *testing.T) {
	longTest(t)
	disks, err := mount()
	if err != nil {
		t.Skip(err)
	}
	defer disks.unmount()
	c := config{
		program: build(t, "throng/cmd/throng"), world: "crowd", mechanism: "central", time: time.Minute, every: 2 * time.Second, users: 12, seed: 1,
		faults: []fault{filled}, inTurn: true, disks: disks, args: []string{"--players", "100", "--set", "world.restless=true"},
	}
	r := outcome(t, c)
	switch {
	case r.fills == 0:
		t.Error("no disk was full")
	case !r.checked:
		t.Error("nothing could be looked for")
	}
	if err := disks.verify(c.program); err != nil {
		t.Error(err)
	}
}

// outcome is what comes of a run that must end well.
func outcome(t *testing.T, c config) *result {
	t.Helper()
	r, err := survive(t.Context(), c, t.Output())
	if err == nil {
		t.Log(r)
		err = r.verdict()
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}
