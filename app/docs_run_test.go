package app

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"throng/experiments"
	"throng/internal/documents"
	"throng/lab"
	"throng/lab/experiment"
	"throng/world"
)

// longCommands has commands run as they are written that otherwise have short forms.
var longCommands = flag.Bool("long-commands", false, "carry out the documents' experiments and comparisons to their ends; that takes hours")

// usersShort is up to how many users the first run of an experiment is carried out for a moment.
const usersShort = 50

// notRun are commands in documents that no test here runs, by what they contain, and why.
var notRun = map[string]string{
	"--join":                            "needs another process: TestWorldInSeveralProcesses",
	"--processes":                       "starts this program again: TestWorldInSeveralProcesses",
	"--wait":                            "waits for another process: TestWorldInSeveralProcesses",
	"--replicas":                        "needs other processes: live/survive",
	"throng bundle":                     "compiles everything: web's TestBundle",
	"throng data":                       "needs a folder of a world: TestWorldOutlivesItsProcess",
	"throng analyse":                    "needs a recorded run: testdata/script",
	"throng verify":                     "all experiments: make verify",
	"throng view":                       "needs a run's folder: testdata/script",
	"throng gym":                        "speaks to a program: TestGym",
	"throng new":                        "web/e2e makes a world, tests it and plays it",
	"--commands out/":                   "needs what an earlier run has kept: testdata/script",
	"throng run adam/delay --quick --r": "records a minute: testdata/script",
}

// TestCommandsInDocumentsRun runs the commands that documents show: servers until they listen, experiments for a moment of their first
// point, everything else to its end.
func TestCommandsInDocumentsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a hundred commands")
	}
	pages := documents.Read(t, root)
	t.Chdir(t.TempDir())
	filesOfDocuments(t, pages)
	count, parser := 0, commandParser(t)
	for _, command := range commandsIn(pages) {
		if slices.ContainsFunc(keysOf(notRun), func(part string) bool { return strings.Contains(command, part) }) {
			continue
		}
		args := shellWords(strings.TrimPrefix(command, "throng "))
		parsed, err := parser.Parse(args)
		if err != nil {
			continue // the name of a command within a sentence; TestCommandsInDocumentsAreRight has read it
		}
		count++
		name, _, _ := strings.Cut(parsed.Command(), " ")
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			runShown(t, name, args)
		})
	}
	if count < 80 {
		t.Errorf("only %d commands", count)
	}
}

// runShown runs a command, in its short form if it has one.
func runShown(t *testing.T, name string, args []string) {
	switch {
	case name == "serve" && !slices.Contains(args, "--print-config"):
		serveShown(t, args)
	case name == "bots":
		botsShown(t, args)
	case *longCommands:
		toTheEnd(t, args)
	case name == "run":
		runMoment(t, args)
	case name == "compare" || name == "tune":
		t.Skip("takes seconds to minutes: -long-commands; testdata/script has short ones")
	default:
		toTheEnd(t, args)
	}
}

func toTheEnd(t *testing.T, args []string) {
	var out bytes.Buffer
	if code := Run(t.Context(), Default(), args, &out, &out); code != exitOK || out.Len() == 0 {
		t.Errorf("exit code %d: %s", code, out.String())
	}
}

// serveShown has a server begin, on any port, and end.
func serveShown(t *testing.T, args []string) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	args = append(slices.Clone(args[1:]), "--listen", "127.0.0.1:0", "--admin-listen", "off")
	if _, ended := printed(t, ctx, 1, args...); ended != nil {
		stop()
		if code := <-ended; code != exitOK {
			t.Errorf("exit code %d", code)
		}
	}
}

// botsShown has two bots visit a server for a moment.
func botsShown(t *testing.T, args []string) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	server := []string{"--listen", "127.0.0.1:0", "--no-webtransport"}
	if slices.Contains(args, "--room") {
		server = append(server, "--worlds", "worlds.yaml")
	} else {
		server = append(server, "--players", "4", "--mechanism", "loose")
	}
	_, operators, ended := startedWithOperators(t, ctx, server...)
	toTheEnd(t, append(slices.Clone(args), "--users", "2", "--duration", "300ms", "--ramp", "100ms", "--settle", "100ms", operators))
	stop()
	<-ended
}

// runMoment carries out the first run of an experiment for a moment of its time, as the command would begin it.
func runMoment(t *testing.T, args []string) {
	var cli commands
	parser, err := kong.New(&cli)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Fatal(err)
	}
	p, o := Default(), &cli.Run.runOptions
	x, err := experiment.Load(experiment.Source{BuiltIn: experiments.Files}, cli.Run.Experiment, experiment.Options{Quick: o.Quick, Set: o.sets(), Event: o.Event, Measures: o.Measure}, p.space())
	if err != nil {
		t.Fatal(err)
	}
	if err := lab.CheckPoints(x.Points()); err != nil {
		t.Fatal(err)
	}
	setup := x.Points()[0].Setup
	w, err := setup.World.Build()
	if err != nil {
		t.Fatal(err)
	}
	if w.Users() > usersShort {
		t.Skipf("%d users take long: -long-commands", w.Users())
	}
	if setup.Churn.Events == "" {
		setup.Warmup, setup.Duration = 0, min(setup.Duration, 300*world.Millisecond)
	}
	if _, err := lab.Trial(p.probes(x))(t.Context(), setup); err != nil {
		t.Error(err)
	}
}

func commandParser(t *testing.T) *kong.Kong {
	t.Helper()
	parser, err := kong.New(new(commands))
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

// commandsIn are all command lines of throng in documents, in which nothing is left open.
func commandsIn(pages []documents.Page) (list []string) {
	quoted, open := regexp.MustCompile("`((?:throng|go run ./cmd/throng) [^`]+)`"), regexp.MustCompile(`[…<]|\b[A-Z]+\b`)
	for _, p := range pages {
		var found []string
		for _, m := range quoted.FindAllStringSubmatch(p.Text, -1) {
			found = append(found, m[1])
		}
		for i, block := range strings.Split(p.Text, "```") {
			for line := range strings.Lines(block) {
				if line, _, _ = strings.Cut(line, " #"); i%2 == 1 {
					found = append(found, strings.TrimSpace(line))
				}
			}
		}
		for _, c := range found {
			c = strings.Replace(c, "go run ./cmd/throng ", "throng ", 1)
			if strings.HasPrefix(c, "throng ") && strings.Count(c, " ") > 0 && !open.MatchString(c) {
				list = append(list, c)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func keysOf(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// filesOfDocuments makes the files that commands in documents name: as the documents show them, or as one would have them.
func filesOfDocuments(t *testing.T, pages []documents.Page) {
	t.Helper()
	write := func(name string, content []byte) {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range pages {
		if filepath.Base(p.Name) == "rooms.md" {
			_, text, _ := strings.Cut(p.Text, "```yaml\n")
			text, _, _ = strings.Cut(text, "```")
			write("worlds.yaml", []byte(text))
		}
	}
	write("secret", bytes.Repeat([]byte("s"), 48))
	write("jwks.json", []byte(`{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`))
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write("fullchain.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
	write("privkey.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
}
