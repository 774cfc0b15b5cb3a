package experiment

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
