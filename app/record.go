//go:build !js

package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"throng/app/recorder"
	"throng/lab"
	"throng/lab/experiment"
	"throng/world"
)

// Where recordings go, and what they end in.
const (
	recordingsFolder = "recordings"
	commandsFolder   = "commands" // recordings that show nothing but what users do
	recordingEnding  = recorder.Ending
)

// record records the beginning of one run of each point of an experiment, to be watched with throng view.
func (e *environment) record(x *experiment.Experiment, dir string, span time.Duration) error {
	dir = filepath.Join(dir, recordingsFolder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &experiment.UserError{Where: dir, Message: "cannot write: " + err.Error()}
	}
	points := x.Points()
	progress := newProgress(e.stderr, "recording")
	progress.Planned(len(points))
	for _, p := range points {
		p.Setup.Duration, p.Setup.Warmup = min(p.Setup.Duration, world.Time(span)), 0
		if err := lab.Record(e.ctx, p.Setup, e.program.probes(x), experiment.Assignments(p.Params), filepath.Join(dir, recordingName(p.Params))); err != nil {
			progress.Ended(true)
			return err
		}
		progress.Finished(p.Params, 0, nil)
	}
	progress.Ended(false)
	_, err := fmt.Fprintf(e.stdout, "watch: throng view %s\n", dir)
	return err
}

// recordingName is the name of a point's recording: its parameters, in letters that every file system takes.
func recordingName(params []experiment.Param) string {
	name := strings.Join(experiment.Assignments(params), ",")
	if name == "" {
		name = "run"
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".,=-", r) {
			return r
		}
		return '_'
	}, name) + recordingEnding
}
