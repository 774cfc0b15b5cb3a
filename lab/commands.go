package lab

import (
	"io"

	"throng/lab/experiment"
	"throng/lab/record"
	"throng/lab/sim"
	"throng/lab/trace"
)

// KeepCommands keeps the actions of the first run of each point, in the file that the function names.
func KeepCommands(file func(s experiment.Setup) string) Keeper {
	return func(r *sim.Run, s experiment.Setup) (io.Closer, error) {
		if s.Replication > 0 {
			return nil, nil
		}
		return trace.Save(r, file(s), record.Options{Mechanism: s.Mechanism.Name, Network: s.Network.Name,
			Params: experiment.Assignments(s.Params())})
	}
}

// CheckCommands says why the commands that the runs of some points are to be given again are not for them.
func CheckCommands(points []experiment.Point) error {
	var commands *trace.Trace
	for _, p := range points {
		if p.Setup.Commands == "" {
			continue
		}
		var err error
		if commands == nil { // all points have the same
			if commands, err = trace.Load(p.Setup.Commands); err != nil {
				return err
			}
		}
		w, err := p.Setup.World.Build()
		if err != nil {
			return err
		}
		if err := commands.Check(w, experiment.Assignments(p.Setup.Params())); err != nil {
			return err
		}
	}
	return nil
}
