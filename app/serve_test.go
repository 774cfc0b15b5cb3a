package app

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/live/gateway"
	"throng/live/thin"
	"throng/mechanism/lockstep"
)

// serveRun runs throng serve to its end.
func serveRun(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = Run(t.Context(), Default(), append([]string{"serve"}, args...), &out, &err)
	return code, out.String(), err.String()
}

func TestServeComplainsInOneLine(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"world", []string{"--world", "crwd"}, `--world: unknown world "crwd"; did you mean "crowd"?`},
		{"mechanism", []string{"-m", "zzz"}, `--mechanism: unknown mechanism "zzz"; known: `},
		{"idealised", []string{"-m", "ideal"}, "--mechanism: mechanism ideal: the mechanism assumes a network without delay and can only be simulated"},
		{"parameter", []string{"--set", "world.walkrs=3"}, `--set world.walkrs=3: unknown key "world.walkrs"; did you mean "world.walkers"?`},
		{"value", []string{"--set", "world.walkers=many"}, `--set world.walkers=many: world.walkers: "many" is not a whole number`},
		{"range", []string{"--set", "limits.queue=1B"}, `--set limits.queue=1B: limits.queue: "1B" is too small; allowed: 4KiB..64MiB`},
		{"setting", []string{"--set", "lissen=:1"}, `--set lissen=:1: unknown key "lissen"; did you mean "listen"?`},
		{"form", []string{"--set", "world.walkers"}, `--set world.walkers: wants the form path=value`},
		{"together", []string{"--set", "world.earshot=400"}, `world crowd: earshot: a shout is heard at some distance`},
		{"players of pong", []string{"-w", "pong", "--players", "5"}, "--players: the world pong always has the same number of players, not 5"},
		{"nobody at all", []string{"--players", "0", "-m", "loose"}, "--players: under loose nobody could ever join: there is no server, and nobody else to learn of the world from"},
		{"players", []string{"--players", "x"}, `--players: "x" is not a whole number`},
		{"seed", []string{"--seed", "one"}, `--seed: "one" is not a whole number`},
		{"level", []string{"--log-level", "inof"}, `--log-level: "inof" is none of the options; allowed: debug, info, warn, error; did you mean "info"?`},
		{"key alone", []string{"--key", "k.pem"}, "--key: a certificate needs its key, and a key its certificate"},
		{"no certificate", []string{"--cert", "c.pem", "--key", "k.pem"}, "no such file"},
		{"no file", []string{"-c", filepath.Join(dir, "none.yaml")}, "none.yaml: no such file or directory"},
		{"no YAML", []string{"-c", file("bad.yaml", "listen: [")}, "bad.yaml:1: "},
		{"address", []string{"--listen", "8080"}, `--listen: "8080" is not an address such as 127.0.0.1:8080 or :8080`},
		{"port", []string{"--set", "listen=:99999"}, `--set listen=:99999: ":99999" is not an address such as 127.0.0.1:8080 or :8080`},
		{"site", []string{"--origin", "https://a.example,https://b.example/"}, `--origin: "https://b.example/" is not a site such as https://example.org, nor *`},
		{"operators", []string{"--admin-listen", "8081"}, `--admin-listen: "8081" is not an address such as 127.0.0.1:8081, nor off`},
		{"operators elsewhere", []string{"--admin-listen", ":8081"}, "--admin-listen: other machines can reach :8081: set an admin token too, or listen on 127.0.0.1"},
		{"short token", []string{"--admin-token", "sesame"}, "--admin-token: an admin token has at least 16 characters"},
		{"no keys", []string{"--auth", file("short.secret", "hush")}, "short.secret: a secret has at least 32 bytes"},
		{"no accounts", []string{"--auth-issuer", "me"}, "--auth-issuer: says something about accounts' tokens, which nobody is asked for without --auth"},
		{"keys for anybody", []string{"--auth", file("jwks.json", `{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`)}, "jwks.json: a key set needs an audience too"},
		{"no settings", []string{"-c", file("list.yaml", "- listen")}, "list.yaml:1: wants settings such as listen: 127.0.0.1:8080"},
		{"key in file", []string{"-c", file("key.yaml", "world: crowd\nlimits:\n  qeue: 64KiB\n")}, `key.yaml:3: unknown key "limits.qeue"; did you mean "limits.queue"?`},
		{"value in file", []string{"-c", file("value.yaml", "\nworld: {name: crowd, walkers: -1}\n")}, `value.yaml:2: world.walkers: "-1" is too small`},
		{"null in file", []string{"-c", file("null.yaml", "listen:\n")}, "null.yaml:1: listen has no value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, err := serveRun(t, c.args...)
			if code != exitUsage || out != "" {
				t.Errorf("exit code %d, output %q", code, out)
			}
			if !strings.Contains(err, c.want) || strings.Count(err, "\n") != 1 {
				t.Errorf("got  %swant %s", err, c.want)
			}
		})
	}
}

