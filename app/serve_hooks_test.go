package app

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"throng/live/thin"
	"throng/live/thin/thinclient"
	"throng/world"
)

// A program around the server hears of who comes, acts and goes, and has a word in it.
func TestHooks(t *testing.T) {
	joined, left, acted, ticked := make(chan Person, 10), make(chan Person, 10), make(chan Act, 1000), make(chan int, 1000)
	program := Default()
	program.Hooks = Hooks{
		Joined: func(l Live, p Person) {
			l.Message("welcome, "+p.Name, p.User)
			joined <- p
		},
		Left: func(_ Live, p Person) { left <- p },
		Acted: func(_ Live, a Act) {
			select {
			case acted <- a:
			default:
			}
		},
		Tick: func(l Live, now world.Time) {
			objects := 0
			l.Objects(func(o *world.Object) bool { objects++; return true })
			select {
			case ticked <- objects:
			default:
			}
		},
	}
	ctx, interrupt := context.WithCancel(t.Context())
	url, ended := hookedUp(t, ctx, program, "--players", "3")
	v := visitThinly(t, url, thin.JSON)
	v.until(t, "the welcome", func() bool { return v.welcome != nil })
	p := <-joined
	if p.Name != "Thin" || float64(p.User) != v.welcome["user"] || p.Account != "" {
		t.Errorf("joined: %+v", p)
	}
	v.until(t, "the program's word", func() bool { return v.notice == "welcome, Thin" })
	v.inside(t)
	for a := range acted {
		if a.User == p.User && a.Verb == "walk" {
			break
		}
	}
	if <-ticked < 3 {
		t.Error("a tick without the walkers")
	}
	v.leave(t)
	if gone := <-left; gone != p {
		t.Errorf("left: %+v", gone)
	}
	interrupt()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// hookedUp has a program's server begin, and returns its address.
func hookedUp(t *testing.T, ctx context.Context, program Program, args ...string) (url string, ended <-chan int) {
	t.Helper()
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, program, append([]string{"serve", "--log-level", "error", "--listen", "127.0.0.1:0"}, args...), writer, io.Discard)
		writer.Close()
	}()
	out := bufio.NewReader(reader)
	first, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	return strings.TrimPrefix(strings.TrimSpace(first), "listening on "), code
}

// Hooks are about all rooms, say which, and show people out there.
func TestHooksOfRooms(t *testing.T) {
	program := Default()
	program.Hooks.Joined = func(l Live, p Person) { l.Kick(p.User, "not in the "+l.Room()) }
	ctx, interrupt := context.WithCancel(t.Context())
	url, ended := hookedUp(t, ctx, program, "--no-webtransport", "--worlds", written(t, twoRooms))
	defer func() { interrupt(); <-ended }()
	for _, room := range []string{"plaza", "duel"} {
		var last thinclient.Message
		for m := range visitThinly(t, url+"/room/"+room, thin.JSON).Messages {
			last = m
		}
		if last["code"] != "kicked" || last["reason"] != "not in the "+room {
			t.Errorf("%s: told %v", room, last)
		}
	}
}

// A program is told of what was saved, and only of that.
func TestHookOfSaving(t *testing.T) {
	var told map[string]string
	h := newHooked(&Hooks{Saved: func(_ Live, what map[string]string) { told = what }}, slog.New(slog.DiscardHandler))
	fails := errors.New("the disk is full")
	if _, err := h.saving(func() (map[string]string, error) { return nil, fails })(); err != fails || len(h.calls) != 0 {
		t.Errorf("%v, and %d calls", err, len(h.calls))
	}
	if _, err := h.saving(func() (map[string]string, error) { return map[string]string{"folder": "x"}, nil })(); err != nil || len(h.calls) != 1 {
		t.Fatalf("%v, and %d calls", err, len(h.calls))
	}
	if (<-h.calls)(nil); told["folder"] != "x" {
		t.Errorf("told %v", told)
	}
	if h.saving(nil) != nil {
		t.Error("what cannot be saved can be")
	}
}
