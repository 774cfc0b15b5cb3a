package main

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"throng/catalog"
	"throng/live/bots"
	"throng/live/cluster"
	"throng/live/livetest"
	"throng/world"
)

// What takes longer than a check may: go test ./live/survive -long, or make survive.
var long = flag.Bool("long", false, "also upgrade a world")

func longTest(t *testing.T) {
	if !*long {
		t.Skip("takes -long")
	}
}

// build compiles a program.
func build(t *testing.T, path string, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "throng")
	args := append(append([]string{"build", "-o", program}, flags...), path)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// town is what a world begins with in these tests.
func town(t *testing.T, c *config) *cast {
	t.Helper()
	w, err := begin(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.end)
	return w
}

// status is how the world's processes stand, as one of them knows it.
func status(url string) (s cluster.Status) {
	answer, err := client.Get(url + "/admin/cluster")
	if err != nil {
		return s
	}
	defer answer.Body.Close()
	json.NewDecoder(answer.Body).Decode(&s)
	return s
}

// crowd has users act in a world until they are told to stop, and then looks for all that they were told to be final.
type crowd struct {
	diary  diary
	stop   context.CancelFunc
	done   sync.WaitGroup
	report *bots.Report
	err    error
}

func visit(t *testing.T, url string, users int) *crowd {
	c := &crowd{diary: diary{final: map[world.User]map[uint32]bool{}}}
	ctx, stop := context.WithCancel(t.Context())
	c.stop = stop
	c.done.Go(func() {
		c.report, c.err = bots.Run(ctx, bots.Config{
			URL: url, Users: users, Whole: users, Ramp: time.Second, Settle: time.Second, Duration: time.Hour, Seed: 1, Confirmed: c.diary.confirmed,
		}, catalog.Default())
	})
	t.Cleanup(c.done.Wait)
	t.Cleanup(stop)
	return c
}

// finals is how many actions were final.
func (c *crowd) finals() (n int) {
	c.diary.mu.Lock()
	defer c.diary.mu.Unlock()
	for _, f := range c.diary.final {
		n += len(f)
	}
	return n
}

// goesOn waits until further actions are final.
func (c *crowd) goesOn(t *testing.T) {
	t.Helper()
	before := c.finals()
	livetest.Until(t, "users act", func() bool { return c.finals() > before+20 })
}

// remembered ends the users' visit, and has everything that they were told be looked for.
func (c *crowd) remembered(t *testing.T, url string) {
	t.Helper()
	c.stop()
	c.done.Wait()
	r := &result{report: c.report}
	if err := r.look(url, &c.diary); err != nil {
		t.Fatal(err)
	}
	if r.lost > 0 || r.twice > 0 || r.confirmed == 0 || !r.checked {
		t.Errorf("of %d confirmed actions %d are lost, %d were carried out twice", r.confirmed, r.lost, r.twice)
	}
}

// One process after the other is replaced by one of another build, while users act: nobody loses anything. A build with other rules is
// refused, and says why.
func TestRollingUpgrade(t *testing.T) {
	longTest(t)
	c := config{program: build(t, "throng/cmd/throng"), world: "crowd", mechanism: "central"}
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(upgrade), 0o600); err != nil {
		t.Fatal(err)
	}
	newer, other := build(t, source), build(t, source, "-ldflags", "-X main.rules=other")
	w := town(t, &c)
	users := visit(t, w.admin(), 9)
	users.goesOn(t)
	old := w.living()
	var fresh []*joined
	url := w.join()
	for _, pid := range old {
		p := joinWorld(t, newer, url)
		fresh = append(fresh, p)
		livetest.Until(t, "the new one is a member", func() bool {
			s := status(p.admin())
			return len(s.Processes) == 4 && s.Processes[3].Member
		})
		syscall.Kill(pid, syscall.SIGTERM)
		livetest.Until(t, "the old one has left", func() bool { s := status(p.admin()); return len(s.Processes) == 3 && s.Leader != 0 })
		users.goesOn(t)
		url = p.join()
	}
	refused := exec.Command(other, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--no-webtransport", "--join", fresh[2].join())
	if out, err := refused.CombinedOutput(); err == nil || !strings.Contains(string(out), "other rules") {
		t.Errorf("a program with other rules: %v, %s", err, out)
	}
	users.goesOn(t)
	users.remembered(t, fresh[2].admin())
}

// upgrade is throng as another build of it: with the same rules, or with others where the linker sets them.
const upgrade = `package main

import (
	"throng/app"
	"throng/catalog"
	"throng/world"
	"throng/worlds/crowd"
)

var rules string

func main() {
	p := app.Default()
	for i := range p.Catalog.Worlds {
		if w := &p.Catalog.Worlds[i]; w.Name == "crowd" && rules != "" {
			w.New = func() catalog.WorldConfig { return new(config) }
		}
	}
	app.Main(p)
}

type config struct{ crowd.Config }

func (c *config) World() (world.World, error) {
	w, err := c.Config.World()
	return lame{w}, err
}

// lame is a world in which nobody moves in every other tick.
type lame struct{ world.World }

func (w lame) Step(s *world.Window) {
	if s.Tick()%2 == 0 {
		w.World.Step(s)
	}
}
`

// joined is a process that has joined a world.
type joined struct {
	said livetest.Diary
}

func joinWorld(t *testing.T, program, url string) *joined {
	t.Helper()
	p := &joined{}
	c := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--no-webtransport",
		"--set", "limits.connections-per-host=100000", "--set", "limits.joins-per-minute=100000", "--join", url)
	c.Stdout, c.Stderr = &p.said, &p.said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	livetest.Until(t, "it lets people in", func() bool { return p.join() != "" })
	return p
}

func (p *joined) admin() string {
	for _, line := range p.said.About("For operators: ") {
		if m := own.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			return m[1]
		}
	}
	return ""
}

func (p *joined) join() string {
	for _, line := range p.said.About(" --join ") {
		_, url, _ := strings.Cut(strings.TrimSpace(line), " --join ")
		return url
	}
	return ""
}