func TestServePrecedence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "serve.yaml")
	text := `
world: {name: swarm, bees: 3, dead: 1s}
listen: 127.0.0.1:1111
limits:
  queue: 8KiB
  patience: 5s
limits.silence: 1m
origin: [https://a.example, https://b.example]
seed: 18446744073709551615
admin-token: a secret of some length
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("THRONG_LIMITS_QUEUE", "16KiB")
	t.Setenv("THRONG_WORLD_DEAD", "2s")
	t.Setenv("THRONG_LISTEN", "127.0.0.1:2222")
	t.Setenv("THRONG_BEHIND_PROXY", "true")
	code, out, err := serveRun(t, "--config", file, "--listen", "127.0.0.1:3333", "--players", "4", "--no-webtransport",
		"--set", "mechanism.interval=50ms", "-m", "loose", "--print-config")
	if code != exitOK || err != "" {
		t.Fatalf("exit code %d: %s", code, err)
	}
	for _, want := range []string{
		"world: swarm # " + file + ":2",
		"world.bees: 4 # --players",
		"world.dead: 2s # THRONG_WORLD_DEAD",
		"world.tick: 50ms # default",
		"mechanism: loose # --mechanism",
		"mechanism.interval: 50ms # --set mechanism.interval=50ms",
		"listen: 127.0.0.1:3333 # --listen",
		"limits.queue: 16KiB # THRONG_LIMITS_QUEUE",
		"limits.patience: 5s # " + file + ":6",
		"limits.silence: 60s # " + file + ":7",
		"limits.frame-max: 16KiB # default",
		`origin: "https://a.example,https://b.example" # ` + file + ":8",
		"seed: 18446744073709551615 # " + file + ":9",
		"behind-proxy: true # THRONG_BEHIND_PROXY",
		"webtransport: false # --no-webtransport",
		`admin-token: "(not shown)" # ` + file + ":10",
	} {
		if !hasLine(out, want) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
}

// hasLine reports whether a text has a line, however wide its gaps.
func hasLine(text, want string) bool {
	for line := range strings.Lines(text) {
		if strings.Join(strings.Fields(line), " ") == want {
			return true
		}
	}
	return false
}

// What is printed can be given back as a file.
func TestPrintedConfigurationIsAFile(t *testing.T) {
	_, first, _ := serveRun(t, "--print-config", "--origin", "*", "-w", "swarm", "-m", "optimistic", "--set", "world.bees=5")
	file := filepath.Join(t.TempDir(), "serve.yaml")
	if err := os.WriteFile(file, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	code, second, err := serveRun(t, "--print-config", "-c", file)
	if code != exitOK {
		t.Fatal(err)
	}
	if strip(first) != strip(second) {
		t.Errorf("was\n%s\nis\n%s", first, second)
	}
}

// strip takes the comments away.
func strip(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		value, _, _ := strings.Cut(line, " # ")
		lines = append(lines, strings.TrimSpace(value))
	}
	return strings.Join(lines, "\n")
}

