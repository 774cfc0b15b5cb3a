//go:build !js

package app

import (
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"throng/lab/experiment"
)

// newProgress returns a progress bar with the time left if out is a terminal, and otherwise a line now and then.
func newProgress(out io.Writer, title string) experiment.Progress {
	if terminalWidth(out) > 0 {
		return &bar{title: title, container: mpb.New(mpb.WithOutput(out))}
	}
	return &lines{out: out, title: title, now: time.Now}
}

// bar shows progress on a terminal.
type bar struct {
	title     string
	container *mpb.Progress
	bar       *mpb.Bar
}

func (b *bar) Planned(runs int) {
	if b.bar == nil {
		// A bar that is made without a total does not end before it is told to, so that the total may grow.
		b.bar = b.container.New(0,
			mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("").Padding("░"),
			mpb.PrependDecorators(decor.Name(b.title+"  ")),
			mpb.AppendDecorators(
				decor.CountersNoUnit(" %d of %d runs "),
				decor.OnCompleteOrOnAbort(decor.AverageETA(decor.ET_STYLE_GO), ""),
				decor.OnCompleteOrOnAbort(decor.Name(" left"), ""),
			),
		)
	}
	b.bar.SetTotal(int64(runs), false)
}

func (b *bar) Finished(_ []experiment.Param, _ int, failure *experiment.Failure) {
	if failure != nil {
		fmt.Fprintln(b.container, failure)
	}
	b.bar.Increment()
}

func (b *bar) Ended(interrupted bool) {
	if interrupted {
		b.bar.Abort(false)
	} else {
		b.bar.SetTotal(-1, true)
	}
	b.container.Wait()
}

// lines shows progress where nobody watches: a line for each tenth, but none within seconds of the last one.
type lines struct {
	out   io.Writer
	title string
	now   func() time.Time

	planned, done, tenths int
	start, last           time.Time
}

// lineGap is the least time between two lines.
const lineGap = 2 * time.Second

func (l *lines) Planned(runs int) {
	if l.planned == 0 {
		l.start = l.now()
		l.last = l.start
		fmt.Fprintf(l.out, "%s: %d runs\n", l.title, runs)
	}
	l.planned = runs
	l.tenths = l.done * 10 / l.planned
}

func (l *lines) Finished(_ []experiment.Param, _ int, failure *experiment.Failure) {
	if failure != nil {
		fmt.Fprintln(l.out, failure)
	}
	l.done++
	now := l.now()
	if tenths := l.done * 10 / l.planned; tenths > l.tenths && l.done < l.planned && now.Sub(l.last) >= lineGap {
		l.tenths, l.last = tenths, now
		left := now.Sub(l.start) / time.Duration(l.done) * time.Duration(l.planned-l.done)
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
