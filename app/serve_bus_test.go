package app

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"throng/live/gateway"
	"throng/live/livetest"
	"throng/world"
)

// build makes the program that is being tested.
func build(t *testing.T) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "throng")
	if out, err := exec.Command("go", "build", "-o", binary, "throng/cmd/throng").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// process is throng serve as a process of its own.
type process struct {
	*exec.Cmd
	url     string         // where its gateway listens
	admin   string         // and where for operators
	join    string         // what it says others need to join; empty for one that has joined
	printed livetest.Diary // what it prints after that
	said    livetest.Diary // what it logs
	ended   chan struct{}
}

// serve starts a process and reads what it announces.
func serve(t *testing.T, binary string, args ...string) *process {
	t.Helper()
	p, announce := start(t, binary, args...)
	announce()
	return p
}

// start starts a process, which announces itself when it lets people in.
func start(t *testing.T, binary string, args ...string) (p *process, announce func()) {
	t.Helper()
	return launch(t, exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0", "--no-webtransport"}, args...)...))
}

// launch is start for a command of any kind.
func launch(t *testing.T, command *exec.Cmd) (p *process, announce func()) {
	t.Helper()
	p = &process{Cmd: command, ended: make(chan struct{})}
	p.Stderr = &p.said
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Process.Kill()
		<-p.ended
	})
	return p, func() { t.Helper(); p.announce(t, bufio.NewReader(out)) }
}

func (p *process) announce(t *testing.T, lines *bufio.Reader) {
	t.Helper()
	var announced []string
	for range 4 {
		line, err := lines.ReadString('\n')
		if err != nil {
			p.Wait()
			close(p.ended)
			t.Fatalf("it said %q and %s", announced, p.said.String())
		}
		announced = append(announced, strings.TrimSpace(line))
	}
	p.url = strings.TrimPrefix(announced[0], "listening on ")
	p.admin = strings.TrimSuffix(strings.TrimPrefix(announced[2], forOperators), "/admin")
	_, p.join, _ = strings.Cut(announced[3], " --join ")
	var copied sync.WaitGroup
	copied.Go(func() { io.Copy(&p.printed, lines) })
	go func() {
		copied.Wait()
		p.Wait()
		close(p.ended)
	}()
}

