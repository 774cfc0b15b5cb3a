package bus

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"throng/catalog"
	"throng/live/hub"
	"throng/live/livetest"
	"throng/mechanism"
)

// broken checks what a process makes of the end of process 1.
func broken(t *testing.T, p *process) {
	t.Helper()
	if !p.hub.Lost(2) || p.hub.Lost(1) || p.hub.Lost(3) {
		t.Errorf("process %d takes these servers to be gone: %v, %v, %v", p.number, p.hub.Lost(1), p.hub.Lost(2), p.hub.Lost(3))
	}
	if err := p.hub.Whole(); !errors.Is(err, hub.ErrBroken) || !strings.Contains(err.Error(), "process 1 ran node 2 (server of ") {
		t.Errorf("process %d says: %v", p.number, err)
	}
	if _, err := p.hub.Join("Ada"); !errors.Is(err, hub.ErrBroken) {
		t.Errorf("process %d lets people in: %v", p.number, err)
	}
	if c := p.Counters(); c.Lost != 1 || c.LostServers != 1 {
		t.Errorf("process %d counts %d processes and %d servers", p.number, c.Lost, c.LostServers)
	}
	if described := p.Processes(); described[0].Gone || !described[1].Gone || described[2].Gone {
		t.Errorf("process %d describes %+v", p.number, described)
	}
	if err := p.Err(); err != nil {
		t.Errorf("process %d has ended: %v", p.number, err)
	}
}

func TestEndOfAServersProcessIsReported(t *testing.T) {
	for _, how := range []string{"is gone", "has left"} {
		before := runtime.NumGoroutine()
		t.Run(how, func(t *testing.T) { endServersProcess(t, how) })
		livetest.Until(t, "everything has ended", func() bool { return runtime.NumGoroutine() <= before })
	}
}

func endServersProcess(t *testing.T, how string) {
	log := new(livetest.Diary)
	processes := found(t, three(), 3, catalog.Default(), func(c *Config) {
		c.Patience, c.Log = haste, slog.New(slog.NewTextHandler(log, nil))
	})
	for _, p := range processes {
		p.plays(t, walkers/3)
	}
	doomed, rest := processes[1], []*process{processes[0], processes[2]}
	if how == "is gone" {
		doomed.kill()
	} else if err := doomed.Leave(t.Context(), "that will do"); err != nil {
		t.Fatal(err)
	}
	for _, p := range rest {
		livetest.Until(t, "it is noticed", func() bool { return p.hub.Whole() != nil })
		broken(t, p)
	}
	lines := log.About("part of the world")
	if len(lines) != len(rest) {
		t.Errorf("%d lines in the logs of %d processes: %q", len(lines), len(rest), lines)
	}
	for _, line := range lines {
		if !strings.Contains(line, "level=ERROR") || !strings.Contains(line, "process=1 name=\"pid ") || !strings.Contains(line, `nodes="2 (server of `) {
			t.Errorf("logged: %s", line)
		}
	}
	if !strings.Contains(lines[0], "a process "+how) || len(log.About(`msg="bus: a process is gone"`)) != 0 {
		t.Errorf("the first process says: %s", lines[0])
	}
	late := join(t, processes[0])
	broken(t, late) // who comes later knows as well
	livetest.Until(t, "the places of its artificial players are held again", func() bool {
		held := late.hub.Counters().Artificial
		for _, p := range rest {
			held += p.hub.Counters().Artificial
		}
		return held == walkers
	})
}

// A process that has no servers is no part of the world.
func TestEndOfAProcessWithoutServersBreaksNothing(t *testing.T) {
	t.Parallel()
	processes := found(t, dense("central"), 2, catalog.Default(), func(c *Config) { c.Patience = haste })
	processes[1].kill()
	processes[0].plays(t, walkers)
	if err := processes[0].hub.Whole(); err != nil {
		t.Error(err)
	}
	if c := processes[0].Counters(); c.Lost != 1 || c.LostServers != 0 {
		t.Errorf("%+v", c)
	}
}

func TestAreasAreTold(t *testing.T) {
	for m, want := range map[string]string{"interest": "[1 (server of 0,0 to ", "central": "[1 (server)]"} {
		d := dense(m)
		s, how, err := d.Build(catalog.Default())
		if err != nil {
			t.Fatal(err)
		}
		r := newPlacement(s, how)
		r.settle([]founder{{}})
		if got := fmt.Sprint(r.processes(0)[0].Sites); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", m, got)
		}
	}
	if areas := areasOf(&mechanism.Session{}, nil); len(areas) != 0 {
		t.Errorf("a world without users has %v", areas)
	}
}
