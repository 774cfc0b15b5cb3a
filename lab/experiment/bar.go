package experiment

import (
	"fmt"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// NewProgress returns a progress bar with the time left if out is a terminal, and otherwise a line now and then.
func NewProgress(out *os.File, title string) Progress {
	if cwriter.IsTerminal(int(out.Fd())) {
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

func (b *bar) Finished(_ []Param, _ int, failure *Failure) {
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
