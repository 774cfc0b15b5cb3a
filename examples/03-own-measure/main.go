// A measure of one's own, beside those that throng has.
//
// A probe watches a run from outside: it may look at every host's view at any tick, at every packet and every event (see
// lab/sim/observe.go), and has figures to report at the end. The one here asks what a player would: how often do I see
// somebody else where they are not? Without arguments the program compares mechanisms by it; with arguments it is throng with
// one more measure:
//
//	go run ./examples/03-own-measure run adam/delay --quick --json | jq '.points[] | [.params, .measures.astray.mean]'
package main

import (
	"context"
	"os"
	"path/filepath"

	"throng/app"
	"throng/lab/measure"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Astray is a probe: how often hosts show other users' objects farther from where they are to these users themselves than
// the objects are large.
type Astray struct {
	hosts       []*sim.Host // those with a user
	wrong, seen int64       // objects shown in a wrong place, and in any
}

// NewAstray watches a run that is about to start.
func NewAstray(r *sim.Run) *Astray {
	a := &Astray{}
	for _, h := range r.Hosts() {
		if h.Client != nil {
			a.hosts = append(a.hosts, h)
		}
	}
	return a
}

// Begin implements sim.Beginner: the warm-up is over and does not count.
func (a *Astray) Begin(world.Time) { a.wrong, a.seen = 0, 0 }

// Tick implements sim.TickObserver.
func (a *Astray) Tick(world.Time) {
	for _, owner := range a.hosts {
		view := owner.View()
		for object := range view.All() {
			radius := view.Schema().Kinds[object.Kind].Radius
			if object.User != owner.Place.User || radius == 0 {
				continue
			}
			for _, h := range a.hosts {
				// A mechanism may have reasons to show users only part of the world.
				part, partial := h.Node.(mechanism.Holder)
				if h == owner || partial && !part.Holds(object.ID) {
					continue
				}
				a.seen++
				if o := h.View().Get(object.ID); o == nil || !o.Pos.Within(object.Pos, radius) {
					a.wrong++
				}
			}
		}
	}
}

// Report implements measure.Probe.
func (a *Astray) Report(_ world.Time, emit measure.Emit) {
	emit("astray", "%", 100*float64(a.wrong)/float64(a.seen))
}

func main() {
	program := app.Default()
	program.Measures = append(program.Measures, measure.Entry{
		Name:    "astray",
		About:   "how often a user sees somebody else farther away from their place than they are large",
		Figures: []string{"astray"},
		New:     func(r *sim.Run, _ func() *measure.Truth) measure.Probe { return NewAstray(r) },
	})
	if len(os.Args) > 1 {
		app.Main(program)
	}
	results := filepath.Join(os.TempDir(), "throng-own-measure")
	args := []string{"compare", "--quick", "--delay", "200ms", "--out", results}
	os.Exit(app.Run(context.Background(), program, args, os.Stdout, os.Stderr))
}
