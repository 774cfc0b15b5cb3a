package app

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"throng/live/livetest"
	"throng/world"
)

// processes lists the pids, gateways and operators' addresses of a replicated world's processes, in the order in which they
// have come, those that were killed included.
func (p *process) replicas() (list [][]string) {
	list = [][]string{{"", strconv.Itoa(p.Process.Pid), p.url, p.admin}}
	return append(list, alsoAt.FindAllStringSubmatch(p.printed.String(), -1)...)
}

func kill(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	victim, err := os.FindProcess(n)
	if err == nil {
		err = victim.Kill()
	}
	if err != nil {
		t.Errorf("process %d cannot be killed: %v", n, err)
	}
}

// Each of three processes is killed in turn, the first one included: the world goes on, and another process takes its place.
func TestReplicasSurvive(t *testing.T) {
	binary := build(t)
	for _, m := range []string{"central"} { // others are what make survive is for
		t.Run(m, func(t *testing.T) { killInTurn(t, binary, m) })
	}
}

func killInTurn(t *testing.T, binary, mechanism string) {
	t.Parallel()
	first := serve(t, binary, append([]string{"--processes", "3", "--replicas", "3", "--mechanism", mechanism}, town...)...)
	alive := 0 // index of the first that lives
	t.Cleanup(func() {
		for _, p := range first.replicas()[alive:] {
			kill(t, p[1])
		}
	})
	livetest.Until(t, "all say where they listen", func() bool { return len(first.replicas()) == 3 })
	for round := range 3 {
		list := first.replicas()
		var people []*visitor
		for _, p := range list[alive:] {
			people = append(people, visit(t, p[2]))
		}
		for _, v := range people {
			v.watches(t, people[0].user)
		}
		acts := people[1].done.Load()
		before := people[2].runner.Counters().Handled
		kill(t, list[alive][1])
		alive++
		<-people[0].lost
		livetest.Until(t, "others' actions take effect", func() bool {
			return people[1].done.Load() > acts && people[2].runner.Counters().Handled > before
		})
		people[1].watches(t, people[2].user)
		livetest.Until(t, "another process has taken its place", func() bool { return len(first.replicas()) == 4+round })
		for u := range world.User(12) { // who was played in the process that has died too
			people[2].watches(t, u+1)
		}
	}
	if said := first.said.String(); strings.Contains(said, "panic") {
		t.Errorf("it has said %s", said)
	}
}
