package measure

import (
	"strconv"

	"throng/lab/attention"
	"throng/lab/sim"
	"throng/lab/stats"
	"throng/world"
)

// What is asked about users' interests, as of StarCraft's: areas of about a screen, and the commands of ten seconds.
var interestQuestion = attention.Question{Side: 25, Above: []int{2, 3, 4}, Window: 10 * world.Second,
	Distances: []float64{25, 50, 100, 150, 200}}

func interestFigures() []string {
	var names []string
	for _, above := range interestQuestion.Above {
		names = append(names, "interest.areas."+strconv.Itoa(above))
	}
	for _, distance := range interestQuestion.Distances {
		names = append(names, "interest.switches."+strconv.FormatFloat(distance, 'f', -1, 64))
	}
	return names
}

// Interest measures where users have their interests: how many areas have more than so many times the average of a user's
// commands, and how many commands lie beyond a distance from the first of ten seconds.
type Interest struct {
	schema *world.Schema
	log    *attention.Log
}

// NewInterest watches r.
func NewInterest(r *sim.Run) *Interest {
	schema := r.Start().Schema()
	return &Interest{schema, attention.NewLog(schema)}
}

// Begin implements sim.Beginner.
func (i *Interest) Begin(world.Time) { i.log = attention.NewLog(i.schema) }

// Acted implements sim.ActionObserver.
func (i *Interest) Acted(_ *sim.Host, now world.Time, a *world.Action) { i.log.Add(now, a) }

// Report implements Probe.
func (i *Interest) Report(_ world.Time, emit Emit) {
	found, err := i.log.Answer(&interestQuestion)
	if err != nil {
		panic(err) // the question above makes no sense
	}
	figures := interestFigures()
	mean := func(of func(u *attention.UserInterest) float64) float64 {
		var all stats.Running
		for j := range found.Users {
			all.Add(of(&found.Users[j]))
		}
		return all.Mean()
	}
	for j := range interestQuestion.Above {
		emit(figures[j], "per user", mean(func(u *attention.UserInterest) float64 { return float64(u.High[j]) }))
	}
	figures = figures[len(interestQuestion.Above):]
	for j := range interestQuestion.Distances {
		emit(figures[j], "per 10 s", mean(func(u *attention.UserInterest) float64 { return u.Switches[j] }))
	}
}
