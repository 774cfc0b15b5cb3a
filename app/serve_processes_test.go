package app

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"throng/live/livetest"
	"throng/world"
)

// columns is a town in which everybody sees everybody, with three areas side by side: as many as there will be processes, so
// that whoever is handed over goes to another process.
var columns = append([]string{"--mechanism", "interest", "--set", "mechanism.columns=3", "--set", "mechanism.rows=1",
	"--set", "mechanism.timeout=2s"}, town...)

var (
	alsoAt  = regexp.MustCompile(`(?m)^Also, by pid (\d+): listening on (\S+)\nAlso, by pid \d+: For operators: (\S+)/admin$`)
	runs    = regexp.MustCompile(`(?m)^Process (\d) \(pid \d+ on [^)]*\) runs node (\d) \(server of [^)]*\)\.$`)
	handed  = regexp.MustCompile(`(?m)^throng_node_events_total\{event="handed"\} [1-9]`)
	missing = regexp.MustCompile(`(?m)^throng_bus_lost_(processes|server_nodes) 1$`)
)

func spreadServers(t *testing.T, binary string) {
	t.Parallel()
	first := serve(t, binary, append([]string{"--processes", "3"}, columns...)...)
	var children [][]string
	livetest.Until(t, "all say where they listen", func() bool {
		children = alsoAt.FindAllStringSubmatch(first.printed.String(), -1)
		return len(children) == 2
	})
	for i, line := range runs.FindAllStringSubmatch(first.printed.String(), -1) {
		if line[1] != strconv.Itoa(i) || line[2] != strconv.Itoa(i+1) {
			t.Errorf("printed: %s", line[0])
		}
	}
	urls := []string{first.url, children[0][2], children[1][2]}
	var people []*visitor
	for _, url := range urls {
		people = append(people, visit(t, url))
	}
	meet := func() {
		t.Helper()
		for _, v := range people {
			for _, other := range people {
				v.watches(t, other.user)
			}
		}
	}
	meet()
	for _, url := range []string{first.admin, children[0][3], children[1][3]} {
		livetest.Until(t, "somebody has crossed a border", func() bool { return handed.MatchString(fetch(t, url+"/metrics")) })
	}
	meet()
	killOne(t, first, children, people)
	first.interrupt(t)
	if code, said := first.ends(t); code != exitOK {
		t.Errorf("exit code %d, %s", code, said)
	}
}

// anyServer has people meet in one place that the servers of three processes serve together. One process is killed: the others stand in for its nodes, those who are
// left still see each other, and newcomers are let in.
func anyServer(t *testing.T, binary string) {
	t.Parallel()
	first := serve(t, binary, append([]string{"--processes", "3", "--mechanism", "octree"}, town...)...)
	var children [][]string
	livetest.Until(t, "all say where they listen", func() bool {
		children = alsoAt.FindAllStringSubmatch(first.printed.String(), -1)
		return len(children) == 2
	})
	if n := strings.Count(first.printed.String(), "(storage), "); n != 3 {
		t.Errorf("%d processes have a storage node and something else: %s", n, first.printed.String())
	}
	people := []*visitor{visit(t, first.url), visit(t, children[0][2]), visit(t, children[1][2])}
	for _, v := range people {
		for _, other := range people {
			v.watches(t, other.user)
		}
	}
	kill(t, children[0][1])
	<-people[1].lost
	livetest.Until(t, "it is known that a process is gone", func() bool {
		return strings.Count(first.said.String(), `msg="bus: a process is gone`) == 2 // here and at the other, whose log is here too
	})
	if ready := fetch(t, first.admin+"/readyz"); strings.Contains(ready, "gone") {
		t.Errorf("the world is not whole: %s", ready)
	}
	newcomer := visit(t, first.url)
	for _, v := range []*visitor{people[0], people[2]} {
		v.watches(t, newcomer.user)
		newcomer.watches(t, v.user)
	}
	first.interrupt(t)
	if code, said := first.ends(t); code != exitOK {
		t.Errorf("exit code %d, %s", code, said)
	}
}

// killOne kills the process that has come first, and checks that all hear of it.
func killOne(t *testing.T, first *process, children [][]string, people []*visitor) {
	doomed, other := 0, 1
	if !strings.Contains(first.printed.String(), "Process 1 (pid "+children[0][1]+" ") {
		doomed, other = 1, 0
	}
	kill(t, children[doomed][1])
	for _, url := range []string{first.admin, children[other][3]} {
		livetest.Until(t, "it is not ready any more", func() bool {
			return strings.HasPrefix(fetch(t, url+"/readyz"), "part of the world is gone: process 1 ran node 2 (server of ")
		})
		if counted := missing.FindAllString(fetch(t, url+"/metrics"), -1); len(counted) != 2 {
			t.Errorf("counted: %q", counted)
		}
	}
	for i, v := range people {
		<-v.lost
		if i != doomed+1 && v.told != "the part of the world that you were in is gone: the process that ran it has ended" {
			t.Errorf("visitor %d was told %q", i, v.told)
		}
	}
	const line = `msg="bus: a process is gone, and with it a part of the world"`
	said := first.said.String() // its children's log is there too
	if n := strings.Count(said, line); n != 2 || strings.Contains(said, "panic") {
		t.Errorf("%d processes have said so: %s", n, said)
	}
}

