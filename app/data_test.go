package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"throng/live/gateway"
	"throng/live/livetest"
)

// info is what a process says about its world.
func (p *process) info(t *testing.T) (i gateway.InfoReply) {
	t.Helper()
	if err := json.Unmarshal([]byte(p.get(t, "/api/info")), &i); err != nil {
		t.Fatal(err)
	}
	return i
}

// A world that was killed goes on from its folder: its time, its people's places, its players. A folder is for one world.
func TestWorldOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	binary, data := build(t), t.TempDir()
	kept := append([]string{"--data", data}, town...)
	first := serve(t, binary, kept...)
	ada := visit(t, first.url)
	ada.watches(t, 3)
	ada.watches(t, ada.user)
	if code, _, said := serveRun(t, "--data", data, "--listen", "127.0.0.1:0"); code == exitOK || !strings.Contains(said, data+": the world that is kept there runs already") {
		t.Errorf("a second world in the same folder: exit code %d: %s", code, said)
	}
	before := first.info(t)
	first.Process.Kill()
	<-first.ended

	code, out, said := dataRun(t, "inspect", data)
	if code != exitOK || !strings.HasPrefix(out, "crowd, shared by central, seed 1\n") {
		t.Errorf("exit code %d: %s%s", code, out, said)
	}
	if code, out, said = dataRun(t, "verify", data); code != exitOK || out != "1 processes' data can be read, and they agree.\n" {
		t.Errorf("exit code %d: %s%s", code, out, said)
	}
	if code, out, said = dataRun(t, "export", data); code != exitOK || strings.Count(out, `"kind":"walker"`) < 12 || !strings.Contains(out, `"x":`) {
		t.Errorf("exit code %d: %s%s", code, out, said)
	}

	again := serve(t, binary, "--data", data, "--set", "bus-patience=2s") // what was said about the world is kept
	if now := again.info(t); now.TimeSeconds < before.TimeSeconds || now.TimeSeconds > before.TimeSeconds+60 {
		t.Errorf("it was %v s, and is %v s", before.TimeSeconds, now.TimeSeconds)
	}
	back := sit(t, "ws"+strings.TrimPrefix(again.url, "http")+"/ws", ada.token)
	if back.user != ada.user {
		t.Errorf("user %d has come back as user %d", ada.user, back.user)
	}
	back.watches(t, back.user)
	back.watches(t, 3)
	again.players(t, 12)
	again.interrupt(t)
	if code, said := again.ends(t); code != exitOK {
		t.Errorf("exit code %d: %s", code, said)
	}
	if code, out, said = dataRun(t, "export", data); code != exitOK || strings.Count(out, `"kind":"walker"`) < 12 {
		t.Errorf("a world that was ended in good order has lost people: exit code %d: %s%s", code, out, said)
	}

	other := []string{"--data", data, "--world", "pong", "--listen", "127.0.0.1:0"}
	if code, _, said := serveRun(t, other...); code != exitUsage || !strings.Contains(said, "--world: "+data+" holds another world: ") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// dataRun runs throng data.
func dataRun(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err livetest.Diary
	code = Run(t.Context(), Default(), append([]string{"data"}, args...), &out, &err)
	return code, out.String(), err.String()
}

// Damage is told with its place, and never taken for an older world.
func TestDamagedDataIsRefused(t *testing.T) {
	t.Parallel()
	binary, data := build(t), t.TempDir()
	serving := serve(t, binary, append([]string{"--data", data}, town...)...)
	visit(t, serving.url).watches(t, 3)
	serving.interrupt(t)
	serving.ends(t)
	own := filepath.Join(data, "1")
	for _, c := range []struct {
		name, file string
		damage     func(text []byte) []byte
		want       string
	}{
		{"half a snapshot", "snapshot", func(b []byte) []byte { return b[:len(b)/2] }, "the snapshot is damaged"},
		{"a flipped bit", "snapshot", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "the snapshot is damaged"},
		{"another version", "process", func(b []byte) []byte { return []byte(strings.Replace(string(b), `"format":2`, `"format":9`, 1)) }, "another version of the program"},
		{"no text", "process", func(b []byte) []byte { return b[:3] }, "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(own, c.file)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			write := func(b []byte) {
				if err := os.WriteFile(name, b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(c.damage(append([]byte(nil), text...)))
			defer write(text)
			for _, what := range [][]string{{"data", "verify", data}, {"serve", "--data", data, "--listen", "127.0.0.1:0", "--admin-listen", "off"}} {
				var out, said livetest.Diary
				if code := Run(t.Context(), Default(), what, &out, &said); code == exitOK || !strings.Contains(said.String(), c.want) || !strings.Contains(said.String(), name) {
					t.Errorf("%q: exit code %d: %s", what, code, said.String())
				}
			}
		})
	}
	if code, _, said := dataRun(t, "verify", data); code != exitOK {
		t.Errorf("exit code %d: %s", code, said)
	}
	if code, _, said := dataRun(t, "inspect", t.TempDir()); code != exitUsage || !strings.Contains(said, "holds no world") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
