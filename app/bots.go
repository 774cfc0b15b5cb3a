//go:build !js

package app

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/vbauerster/mpb/v8/cwriter"

	"throng/lab/experiment"
	"throng/live/bots"
	"throng/live/gateway"
)

type botsCommand struct {
	URL   string `arg:"" optional:"" default:"http://127.0.0.1:8081" help:"Address of the server: the one for operators, where nobody is limited by address, or the one of its page. Default: http://127.0.0.1:8081."`
	Room  string `placeholder:"NAME" help:"The room that they enter, where the server has several. Default: the first."`
	Token string `env:"THRONG_ADMIN_TOKEN" placeholder:"TEXT" help:"The server's admin token, if it has one: without it users from one address are limited."`

	Users    int           `short:"n" default:"100" placeholder:"N" help:"How many users join. Default: 100."`
	Duration time.Duration `short:"d" default:"30s" placeholder:"TIME" help:"How long to measure. Default: 30s."`
	Ramp     time.Duration `default:"5s" placeholder:"TIME" help:"Over how long they join. Default: 5s."`
	Settle   time.Duration `default:"2s" placeholder:"TIME" help:"How long after that measuring begins. Default: 2s."`
	Light    bool          `help:"Let only a few clients be whole ones, also below 200 users; above, that is so anyway."`
	Whole    int           `placeholder:"N" help:"How many whole clients there are among light ones. Default: 32."`
	Direct   bool          `help:"Let users connect to each other where the mechanism has them talk (loose, optimistic, zonal), instead of by the server, which must let them (throng serve --direct)."`
	Idle     bool          `help:"Let users do nothing but be there."`
	Seed     uint64        `default:"1" help:"What users' choices are derived from. Default: 1."`
	JSON     bool          `name:"json" help:"Print the report as JSON instead of a table."`
}

func (botsCommand) Help() string {
	return `Users are what the world's artificial players are, over real WebSockets, all from this one process. Whole clients run the
mechanism's own node and measure; light ones send and acknowledge the same, but keep no view.

The observation delay is the time from a user's action to another whole client that has received its effect. It is only
known under mechanisms whose clients report others' actions, such as central and optimistic.

Updates are due to everybody at the mechanism's rate as long as everything moves; where little does, fewer are sent.

Look at the own load first: where it is near a whole processor, or clients are woken late, the figures tell of this
process and not of the server.

Examples:
  throng bots --users 500
  throng bots http://10.0.0.7:8080 --users 100 --ramp 20s --duration 1m
  throng bots --users 200 --json | jq .delay.p90`
}

func (c *botsCommand) Run(e *environment) error {
	show, end := e.watch()
	report, err := bots.Run(e.ctx, bots.Config{
		URL: strings.TrimRight(c.URL, "/") + gateway.RoomPath(c.Room), Token: c.Token, Users: c.Users, Whole: c.Whole, Light: c.Light, Idle: c.Idle, Direct: c.Direct,
		Ramp: c.Ramp, Settle: c.Settle, Duration: c.Duration, Seed: c.Seed, Progress: show,
	}, e.program.Catalog)
	end()
	switch {
	case e.ctx.Err() != nil && report == nil:
		return errInterrupted
	case err != nil:
		return &experiment.UserError{Message: err.Error()}
	}
	if c.JSON {
		encoder := json.NewEncoder(e.stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(report)
	} else {
		err = report.Write(e.stdout)
	}
	if err == nil && e.ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// watch shows how bots fare: on a terminal in one line that changes, elsewhere in a line now and then.
func (e *environment) watch() (show func(bots.Progress), end func()) {
	if f, ok := e.stderr.(*os.File); ok && cwriter.IsTerminal(int(f.Fd())) {
		return func(p bots.Progress) { fmt.Fprint(f, "\r", progressLine(p), "\x1b[K") }, func() { fmt.Fprint(f, "\r\x1b[K") }
	}
	return everyNth(e.stderr, 5), func() {}
}

// everyNth shows one report in n.
func everyNth(w io.Writer, n int) func(bots.Progress) {
	count := 0
	return func(p bots.Progress) {
		if count%n == 0 {
			fmt.Fprintln(w, progressLine(p))
		}
		count++
	}
}

func progressLine(p bots.Progress) string {
	line := fmt.Sprintf("%s for %d s: %d users", p.Phase, int(p.Passed.Seconds()), p.Users)
	if p.Delay.Count > 0 {
		line += fmt.Sprintf(", observation delay %v", p.Delay)
	}
	if p.Late.P90 > 10 {
		line += fmt.Sprintf(", clients woken late by %v", p.Late)
	}
	return line
}
