package needs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// machine is one with a few programs, in a folder of its own, and with a copy of scripts/setup. Programs that install things note
// how they are called.
type machine struct {
	t    *testing.T
	root string
}

func newMachine(t *testing.T, programs map[string]string) *machine {
	m := &machine{t, t.TempDir()}
	script, err := os.ReadFile("../../scripts/setup")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"bin", "scripts", "web"} {
		if err := os.Mkdir(filepath.Join(m.root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.write("scripts/setup", string(script))
	for _, name := range []string{"bash", "dirname", "tr", "touch", "mkdir"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(m.root, "bin", name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, body := range programs {
		m.write("bin/"+name, "#!"+filepath.Join(m.root, "bin/bash")+"\n"+body+"\n")
	}
	return m
}

func (m *machine) write(name, text string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.root, name), []byte(text), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

// setup runs the script and returns what was installed, what it said and whether it succeeded.
func (m *machine) setup(ci string) (calls, said string, ok bool) {
	m.t.Helper()
	log := filepath.Join(m.root, "log")
	c := exec.Command(filepath.Join(m.root, "bin/bash"), filepath.Join(m.root, "scripts/setup"))
	c.Env = []string{"PATH=" + filepath.Join(m.root, "bin"), "BIN=" + filepath.Join(m.root, "bin"), "LOG=" + log, "CI=" + ci}
	out, err := c.CombinedOutput()
	text, _ := os.ReadFile(log) // there is none if nothing was called
	os.Remove(log)
	return string(text), string(out), err == nil
}

// What the programs of a machine do.
const (
	succeeds = `:`
	notes    = `echo "${0##*/} $*" >> "$LOG"`
	// npm that installs, and knows whether it has.
	installs = `case $1 in
ls) [ -f node_modules/whole ] ;;
*) ` + notes + `; mkdir -p node_modules; touch node_modules/.package-lock.json node_modules/whole ;;
esac`
	// apt-get that makes programs appear.
	apt = notes + `
for p; do case $p in
chromium|nodejs|npm) name=${p%js}; echo "#!$BIN/bash" > "$BIN/$name"; [ $p != npm ] || echo 'mkdir -p node_modules; touch node_modules/.package-lock.json' >> "$BIN/npm" ;;
esac; done`
)

func TestSetupInstallsWhatIsMissing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs scripts")
	}
	whole := map[string]string{"node": succeeds, "npm": installs, "chromium": succeeds, "qemu-aarch64": succeeds, "mcs": succeeds, "mono": succeeds, "godot3-server": succeeds, "id": "echo 0", "dpkg": succeeds, "apt-get": notes}
	with := func(changes map[string]string) map[string]string {
		all := map[string]string{}
		for name, body := range whole {
			all[name] = body
		}
		for name, body := range changes {
			delete(all, name)
			if body != "" {
				all[name] = body
			}
		}
		return all
	}
	const repair = "dpkg --configure -a\napt-get -o DPkg::Lock::Timeout=300 install --fix-broken -y -qq\n"
	dpkg := `[ "$1" = --audit ] || ` + notes
	for name, c := range map[string]struct {
		programs          map[string]string
		before            func(*machine)
		calls, says, inCI string
	}{
		"all is there": {programs: whole, calls: "npm ci --silent --no-audit --no-fund\n"},
		"no browser": {
			programs: with(map[string]string{"chromium": "", "apt-get": apt, "dpkg": dpkg}),
			calls: repair + "apt-get -o DPkg::Lock::Timeout=300 update -qq\napt-get -o DPkg::Lock::Timeout=300 install -y -qq chromium\n" +
				"npm ci --silent --no-audit --no-fund\n",
			says: "installing chromium\n",
		},
		"half configured": {
			programs: with(map[string]string{"dpkg": `[ "$1" = --audit ] && { echo "chromium is half configured"; exit; }; ` + notes}),
			calls:    repair + "npm ci --silent --no-audit --no-fund\n",
			says:     "installing what was left half done\n",
		},
		"npm was interrupted": {
			programs: whole,
			before: func(m *machine) {
				if err := os.MkdirAll(filepath.Join(m.root, "web/node_modules/playwright-core"), 0o755); err != nil {
					t.Fatal(err)
				}
			},
			calls: "npm ci --silent --no-audit --no-fund\n",
		},
		"nobody may install": {
			programs: with(map[string]string{"chromium": "", "id": "echo 1000"}),
			calls:    "npm ci --silent --no-audit --no-fund\n",
			says:     "installing chromium\nnot installed: chromium (on Debian: apt-get install chromium)\n",
			inCI:     "continuous integration leaves nothing out\n",
		},
		"npm fails": {
			programs: with(map[string]string{"npm": "exit 1"}),
			says:     "npm ci failed in web, so nothing can drive a browser\n",
			inCI:     "continuous integration leaves nothing out\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ci := range []string{"", "true"} {
				m := newMachine(t, c.programs)
				if c.before != nil {
					c.before(m)
				}
				calls, said, ok := m.setup(ci)
				end := ""
				if c.inCI != "" {
					end = "tests that need this will be left out\n"
					if ci != "" {
						end = c.inCI
					}
				}
				if calls != c.calls || said != c.says+end || ok != (ci == "" || c.inCI == "") {
					t.Errorf("CI=%q: calls\n%s\nsays\n%s\nsucceeds: %v", ci, calls, said, ok)
				}
				if again, said, _ := m.setup(ci); c.inCI == "" && strings.Contains(again, "npm") {
					t.Errorf("installs again: %s%s", again, said)
				}
			}
		})
	}
}
