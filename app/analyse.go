//go:build !js

package app

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"throng/lab/attention"
	"throng/lab/experiment"
	"throng/lab/trace"
	"throng/world"
)

type analyseCommand struct {
	Trace  string        `arg:"" help:"What users did: a file of throng run --save-commands, or any other recording."`
	Area   float64       `default:"25" placeholder:"LENGTH" help:"The side of the areas that the world is divided into, in its unit of length; about a screen. Default: 25."`
	Window time.Duration `default:"10s" placeholder:"SPAN" help:"Commands are held against the first within this time. Default: 10s."`
	Out    string        `short:"o" placeholder:"DIR" help:"Where results go. Default: out/analyse/ and the file's name."`
	JSON   bool          `name:"json" help:"Print the summary as JSON instead of a table."`
}

func (analyseCommand) Help() string {
	return `Where do users have their interests, and how often do they switch? Says how many areas are of high interest to users, that
is have more than 2, 3 or 4 times as many of a user's commands as the average area; and how many commands in 10 s are far
from the first, by distance. Only commands that name a place, by arguments called x and y, are looked at. Writes the same
files as throng run, with a row for each user in results.csv.

Examples:
  throng run aos/interest --quick --save-commands
  throng analyse out/aos/interest-quick/commands/world.workload=wd.throng
  throng analyse out/aos/interest-quick/commands/world.workload=ww.throng --area 64 --json`
}

// The thresholds that are looked at: how much more than average is high, and how far is far, in lengths of an area.
var (
	analysedAbove = []int{2, 3, 4}
	analysedFar   = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
)

func (c *analyseCommand) Run(e *environment) error {
	commands, err := trace.Load(c.Trace)
	if err != nil {
		return &experiment.UserError{Where: c.Trace, Message: strings.TrimPrefix(reason(err), c.Trace+": ")}
	}
	if commands.Damage != nil {
		fmt.Fprintln(e.stderr, "throng: note:", commands.Damage)
	}
	question := attention.Question{Side: c.Area, Above: analysedAbove, Window: world.Time(c.Window)}
	for _, times := range analysedFar {
		question.Distances = append(question.Distances, times*c.Area)
	}
	interest, err := commands.Log().Answer(&question)
	if err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	if len(interest.Users) == 0 {
		return &experiment.UserError{Where: c.Trace, Message: "no command names a place (has arguments called x and y)"}
	}
	name := strings.TrimSuffix(filepath.Base(c.Trace), recordingEnding)
	dir := c.Out
	if dir == "" {
		dir = filepath.Join("out", "analyse", name)
	}
	if err := experiment.CheckOutput(dir); err != nil {
		return err
	}
	result := c.result(name, commands, &question, interest)
	if err := e.write(result, dir); err != nil {
		return err
	}
	return e.print(result, dir, c.JSON)
}

// result writes the answers as those of an experiment in which every user was a run.
func (c *analyseCommand) result(name string, t *trace.Trace, q *attention.Question, in *attention.Interest) *experiment.Result {
	r := &experiment.Result{
		Name: "analyse/" + name, Title: "Where users have their interests",
		About: fmt.Sprintf("%d users gave %d commands that name a place (and %d that name none) within %v, in a world of %d areas with a side of %g. "+
			"An area is of high interest to a user who gave more than above times as many commands there as in the average area. "+
			"A switch is a command farther than distance from the first within %v.",
			len(in.Users), in.Commands, in.Others, t.Span, in.Areas, q.Side, q.Window),
		Source: c.Trace, Seed: t.Header.Seed, Duration: t.Span.String(), Warmup: "0s", Replications: len(in.Users),
		Planned: len(in.Users), Finished: len(in.Users),
		Varying: []string{"above", "areas", "distance"}, Measures: []string{"users", "switches"},
		Plots: []experiment.Plot{
			{X: "areas", Y: "users", By: []string{"above"}, Title: "Users with at least so many areas of high interest"},
			{X: "distance", Y: "switches", Title: "Commands farther than that from the first within " + q.Window.String()},
		},
	}
	for _, p := range t.Header.Params {
		path, value, _ := strings.Cut(p, "=")
		r.Fixed = append(r.Fixed, experiment.Param{Path: path, Value: value, Number: math.NaN()})
	}
	for i, above := range q.Above {
		for _, areas := range countsUpTo(mostAreas(in, i)) {
			r.Points = append(r.Points, usersPoint(in, []experiment.Param{number("above", above), number("areas", areas)}, "users", "%",
				func(u *attention.UserInterest) float64 {
					if u.High[i] >= areas {
						return 100
					}
					return 0
				}))
		}
	}
	for i, distance := range q.Distances {
		at := experiment.Param{Path: "distance", Value: strconv.FormatFloat(distance, 'g', -1, 64), Number: distance}
		r.Points = append(r.Points, usersPoint(in, []experiment.Param{at}, "switches", "",
			func(u *attention.UserInterest) float64 { return u.Switches[i] }))
	}
	return r
}

// mostAreas is how many areas are of high interest to one user at most, by one of the thresholds.
func mostAreas(in *attention.Interest, threshold int) (most int) {
	for _, u := range in.Users {
		most = max(most, u.High[threshold])
	}
	return most
}

// countsUpTo are the numbers that a distribution is shown at: 1, 2, 3, 4, 6, 8, 12, 16 and so on, up to the last at which
// there is something to show.
func countsUpTo(most int) []int {
	counts := []int{1}
	for n, step := 2, 1; n <= most; n += step {
		counts = append(counts, n)
		if n == 4*step {
			step *= 2
		}
	}
	return counts
}

func number(path string, n int) experiment.Param {
	return experiment.Param{Path: path, Value: strconv.Itoa(n), Number: float64(n)}
}

// usersPoint is a point at which every user has a value.
func usersPoint(in *attention.Interest, params []experiment.Param, name, unit string, of func(*attention.UserInterest) float64) experiment.PointResult {
	p := experiment.PointResult{Params: params, All: params}
	for i := range in.Users {
		u := &in.Users[i]
		p.Runs = append(p.Runs, experiment.Run{Replication: int(u.User) - 1,
			Measures: experiment.Measures{{Name: name, Unit: unit, Value: of(u)}}})
	}
	p.Measures = experiment.Summarise(p.Runs)
	return p
}
