// Package attention finds out where users have their interests, judging by the places that their commands name: how many
// areas of the world concern them much, and how often they turn to another place.
package attention

import (
	"fmt"
	"math"

	"throng/world"
	"throng/world/fixed"
)

// Question is what is asked about users' interests.
type Question struct {
	Side      float64    // of the square areas that the world is divided into, in its unit of length
	Above     []int      // how many times the average of all areas makes an area one of high interest
	Window    world.Time // within which commands are held against the first
	Distances []float64  // beyond which a command is a switch of interest
}

// Check says what is wrong with the question.
func (q *Question) Check() error {
	switch {
	case !(q.Side > 0):
		return fmt.Errorf("areas have a side of more than 0, not of %v", q.Side)
	case q.Window <= 0:
		return fmt.Errorf("commands are looked at within a time of more than 0, not of %v", q.Window)
	}
	return nil
}

// Interest is where users have their interests, judging by the places that their commands name.
type Interest struct {
	Areas    int // that the world is divided into
	Commands int // that name a place,
	Others   int // and that name none; they are left out
	Users    []UserInterest
}

// UserInterest is where one user who named places has interests.
type UserInterest struct {
	User     world.User
	High     []int     // for each of Question.Above: how many areas are of high interest
	Switches []float64 // for each of Question.Distances: how many commands in a window lie beyond it from the first, on average
}

// Log gathers what users do in a world.
type Log struct {
	bounds   fixed.Box
	places   places
	users    [][]visit // by user
	commands int
	others   int
}

// NewLog starts a log for a world.
func NewLog(schema *world.Schema) *Log { return &Log{bounds: schema.Bounds, places: newPlaces(schema)} }

// Add notes a command. They come in the order of time.
func (l *Log) Add(now world.Time, a *world.Action) {
	at, ok := l.places.of(a)
	if !ok {
		l.others++
		return
	}
	l.commands++
	for int(a.User) >= len(l.users) {
		l.users = append(l.users, nil)
	}
	l.users[a.User] = append(l.users[a.User], visit{at, now})
}

// Answer answers a question about the users.
//
// A command belongs to the area in which the place lies that it names. An area is of high interest to a user who has more
// than so many times as many commands in it as in all areas of the world on average. Windows follow each other from the
// start; those without a command do not count.
func (l *Log) Answer(q *Question) (*Interest, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	grid := newGrid(l.bounds, q.Side)
	out := &Interest{Areas: grid.columns * grid.rows, Commands: l.commands, Others: l.others}
	for u, visits := range l.users {
		if len(visits) > 0 {
			out.Users = append(out.Users, UserInterest{world.User(u), grid.high(visits, q.Above), switches(visits, q)})
		}
	}
	return out, nil
}

// visit is a command's place and time.
type visit struct {
	at   point
	time world.Time
}

type point struct{ x, y float64 }

func (p point) beyond(o point, d float64) bool {
	dx, dy := p.x-o.x, p.y-o.y
	return float64(dx*dx)+float64(dy*dy) > float64(d*d)
}

// places knows which arguments of which verbs are places: those called x and y. Their natural range stands for the extent
// of the world, in whatever unit.
type places struct {
	bounds fixed.Box
	verbs  []placing
}

type placing struct{ x, y *world.Variable }

func newPlaces(schema *world.Schema) places {
	p := places{schema.Bounds, make([]placing, len(schema.Verbs))}
	for i := range schema.Verbs {
		for j := range schema.Verbs[i].Args {
			switch v := &schema.Verbs[i].Args[j]; {
			case v.Max <= v.Min || int(v.Slot) >= world.MaxArgs:
			case v.Name == "x":
				p.verbs[i].x = v
			case v.Name == "y":
				p.verbs[i].y = v
			}
		}
	}
	return p
}

func (p *places) of(a *world.Action) (point, bool) {
	if int(a.Verb) >= len(p.verbs) || p.verbs[a.Verb].x == nil || p.verbs[a.Verb].y == nil {
		return point{}, false
	}
	v := p.verbs[a.Verb]
	return point{along(p.bounds.Min.X, p.bounds.Max.X, v.x, a), along(p.bounds.Min.Y, p.bounds.Max.Y, v.y, a)}, true
}

// along is the coordinate between two bounds that an argument names.
func along(low, high fixed.F, v *world.Variable, a *world.Action) float64 {
	share := float64(a.Args[v.Slot]-v.Min) / (float64(v.Max) - float64(v.Min))
	return (float64(low) + float64(share*(float64(high)-float64(low)))) / float64(fixed.One)
}

// grid divides the world into areas.
type grid struct {
	low           point
	side          float64
	columns, rows int
}

// gridMax is how many areas there can be along one axis.
const gridMax = 1 << 12

func newGrid(bounds fixed.Box, side float64) grid {
	size := bounds.Size()
	along := func(extent fixed.F) int {
		return int(min(max(math.Ceil(float64(extent)/float64(fixed.One)/side), 1), gridMax))
	}
	return grid{point{float64(bounds.Min.X) / float64(fixed.One), float64(bounds.Min.Y) / float64(fixed.One)}, side, along(size.X), along(size.Y)}
}

func (g *grid) area(p point) int {
	column := min(max(int((p.x-g.low.x)/g.side), 0), g.columns-1)
	row := min(max(int((p.y-g.low.y)/g.side), 0), g.rows-1)
	return row*g.columns + column
}

// high counts the areas with more than so many times the average of commands.
func (g *grid) high(visits []visit, above []int) []int {
	counts := map[int]int{}
	for _, v := range visits {
		counts[g.area(v.at)]++
	}
	areas := make([]int, len(above))
	for i, times := range above {
		for _, n := range counts { // in any order: they are only counted
			if n*g.columns*g.rows > times*len(visits) {
				areas[i]++
			}
		}
	}
	return areas
}

// switches counts, for each distance, the commands in a window that lie beyond it from the window's first.
func switches(visits []visit, q *Question) []float64 {
	beyond := make([]int, len(q.Distances))
	windows := 0
	window := world.Time(-1)
	var first point
	for _, v := range visits {
		if w := v.time / q.Window; w != window {
			window, first = w, v.at
			windows++
			continue
		}
		for i, d := range q.Distances {
			if v.at.beyond(first, d) {
				beyond[i]++
			}
		}
	}
	means := make([]float64, len(beyond))
	for i, n := range beyond {
		means[i] = float64(n) / float64(windows)
	}
	return means
}
