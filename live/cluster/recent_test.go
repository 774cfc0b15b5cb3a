package cluster

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"throng/catalog"
	"throng/mechanism"
	"throng/world"
	"throng/worlds/crowd"
)

// What was sent in the last moments is handed to whoever leads next, once and in order; what is older is forgotten, unless nobody led.
func TestRecent(t *testing.T) {
	now := time.Now()
	r := newRecent()
	add := func(text string, after time.Duration, led bool) {
		now = now.Add(after)
		r.add(&mechanism.Message{From: 2, To: 1, Payload: []byte(text)}, led, now)
	}
	taken := func() (texts string) {
		r.take(func(m *mechanism.Message) { texts += string(m.Payload) })
		return texts
	}
	add("a", 0, true)
	add("b", recentTime/2, true)
	add("c", recentTime, true)
	if got := taken(); got != "abc" {
		t.Errorf("%q", got)
	}
	if got := taken(); got != "" {
		t.Errorf("again: %q", got)
	}
	add("a", 0, true)
	add("b", 2*recentTime, true)
	add("c", 2*recentTime, true)
	if got := taken(); got != "bc" {
		t.Errorf("what is long past is there still, or what is not is gone: %q", got)
	}
	for i := range 5 {
		add(fmt.Sprint(i), 2*recentTime, false)
	}
	if got := taken(); got != "01234" {
		t.Errorf("while nobody led: %q", got)
	}
	for range 3 * recentBytes / 1000 {
		r.add(&mechanism.Message{From: 2, To: 1, Payload: make([]byte, 1000)}, false, now)
	}
	if n := len(taken()); n < recentBytes*9/10 || n > recentBytes+2000 {
		t.Errorf("%d bytes are kept while nobody leads", n)
	}
}

// lame is a world in which nobody moves in every other tick.
type lame struct{ world.World }

func (w lame) Step(s *world.Window) {
	if s.Tick()%2 == 0 {
		w.World.Step(s)
	}
}

type lameConfig struct{ crowd.Config }

func (c *lameConfig) World() (world.World, error) {
	w, err := c.Config.World()
	return lame{w}, err
}

// A program that would make another world of the same inputs is not let in, though the world begins alike.
func TestOtherRules(t *testing.T) {
	t.Parallel()
	first := found(t, dense("central"), 1, nil)[0]
	other := settings(nil)
	for i := range other.Catalog.Worlds {
		if w := &other.Catalog.Worlds[i]; w.Name == "crowd" {
			w.New = func() catalog.WorldConfig { return new(lameConfig) }
		}
	}
	k, err := Join(t.Context(), first.JoinURL(), other)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if err := k.Gather(t.Context()); !errors.Is(err, errRules) {
		t.Errorf("it is let in: %v", err)
	}
}