// What a file says about its world does not hold for another one that is chosen instead.
func TestAnotherWorldThanTheFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "serve.yaml")
	if err := os.WriteFile(file, []byte("world: {name: crowd, walkers: 7}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, err := serveRun(t, "-c", file, "-w", "swarm", "--print-config")
	if code != exitOK || !hasLine(out, "world: swarm # --world") || strings.Contains(out, "walkers") {
		t.Errorf("exit code %d: %s%s", code, err, out)
	}
	if _, out, _ := serveRun(t, "-c", file, "-w", "crowd", "--print-config"); !hasLine(out, "world.walkers: 7 # "+file+":1") {
		t.Errorf("the file's own world: %s", out)
	}
}

func TestVariablesThatAreNoSettings(t *testing.T) {
	t.Setenv("THRONG_LISTN", ":1")
	t.Setenv("THRONG_LISTEN", "127.0.0.1:0")
	t.Setenv("THRONG_SOMETHING_ELSE_ENTIRELY", "1")
	s, err := (&environment{program: Default()}).settings(&serveCommand{})
	if err != nil {
		t.Fatal(err)
	}
	got := s.strangers()
	slices.Sort(got)
	want := []string{
		"THRONG_LISTN is set, but there is no such setting; THRONG_LISTEN is one",
		"THRONG_SOMETHING_ELSE_ENTIRELY is set, but there is no such setting",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestServingPageIsRight reads the commands, the file and the limits that the operators' page shows.
func TestServingPageIsRight(t *testing.T) {
	text, sample := checkPage(t, "../docs/serving.md", 3)
	file := filepath.Join(t.TempDir(), "serve.yaml")
	if err := os.WriteFile(file, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, err := serveRun(t, "-c", file, "--print-config"); code != exitOK {
		t.Error(err)
	}
	for _, f := range param.Describe(new(gateway.Limits)) {
		if !strings.Contains(text, "`"+f.Path+"`") {
			t.Errorf("limits.%s is not explained", f.Path)
		}
	}
}

// started runs throng serve and returns the address that it prints. Its end is sent to the channel when ctx is done.
func started(t *testing.T, ctx context.Context, args ...string) (url string, ended <-chan int) {
	t.Helper()
	lines, ended := printed(t, ctx, 1, args...)
	url, ok := strings.CutPrefix(lines[0], "listening on ")
	if !ok {
		t.Fatalf("the first line is %q", lines[0])
	}
	return url, ended
}

// startedWithOperators has a server begin, and returns where operators come in too.
func startedWithOperators(t *testing.T, ctx context.Context, args ...string) (url, operators string, ended <-chan int) {
	t.Helper()
	lines, ended := printed(t, ctx, 3, append(args, "--admin-listen", "127.0.0.1:0")...)
	operators = strings.TrimSuffix(strings.TrimPrefix(lines[2], forOperators), "/admin")
	return strings.TrimPrefix(lines[0], "listening on "), operators, ended
}

// printed has a server begin, and returns the first lines that it prints.
func printed(t *testing.T, ctx context.Context, n int, args ...string) (lines []string, ended <-chan int) {
	t.Helper()
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, Default(), append([]string{"serve", "--log-level", "error"}, args...), writer, io.Discard)
		writer.Close()
	}()
	out := bufio.NewReader(reader)
	for range n {
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatalf("only %q was printed; exit code %d", lines, <-code)
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	go io.Copy(io.Discard, out)
	return lines, code
}

func TestServeUntilInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--players", "5", "-m", "loose")
	resp, err := http.Get(url + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("ready: %s", resp.Status)
	}
	interrupt()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if _, err := http.Get(url + "/readyz"); err == nil {
		t.Error("still there")
	}
}

// A world may begin with nobody in it.
func TestServeWithoutPlayers(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--players", "0")
	v := visitThinly(t, url, thin.JSON)
	v.inside(t)
	v.leave(t)
	interrupt()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

func TestPortIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	code, out, stderr := serveRun(t, "--listen", l.Addr().String(), "-m", "loose")
	want := "throng: cannot listen on " + l.Addr().String() + ": address already in use\n"
	if code != exitFailed || out != "" || stderr != want {
		t.Errorf("exit code %d, output %q, errors %q", code, out, stderr)
	}

	// The same number may be taken for TCP by somebody else: then another one is tried.
	for taken := true; taken; {
		udp, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer udp.Close()
		address := udp.LocalAddr().String()
		_, _, stderr = serveRun(t, "--listen", address, "-m", "loose")
		taken = stderr == "throng: cannot listen on "+address+": address already in use\n"
	}
	if !strings.Contains(stderr, "for WebTransport (see --no-webtransport): address already in use") {
		t.Errorf("errors %q", stderr)
	}
}

// Where people play, lockstep follows the round trips that there are, unless the operator says otherwise.
func TestMechanismsAreServedAsPeoplePlay(t *testing.T) {
	name := "lockstep"
	for _, test := range []struct {
		set  []string
		want bool
	}{{nil, true}, {[]string{"mechanism.dynamic=false"}, false}} {
		s, err := (&environment{program: Default()}).settings(&serveCommand{Mechanism: &name, Set: test.set})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.mechanism.Config.(*lockstep.Config).Dynamic; got != test.want {
			t.Errorf("with %v: dynamic %v", test.set, got)
		}
	}
}
