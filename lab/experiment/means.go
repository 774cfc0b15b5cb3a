package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// WriteMeans writes one row per point: the varying parameters as experiments write them, how many runs there were, and of every
// measure that tables show the mean and, in the column after it, the half-width of its 95% confidence interval. Before it stands a line with the
// command that repeats it. It is short enough to be kept: the figures of docs/reproductions come from such files.
func (r *Result) WriteMeans(out io.Writer, command string) error {
	if _, err := fmt.Fprintf(out, "# %s\n", command); err != nil {
		return err
	}
	w := csv.NewWriter(out)
	measures := r.measureColumns()
	if len(r.Measures) > 0 {
		measures = slices.DeleteFunc(measures, func(c column) bool { return !slices.Contains(r.Measures, c.name) })
	}
	head := append([]string{}, r.Varying...)
	head = append(head, "n")
	for _, c := range measures {
		head = append(head, c.title(), "±")
	}
	if err := w.Write(head); err != nil {
		return err
	}
	for i := range r.Points {
		p := &r.Points[i]
		row := make([]string, 0, len(head))
		for _, path := range r.Varying {
			q, _ := p.Param(path)
			row = append(row, q.Value)
		}
		row = append(row, strconv.Itoa(len(p.Runs)))
		for _, c := range measures {
			s, ok := p.Measure(c.name)
			if !ok {
				row = append(row, "", "")
				continue
			}
			row = append(row, roundNumber(s.Mean, 6), roundNumber(s.CI95, 2))
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// roundNumber writes a number with some significant digits, and nothing for none.
func roundNumber(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}
