// Package verdict decides between the cases of an experiment: which keep within limits that somebody states, and which of those is best by which
// figure. Cases share the seeds of their runs, so that they are compared run by run.
package verdict

import (
	"fmt"
	"strconv"
	"strings"
)

// Limit is what a figure may be at most, or must be at least.
type Limit struct {
	Figure string
	Bound  float64 // in the unit of the figure: seconds, bytes
	Least  bool    // the figure must not be below
	Text   string  // as it was given
}

// units are what may follow a number, in units of figures.
var units = map[string]float64{
	"": 1, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60,
	"B": 1, "KB": 1e3, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "%": 0.01,
}

// ParseLimit reads a limit such as response.p90<120ms or score>3. Figures are the ones that there are.
func ParseLimit(text string, known func(figure string) error) (Limit, error) {
	at := strings.IndexAny(text, "<>")
	if at <= 0 {
		return Limit{}, fmt.Errorf("wants a form such as response.p90<120ms or score>3")
	}
	l := Limit{Figure: strings.TrimSpace(text[:at]), Least: text[at] == '>', Text: text}
	if err := known(l.Figure); err != nil {
		return Limit{}, err
	}
	bound, err := ParseValue(strings.TrimPrefix(text[at+1:], "="))
	l.Bound = bound
	return l, err
}

// ParseValue reads a number with a unit, in the unit of figures.
func ParseValue(text string) (float64, error) {
	value := strings.TrimSuffix(strings.TrimSpace(text), "/s")
	end := strings.LastIndexAny(value, "0123456789.") + 1
	number, err := strconv.ParseFloat(value[:end], 64)
	unit, ok := units[strings.TrimSpace(value[end:])]
	if err != nil || !ok {
		return 0, fmt.Errorf("%q is not a number with a unit such as 120ms, 20KB/s or 5%%", strings.TrimSpace(text))
	}
	return number * unit, nil
}

// Format writes a figure as people read it.
func Format(v float64, unit string) string {
	scales := []struct {
		unit   string
		least  float64
		name   string
		factor float64
	}{
		{"s", 1, "s", 1}, {"s", 1e-3, "ms", 1e3}, {"s", 0, "µs", 1e6},
		{"B/s", 1e6, "MB/s", 1e-6}, {"B/s", 1e3, "KB/s", 1e-3}, {"B", 1e6, "MB", 1e-6}, {"B", 1e3, "KB", 1e-3},
	}
	size := max(v, -v)
	for _, s := range scales {
		if s.unit == unit && (size >= s.least && size > 0) {
			return strconv.FormatFloat(v*s.factor, 'g', 3, 64) + " " + s.name
		}
	}
	return strings.TrimSpace(strconv.FormatFloat(v, 'g', 3, 64) + " " + unit)
}
