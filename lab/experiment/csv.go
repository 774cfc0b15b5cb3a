package experiment

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
)

// WriteCSV writes one row per finished run: the varying parameters, which replication it is, its seed, and every measure.
// A column's unit stands in its head, "packets.sent [1/s]", and parameters that are numbers are written in that unit, so
// that a spreadsheet or a data frame can compute with them at once. What a run did not measure is empty. Numbers have as
// many digits as it takes to read back the same number.
func (r *Result) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	params, measures := r.paramColumns(), r.measureColumns()
	var head []string
	for _, c := range params {
		head = append(head, c.title())
	}
	head = append(head, "replication", "seed")
	for _, c := range measures {
		head = append(head, c.title())
	}
	if err := w.Write(head); err != nil {
		return err
	}
	for i := range r.Points {
		p := &r.Points[i]
		for _, run := range p.Runs {
			row := make([]string, 0, len(head))
			for _, c := range params {
				q, ok := p.Param(c.name)
				if ok && c.numeric {
					q.Value = formatNumber(q.Number)
				}
				row = append(row, q.Value)
			}
			row = append(row, strconv.Itoa(run.Replication), strconv.FormatUint(run.Seed, 10))
			for _, c := range measures {
				row = append(row, run.Measures.text(c.name))
			}
			if err := w.Write(row); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

type column struct {
	name, unit string
	numeric    bool
}

func (c column) title() string {
	if c.unit == "" {
		return c.name
	}
	return c.name + " [" + c.unit + "]"
}

// paramColumns has a column for each parameter that varies. It is numeric if the parameter is a number at every point
// that has it.
func (r *Result) paramColumns() []column {
	var out []column
	for _, path := range r.Varying {
		c := column{name: path, numeric: true}
		for i := range r.Points {
			if q, ok := r.Points[i].Param(path); ok {
				c.numeric = c.numeric && !math.IsNaN(q.Number)
				c.unit = q.Unit
			}
		}
		if !c.numeric {
			c.unit = ""
		}
		out = append(out, c)
	}
	return out
}

// measureColumns has a column for each measure of any point, in the order in which they first occur. One that counts
// different things at different points, as the score of different worlds does, has no unit.
func (r *Result) measureColumns() []column {
	var out []column
	for _, p := range r.Points {
		for _, s := range p.Measures {
			i := slices.IndexFunc(out, func(c column) bool { return c.name == s.Name })
			if i < 0 {
				out = append(out, column{name: s.Name, unit: s.Unit})
			} else if out[i].unit != s.Unit {
				out[i].unit = ""
			}
		}
	}
	return out
}

func (m Measures) text(name string) string {
	for _, x := range m {
		if x.Name == name {
			return formatNumber(x.Value)
		}
	}
	return ""
}

func formatNumber(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
