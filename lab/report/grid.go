package report

import (
	"math"
	"slices"
	"strconv"

	"throng/lab/experiment"
)

// grid is the table of the page: a row per point, a column per varying parameter and per measure.
type grid struct {
	Params    []heading
	Measures  []heading
	Rows      []row
	Imprecise bool // some point did not reach the wanted precision
}

type heading struct {
	Name, Unit string
	Numeric    bool
	About      string // what a measure is
}

type row struct {
	Params    []cell
	Runs      int
	Cells     []cell
	Imprecise bool
}

// cell is one value; Sort is what it is ordered by, empty where there is no value.
type cell struct {
	Value, Interval string
	Sort            string
	Detail          string
	Numeric         bool
	Sure            bool // of a difference: it is beyond chance
}

func newGrid(r *experiment.Result) grid {
	var g grid
	for _, path := range r.Varying {
		g.Params = append(g.Params, heading{Name: path, Numeric: numeric(r, path)})
	}
	columns := measureColumns(r)
	for _, c := range columns {
		g.Measures = append(g.Measures, heading{Name: c.name, Unit: c.unit.name, Numeric: true})
	}
	for i := range r.Points {
		p := &r.Points[i]
		row := row{Runs: len(p.Runs), Imprecise: p.Imprecise}
		for _, path := range r.Varying {
			row.Params = append(row.Params, paramCell(param(p, path)))
		}
		for _, c := range columns {
			row.Cells = append(row.Cells, measureCell(p, c))
		}
		g.Rows = append(g.Rows, row)
	}
	g.Imprecise = slices.ContainsFunc(g.Rows, func(r row) bool { return r.Imprecise })
	return g
}

// define has the headings of measures say what these are.
func (g *grid) define(definition func(figure string) string) {
	for i := range g.Measures {
		g.Measures[i].About = definition(g.Measures[i].Name)
	}
}

// Defined reports whether anything says what the measures are.
func (g grid) Defined() bool {
	return slices.ContainsFunc(g.Measures, func(h heading) bool { return h.About != "" })
}

func paramCell(p experiment.Param) cell {
	if math.IsNaN(p.Number) {
		return cell{Value: p.Value, Sort: p.Value}
	}
	return cell{Value: p.Value, Sort: sortKey(p.Number), Numeric: true}
}

func measureCell(p *experiment.PointResult, c column) cell {
	e, ok := measured(p, c)
	if !ok {
		return cell{Value: "–", Numeric: true}
	}
	value, interval := formatEstimate(e.mean, e.ci, e.n)
	return cell{
		Value: value, Interval: interval, Sort: sortKey(e.mean), Numeric: true,
		Detail: e.detail(),
	}
}

func sortKey(v float64) string {
	return strconv.FormatFloat(v, 'g', -1, 64)
}
