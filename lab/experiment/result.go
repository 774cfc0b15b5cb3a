package experiment

import "fmt"

// Result is everything that running an experiment found out, in the order of
// the file: ready to be written, tabulated or drawn.
type Result struct {
	Name   string // as `throng run` knows it, e.g. "adam/delay"
	Title  string
	About  string
	Source string // where the experiment comes from, e.g. "Adam, section 12"; may be empty

	Seed         uint64
	Quick        bool
	Duration     string     // simulated time of one run, e.g. "5000s"
	Warmup       string     // how much of it is not measured
	Replications int        // runs per point; 0 if Precision decides
	Precision    *Precision // nil if Replications decides

	Varying []string // what tells the points apart, in order: the columns of a table
	Fixed   []Param  // every other parameter that has the same value at all points
	Cases   []Case   // what each named case stands for; empty if the experiment has none

	Measures []string // what tables show, in order; empty means everything
	Plots    []Plot
	Points   []PointResult

	Verdict any // what somebody makes of it, for programs; nil for nothing

	Failures    []Failure
	Interrupted bool // the run was cut short; Points hold what had finished
	Planned     int  // runs that were asked for, as far as was known when it ended
	Finished    int  // runs that ended well
}

// Param is one parameter's value.
type Param struct {
	Path   string  // e.g. "network.delay"; "mechanism" for the choice of one; "case" for a case
	Value  string  // canonical text, e.g. "100ms"
	Number float64 // the value in Unit, e.g. 0.1; NaN if it is not a number
	Unit   string  // e.g. "s"
}

// Precision asks for as many runs as it takes to know one measure well enough.
type Precision struct {
	Measure  string
	Relative float64 // half-width of the 95% confidence interval over the mean
	Min, Max int     // runs per point
}

// Case is a named bundle of parameters: those that this case or another one sets.
type Case struct {
	Name string
	Set  []Param
}

// Plot says what to draw. X is a varying parameter, "case" or a measure (then
// the plot is a curve of points with confidence in both directions), Y is a
// measure, and By lists what tells the curves apart.
type Plot struct {
	X, Y  string
	By    []string
	Title string
	LogX  bool
	LogY  bool
}

// PointResult is what was found at one point of the experiment. A parameter that only some cases sweep is missing from
// the points of the others.
type PointResult struct {
	Params    []Param   // those of Result.Varying that this point has, in the same order
	All       []Param   // every parameter, so that the point can be repeated
	Measures  []Summary // in the order in which the runs report them
	Runs      []Run     // the finished ones, by replication
	Imprecise bool      // the wanted precision was not reached with the runs there are
}

// Param returns the varying parameter with this path.
func (p *PointResult) Param(path string) (Param, bool) {
	for _, q := range p.Params {
		if q.Path == path {
			return q, true
		}
	}
	return Param{}, false
}

// Measure returns the summary of the named measure.
func (p *PointResult) Measure(name string) (Summary, bool) {
	for _, s := range p.Measures {
		if s.Name == name {
			return s, true
		}
	}
	return Summary{}, false
}

// Summary condenses one measure over the runs of a point.
type Summary struct {
	Name, Unit string
	Mean       float64 // NaN if no run had a value
	CI95       float64 // half-width of the 95% confidence interval of Mean; NaN for fewer than two values
	Min, Max   float64
	N          int // runs that had a value
}

// Run is one finished replication.
type Run struct {
	Replication int // from 0
	Seed        uint64
	Measures    Measures
}

// Measures are what one run measured, always in the same order.
type Measures []Measure

// Measure is one figure of one run. A value of NaN says that the run had
// nothing to measure (no user acted, say); it is left out of the summary.
type Measure struct {
	Name, Unit string
	Value      float64
}

// Failure is a run that ended with an error or a panic, with what it takes to
// repeat it.
type Failure struct {
	Params      []Param // the point's varying parameters
	Replication int
	Seed        uint64 // the seed of the replication, as the trial got it
	Err         string // one line
	Stack       string // where it panicked; empty for an error
}

// String is one line that says what failed, where and why.
func (f *Failure) String() string {
	where := joinParams(f.Params)
	if where != "" {
		where += ", "
	}
	return fmt.Sprintf("failed: %sreplication %d (seed %d): %s", where, f.Replication, f.Seed, f.Err)
}
