package experiment

import (
	"fmt"
	"io"
	"time"
)

// Progress is told how a run gets on, from one goroutine.
type Progress interface {
	// Planned says how many runs there are to be in all: at the beginning, and again when precision asks for more.
	Planned(runs int)
	// Finished says that a run at the point with these parameters has ended; failure is nil if it ended well.
	Finished(params []Param, replication int, failure *Failure)
	// Ended says that nothing more will come.
	Ended(interrupted bool)
}

type silent struct{}

func (silent) Planned(int)                     {}
func (silent) Finished([]Param, int, *Failure) {}
func (silent) Ended(bool)                      {}

// lines shows progress where nobody watches: a line for each tenth.
type lines struct {
	out   io.Writer
	title string
	now   func() time.Time

	planned, done, tenths int
	start                 time.Time
}

func (l *lines) Planned(runs int) {
	if l.planned == 0 {
		l.start = l.now()
		fmt.Fprintf(l.out, "%s: %d runs\n", l.title, runs)
	}
	l.planned = runs
	l.tenths = l.done * 10 / l.planned
}

func (l *lines) Finished(_ []Param, _ int, failure *Failure) {
	if failure != nil {
		fmt.Fprintln(l.out, failure)
	}
	l.done++
	if tenths := l.done * 10 / l.planned; tenths > l.tenths && l.done < l.planned {
		l.tenths = tenths
		perRun := l.now().Sub(l.start) / time.Duration(l.done)
		left := perRun * time.Duration(l.planned-l.done)
		fmt.Fprintf(l.out, "%s: %d of %d runs, %s left\n", l.title, l.done, l.planned, left.Round(time.Second))
	}
}

func (l *lines) Ended(interrupted bool) {
	verb := "done"
	if interrupted {
		verb = "interrupted"
	}
	fmt.Fprintf(l.out, "%s: %s after %d of %d runs, %s\n", l.title, verb, l.done, l.planned, l.now().Sub(l.start).Round(time.Millisecond))
}
