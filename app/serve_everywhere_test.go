package app

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"throng/catalog"
	"throng/live/thin"
	"throng/mechanism"
	"throng/world"
)

// inside waits until a visitor is in the world: is in its own view, sees it go on, acts, and what it does takes effect.
func (v *visitor) inside(t *testing.T) {
	t.Helper()
	present := func() (present bool, tick world.Tick) {
		v.runner.Do(func(m *mechanism.Machine) {
			if m.Ready() {
				present, tick = world.Present(m.View(), v.user), m.View().Tick()
			}
		})
		return present, tick
	}
	var first world.Tick
	soon(t, "the visitor is in the world", func() (in bool) { in, first = present(); return in })
	soon(t, "the visitor sees it go on", func() bool { in, tick := present(); return in && tick > first+3 })
	v.runner.Act(world.Action{}) // the first verb: not all players have something to do
	soon(t, "the visitor acts", func() bool { return v.acts.Load() > 0 && v.done.Load() > 0 })
}

// People join, act, leave and join again in every world under every mechanism. Where nobody can join while the world runs they are
// told so.
func TestEverybodyCanJoinEverywhere(t *testing.T) {
	c := catalog.Default()
	for _, m := range c.Mechanisms {
		if _, ideal := m.New().(mechanism.Idealised); ideal {
			continue
		}
		for _, w := range c.Worlds {
			t.Run(m.Name+"/"+w.Name, func(t *testing.T) {
				t.Parallel()
				ctx, stop := context.WithCancel(t.Context())
				args := []string{"--listen", "127.0.0.1:0", "--admin-listen", "off", "--no-webtransport", "-w", w.Name, "-m", m.Name}
				switch w.Name {
				case "pong", "shooters": // have as many as they have
				case "crowd":
					args = append(args, "--players", "4", "--set", "world.restless=true")
				default:
					args = append(args, "--players", "4")
				}
				url, ended := started(t, ctx, args...)
				defer func() { stop(); <-ended }()
				resp, err := http.Post(url+"/api/join", "application/json", strings.NewReader("{}"))
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.StatusCode == http.StatusConflict && strings.Contains(string(text), "nobody can join while the world runs") {
					t.Skipf("%s", text)
				}
				ada := visit(t, url)
				ada.inside(t)
				ada.leave(t)
				again := visit(t, url)
				again.inside(t)
				again.leave(t)
				for _, format := range []thin.Format{thin.JSON, thin.MessagePack} {
					eve := visitThinly(t, url, format)
					eve.inside(t)
					eve.leave(t)
				}
			})
		}
	}
}

// soon is livetest.Until with less patience: there are many pairs.
func soon(t *testing.T, what string, so func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for !so() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatal("not in time: " + what)
		}
	}
}
