package churn

import (
	"strings"

	"throng/world"
	"throng/world/fixed"
)

// Config is what happens in the runs of an experiment: a plan, and rates that an experiment can vary.
type Config struct {
	Events string `param:"events" join:";" help:"what happens when, such as 'at 30s: crash server 2, back after 5s'; docs/churn.md describes the language"`

	Arrive fixed.F `param:"arrive" default:"0" unit:"1/s" range:"0..100000" help:"users who arrive, at random, throughout the run"`
	Leave  fixed.F `param:"leave" default:"0" unit:"1/s" range:"0..100000" help:"users who leave, at random"`

	Crash  fixed.F    `param:"crash" default:"0" unit:"1/s" range:"0..100000" help:"users' nodes that crash, at random"`
	Back   world.Time `param:"back-after" default:"5s" range:"0s..1000000s" help:"how long after a crash they return"`
	Memory bool       `param:"with-memory" default:"false" help:"whether they return as they were, like a suspended laptop, or start anew"`

	ServerCrash fixed.F    `param:"server-crash" default:"0" unit:"1/s" range:"0..1000" help:"nodes with the role server that crash, at random"`
	ServerBack  world.Time `param:"server-back-after" default:"5s" range:"0s..1000000s" help:"how long after a crash a server returns, with an empty memory"`
}

// Validate reads the plan.
func (c *Config) Validate() error {
	_, err := Parse(c.Events)
	return err
}

// CheckItem says what is wrong with one of several texts that a parameter is joined from.
func (c *Config) CheckItem(_, item string) error {
	_, err := Parse(item)
	return err
}

// Add appends a statement to the plan.
func (c *Config) Add(statement string) {
	c.Events = strings.TrimPrefix(c.Events+"; "+statement, "; ")
}

// Plan is what the parameters say, the rates last.
func (c *Config) Plan() (Plan, error) {
	p, err := Parse(c.Events)
	if err != nil {
		return Plan{}, err
	}
	user := Who{Noun: nounUser, Count: 1}
	p.atRate("churn.arrive", c.Arrive, Clause{Verb: VerbArrive, Who: user})
	p.atRate("churn.leave", c.Leave, Clause{Verb: VerbLeave, Who: user})
	p.atRate("churn.crash", c.Crash, Clause{Verb: VerbCrash, Who: user, Back: true, After: c.Back, Memory: c.Memory})
	p.atRate("churn.server-crash", c.ServerCrash,
		Clause{Verb: VerbCrash, Who: Who{Noun: "server", Count: 1}, Back: true, After: c.ServerBack})
	return p, nil
}

// atRate adds what happens at random throughout a run. Its streams are named by the parameter and not by its value: where the
// rate is varied, the same happens sooner or later.
func (p *Plan) atRate(name string, perSecond fixed.F, c Clause) {
	if perSecond == 0 {
		return
	}
	c.Rate = max(gapMin, world.Time(fixed.F(world.Second).Div(perSecond)))
	p.Statements = append(p.Statements, Statement{Text: name, When: When{To: never, Whole: true}, Clauses: []Clause{c}})
}
