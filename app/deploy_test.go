package app

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"throng/internal/needs"
)

func deployed(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What the files for deployment say is understood by the programs that they are for, as far as that can be told without them.
func TestDeploymentFilesAreSound(t *testing.T) {
	for _, name := range []string{"compose.yaml", "prometheus.yaml", "rules.yaml", "throng.yaml"} {
		var v map[string]any
		if err := yaml.UnmarshalWithOptions(deployed(t, name), &v, yaml.Strict()); err != nil || len(v) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(deployed(t, "grafana.json"), &dashboard); err != nil || len(dashboard.Panels) < 6 {
		t.Errorf("grafana.json: %v", err)
	}
	for _, file := range regexp.MustCompile(`\./([\w.]+):/`).FindAllStringSubmatch(string(deployed(t, "compose.yaml")), -1) {
		deployed(t, file[1])
	}
}

// Where the programs that the files are for are installed, they are asked.
func TestDeploymentFilesByTheirPrograms(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cert, key := selfSigned(t)
	changed := func(name string, pairs ...string) []byte {
		return []byte(strings.NewReplacer(pairs...).Replace(string(deployed(t, name))))
	}
	token := write("token", []byte("a token of some length"))
	site := write("site.conf", changed("nginx.conf", "/etc/ssl/play.example.org/fullchain.pem", write("cert.pem", cert), "/etc/ssl/play.example.org/privkey.pem", write("key.pem", key)))
	main := write("nginx.conf", []byte("pid "+dir+"/pid;\nerror_log stderr;\nevents {}\nhttp {\n  access_log off;\n  include "+site+";\n}\n"))
	rules := write("rules.yaml", deployed(t, "rules.yaml"))
	for _, c := range []struct {
		program, debian string
		args            []string
	}{
		{"nginx", "nginx-light", []string{"-t", "-p", dir, "-e", "stderr", "-c", main}},
		{"promtool", "prometheus", []string{"check", "rules", rules}},
		{"promtool", "prometheus", []string{"check", "config", write("prometheus.yaml", changed("prometheus.yaml", "/etc/prometheus/token", token))}},
		{"systemd-analyze", "systemd", []string{"verify", write("throng.service", changed("throng.service", "/usr/local/bin/throng", "/bin/true"))}},
	} {
		t.Run(c.program+" "+c.args[1], func(t *testing.T) {
			path, err := exec.LookPath(c.program)
			if err != nil {
				needs.LeaveOut(t, c.program+" is not installed (Debian's "+c.debian+")")
			}
			if out, err := exec.Command(path, c.args...).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// selfSigned is a certificate that some program will read, and its key.
func selfSigned(t *testing.T) (cert, key []byte) {
	t.Helper()
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	pair := s.TLS.Certificates[0]
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// The settings that the files give are settings of the server.
func TestDeploymentSettingsAreRight(t *testing.T) {
	var compose struct {
		Services map[string]struct{ Command []string }
	}
	if err := yaml.Unmarshal(deployed(t, "compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	service := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/throng (.*)$`).FindSubmatch(deployed(t, "throng.service"))
	docker := regexp.MustCompile(`(?m)^CMD (.*)$`).FindSubmatch(deployed(t, "Dockerfile"))
	if service == nil || docker == nil {
		t.Fatal("the program is not started")
	}
	var cmd []string
	if err := json.Unmarshal(docker[1], &cmd); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"compose.yaml":   append([]string{"serve", "--admin-token", "0123456789abcdef"}, compose.Services["throng"].Command...),
		"throng.service": strings.Fields(strings.Replace(string(service[1]), "/etc/throng.yaml", "../deploy/throng.yaml", 1)),
		"Dockerfile":     append([]string{"serve"}, cmd...),
	} {
		var out bytes.Buffer
		if code := Run(t.Context(), Default(), append(args, "--print-config"), &out, &out); code != exitOK {
			t.Errorf("%s: %v: exit code %d: %s", name, args, code, out.String())
		}
	}
}

// The metrics in rules and panels are exported.
func TestDeploymentWatchesWhatThereIs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	const token = "0123456789abcdef"
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--admin-token", token, "--no-webtransport", "--players", "2")
	defer func() { stop(); <-ended }()
	request, err := http.NewRequest(http.MethodGet, url+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	metrics, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`throng_\w+`)
	for _, file := range []string{"rules.yaml", "grafana.json"} {
		for _, name := range names.FindAllString(string(deployed(t, file)), -1) {
			name = strings.TrimSuffix(name, "_bucket")
			if !bytes.Contains(metrics, []byte("# TYPE "+name+" ")) {
				t.Errorf("%s: there is no %s", file, name)
			}
		}
	}
}

// The containers that the documents show are of one world: each command is right in its environment, and its data has a place.
func TestContainersInDocumentsAreRight(t *testing.T) {
	page, err := os.ReadFile("../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	const token = "0123456789abcdef"
	text = regexp.MustCompile(`\$\{TOKEN[^}]*\}`).ReplaceAllString(text, token)
	var compose struct {
		Services map[string]struct {
			Command     string
			Environment map[string]string
			Volumes     []string
			Ports       []string
		}
		Volumes map[string]any
	}
	if err := yaml.Unmarshal([]byte(text), &compose); err != nil || len(compose.Services) != 3 {
		t.Fatalf("%d services: %v", len(compose.Services), err)
	}
	ports := map[string]string{}
	for name, s := range compose.Services {
		t.Run(name, func(t *testing.T) {
			for variable, value := range s.Environment {
				t.Setenv(variable, value)
			}
			var out bytes.Buffer
			if code := Run(t.Context(), Default(), append(strings.Fields(s.Command), "--print-config"), &out, &out); code != exitOK {
				t.Errorf("%s: exit code %d: %s", s.Command, code, out.String())
			}
			volume, folder, _ := strings.Cut(s.Volumes[0], ":")
			if _, ok := compose.Volumes[volume]; !ok || folder != s.Environment["THRONG_DATA"] {
				t.Errorf("%s has no place for %s", name, s.Environment["THRONG_DATA"])
			}
			if other := ports[s.Ports[0]]; other != "" || !strings.HasSuffix(s.Environment["THRONG_LISTEN"], strings.TrimLeft(s.Ports[0], "0123456789")) {
				t.Errorf("%s: port %s is taken by %s, or leads nowhere", name, s.Ports[0], other)
			}
			ports[s.Ports[0]] = name
			if _, url, joins := strings.Cut(s.Command, "--join "); joins && !strings.HasPrefix(url, "throng://"+s.Environment["THRONG_CLUSTER_TOKEN"]+"@") {
				t.Errorf("%s joins with another token: %s", name, url)
			}
		})
	}
}