// interrupt asks a process to end.
func (p *process) interrupt(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// ends waits for the end of a process, and returns its exit code and what it has said.
func (p *process) ends(t *testing.T) (code int, said string) {
	t.Helper()
	<-p.ended
	return p.ProcessState.ExitCode(), p.said.String()
}

// get reads something that a process serves.
func (p *process) get(t *testing.T, path string) string {
	t.Helper()
	return fetch(t, p.admin+path)
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// players waits until so many artificial players are in a process.
func (p *process) players(t *testing.T, want int) {
	t.Helper()
	livetest.Until(t, "the players are where they should be", func() bool {
		var info gateway.InfoReply
		if err := json.Unmarshal([]byte(p.get(t, "/api/info")), &info); err != nil {
			t.Fatal(err)
		}
		return info.Artificial == want
	})
}

// A small town in which everybody sees everybody and nobody stands still.
var town = []string{"--players", "12", "--set", "world.mode=dense", "--set", "world.restless=true", "--set", "bus-patience=2s"}

func TestSeveralProcesses(t *testing.T) {
	binary := build(t)
	t.Run("three serve one world", func(t *testing.T) { threeServeOneWorld(t, binary) })
	t.Run("they come and go in good order", func(t *testing.T) { comeAndGo(t, binary) })
	t.Run("their servers are spread", func(t *testing.T) { spreadServers(t, binary) })
	t.Run("any server serves any place", func(t *testing.T) { anyServer(t, binary) })
	t.Run("they wait for one another", func(t *testing.T) { waitForAnother(t, binary) })
	for _, m := range []string{"action", "broadcast", "lockstep"} {
		t.Run("people come in by each of them under "+m, func(t *testing.T) { comeInByEach(t, binary, m) })
	}
	t.Run("they give up waiting", func(t *testing.T) { giveUpWaiting(t, binary) })
}

func threeServeOneWorld(t *testing.T, binary string) {
	t.Parallel()
	first := serve(t, binary, town...)
	second := serve(t, binary, "--join", first.join)
	third := serve(t, binary, "--join", first.join)
	for _, p := range []*process{first, second, third} {
		p.players(t, 4)
	}
	if metrics := first.get(t, "/metrics"); !strings.Contains(metrics, "\nthrong_bus_members 2\n") {
		t.Errorf("the first process has other members: %s", metrics)
	}

	livetest.Until(t, "it is known how long actions take", func() bool {
		metrics := first.get(t, "/metrics")
		return !strings.Contains(metrics, `throng_observation_delay_seconds_count{at="server"} 0`) &&
			!strings.Contains(metrics, `throng_observation_delay_seconds_count{at="other"} 0`)
	})

	ada, ben := visit(t, second.url), visit(t, third.url)
	if ada.user == ben.user {
		t.Fatalf("both are user %d", ada.user)
	}
	ada.watches(t, ben.user)
	ben.watches(t, ada.user)

	second.Process.Kill()
	<-ada.lost
	first.players(t, 8)
	livetest.Until(t, "who came through the dead process is gone", func() bool { _, seen := ben.sees(ada.user); return !seen })
	for u := range world.User(12) { // wherever they are now
		ben.watches(t, u+1)
	}

	first.Process.Kill()
	if code, said := third.ends(t); code != exitFailed || !strings.Contains(said, "throng: the first process of the world is gone") {
		t.Errorf("without the first process: exit code %d, %s", code, said)
	}
	<-ben.lost
}

func comeAndGo(t *testing.T, binary string) {
	t.Parallel()
	first := serve(t, binary, town...)
	second := serve(t, binary, "--join", first.join)
	second.players(t, 6)
	second.interrupt(t)
	if code, said := second.ends(t); code != exitOK {
		t.Errorf("a process that leaves: exit code %d, %s", code, said)
	}
	first.players(t, 12)

	third := serve(t, binary, "--join", first.join)
	third.players(t, 6)
	first.interrupt(t)
	if code, said := first.ends(t); code != exitOK {
		t.Errorf("the first process: exit code %d, %s", code, said)
	}
	if code, said := third.ends(t); code != exitOK || !strings.Contains(said, "throng: the world has ended: the server is going down") {
		t.Errorf("the other: exit code %d, %s", code, said)
	}
}

func TestJoiningComplainsInOneLine(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no URL", []string{"--join", "here"}, exitUsage, "--join: "},
		{"no world", []string{"--join", "nats://x@127.0.0.1:1"}, exitUsage, "--join: the world is missing"},
		{"nobody", []string{"--join", "nats://x@127.0.0.1:1/w"}, exitFailed, "no bus answers at 127.0.0.1:1"},
		{"own world", []string{"--join", "nats://x@127.0.0.1:1/w", "--world", "pong"}, exitUsage, "--world: a process that joins a world takes it as it is"},
		{"own players", []string{"--join", "nats://x@127.0.0.1:1/w", "--players", "3"}, exitUsage, "--players: a process that joins"},
		{"own parameter", []string{"--join", "nats://x@127.0.0.1:1/w", "-s", "world.walkers=3"}, exitUsage, "--set world.walkers=3: a process that joins"},
		{"two buses", []string{"--join", "nats://x@127.0.0.1:1/w", "--bus", "nats://127.0.0.1:1"}, exitUsage, "--bus: a process that joins"},
		{"bad bus", []string{"--bus", "nats://127.0.0.1:1/w"}, exitUsage, "--bus: a world that begins has no name yet"},
		{"bad address", []string{"--bus-listen", "4222"}, exitUsage, `--bus-listen: "4222" is no address for a bus to listen on`},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, err := serveRun(t, append([]string{"--listen", "127.0.0.1:0"}, c.args...)...)
			if code != c.code || out != "" {
				t.Errorf("exit code %d, output %q", code, out)
			}
			if !strings.Contains(err, c.want) || strings.Count(err, "\n") != 1 {
				t.Errorf("got  %swant %s", err, c.want)
			}
		})
	}
}

// Whoever may see the settings may not therefore join.
func TestTokensAreNotPrinted(t *testing.T) {
	_, out, _ := serveRun(t, "--join", "nats://hush@127.0.0.1:4222/w", "--ice-secret", "hush", "--print-config")
	_, bus, _ := serveRun(t, "--bus", "nats://me:hush@127.0.0.1:4222", "--print-config")
	if strings.Contains(out+bus, "hush") || !hasLine(out, `join: "(not shown)" # --join`) || !hasLine(bus, `bus: "(not shown)" # --bus`) {
		t.Errorf("%s%s", out, bus)
	}
}
