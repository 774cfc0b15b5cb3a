package app

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"throng/live/thin"
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
	reader, writer := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, program, []string{"serve", "--log-level", "error", "--listen", "127.0.0.1:0", "--players", "3"}, writer, io.Discard)
		writer.Close()
	}()
	out := bufio.NewReader(reader)
	first, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	v := visitThinly(t, strings.TrimPrefix(strings.TrimSpace(first), "listening on "), thin.JSON)
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