func waitForAnother(t *testing.T, binary string) {
	t.Parallel()
	first, announce := start(t, binary, append([]string{"--wait", "1"}, columns...)...)
	var url string
	livetest.Until(t, "it says what it is waiting for", func() (ok bool) {
		_, url, ok = strings.Cut(first.said.String(), "throng: waiting for 1 more: throng serve --listen 127.0.0.1:0 --join ")
		return ok && strings.HasSuffix(url, "\n")
	})
	second := serve(t, binary, "--join", strings.TrimSpace(url))
	announce()
	first.players(t, 6)
	second.players(t, 6)
	if metrics := second.get(t, "/metrics"); !strings.Contains(metrics, "\nthrong_server_nodes 1\n") {
		t.Errorf("the second process has other servers: %s", metrics)
	}
	ada, ben := visit(t, first.url), visit(t, second.url)
	ada.watches(t, ben.user)
	ben.watches(t, ada.user)
	first.interrupt(t)
	for _, p := range []*process{first, second} {
		if code, said := p.ends(t); code != exitOK {
			t.Errorf("exit code %d, %s", code, said)
		}
	}
}

func giveUpWaiting(t *testing.T, binary string) {
	t.Parallel()
	first, _ := start(t, binary, append([]string{"--wait", "2"}, columns...)...)
	var url string
	livetest.Until(t, "it says what it is waiting for", func() (ok bool) {
		_, url, ok = strings.Cut(first.said.String(), "throng: waiting for 2 more: throng serve --listen 127.0.0.1:0 --join ")
		return ok && strings.HasSuffix(url, "\n")
	})
	second, _ := start(t, binary, "--join", strings.TrimSpace(url))
	livetest.Until(t, "another has joined", func() bool { return strings.Contains(first.said.String(), "a process has joined") })
	first.interrupt(t)
	for _, p := range []*process{first, second} {
		p.Wait()
		close(p.ended)
		if code, said := p.ends(t); code != exitOK {
			t.Errorf("exit code %d, %s", code, said)
		}
	}
}

// A process that is started by another is given what was said to that one, but for what concerns the world.
func TestChildrenInheritSettings(t *testing.T) {
	t.Setenv("THRONG_SEATS", "7")
	t.Setenv("THRONG_PROCESSES", "3")
	file := filepath.Join(t.TempDir(), "serve.yaml")
	if err := os.WriteFile(file, []byte("world: swarm\nwait: 2\ngrace: 7s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	token, queue, seed := "open sesame, please", "limits.queue=8KiB", "5"
	listen := "127.0.0.1:8080"
	e := &environment{program: Default()}
	s, err := e.settings(&serveCommand{Config: file, AdminToken: &token, Set: []string{queue}, Seed: &seed, Listen: &listen, NoWebtransport: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range s.inheritance("nats://x@127.0.0.1:1/w") {
		name, text, _ := strings.Cut(entry, "=")
		t.Setenv(name, text)
	}
	child, err := e.settings(&serveCommand{Config: os.Getenv("THRONG_CONFIG")})
	if err != nil {
		t.Fatal(err)
	}
	if child.further() != 0 || child.Join != "nats://x@127.0.0.1:1/w" || child.Listen != "127.0.0.1:0" || child.AdminListen != "127.0.0.1:0" || child.Seed == seed {
		t.Errorf("the child waits for %d and joins %q at %s with seed %s", child.further(), child.Join, child.Listen, child.Seed)
	}
	if child.AdminToken != token || child.Limits.Queue != 8<<10 || child.WebTransport || child.Seats != 7 || child.Grace != 7*world.Second {
		t.Errorf("the child has %+v", child)
	}
}

// comeInByEach has people come in by every process of a world, and be in it: their numbers differ by thousands.
func comeInByEach(t *testing.T, binary, mechanism string) {
	t.Parallel()
	first := serve(t, binary, append([]string{"--processes", "3", "--mechanism", mechanism}, town...)...)
	var children [][]string
	livetest.Until(t, "all say where they listen", func() bool {
		children = alsoAt.FindAllStringSubmatch(first.printed.String(), -1)
		return len(children) == 2
	})
	for _, url := range []string{first.url, children[0][2], children[1][2]} {
		v := visit(t, url)
		v.inside(t)
		v.leave(t)
	}
}
