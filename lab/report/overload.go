package report

import (
	"fmt"
	"math"
	"strings"

	"throng/lab/experiment"
	"throng/lab/measure"
)

// overload is a point at which some host's link was given more than it carries.
type overload struct {
	Where string
	Up    string // by how many times in each direction; empty where it was not
	Down  string
}

// String says it in a line.
func (o overload) String() string {
	text := o.Where + ": "
	if o.Where == "" {
		text = ""
	}
	switch {
	case o.Down == "":
		return text + o.Up + " times from a host"
	case o.Up == "":
		return text + o.Down + " times to a host"
	}
	return fmt.Sprintf("%s%s times from a host, %s times to one", text, o.Up, o.Down)
}

// overloadWarning is what such points have in common.
const overloadWarning = "Links were given more than they carry: what waits grows until packets are dropped, and figures show that as much as the mechanism."

// overloads finds such points.
func overloads(r *experiment.Result) (all []overload) {
	for i := range r.Points {
		p := &r.Points[i]
		o := overload{Where: pointName(p.Params), Up: excess(p, measure.LoadUp), Down: excess(p, measure.LoadDown)}
		if o.Up != "" || o.Down != "" {
			all = append(all, o)
		}
	}
	return all
}

// pointName tells a point from others so that it can be asked for again.
func pointName(params []experiment.Param) string {
	var parts []string
	for _, p := range params {
		if p.Value != "" {
			parts = append(parts, p.Path+"="+p.Value)
		}
	}
	return strings.Join(parts, " ")
}

func excess(p *experiment.PointResult, name string) string {
	s, ok := p.Measure(name)
	if !ok || !(s.Mean > 1) {
		return ""
	}
	return formatNumber(math.Round(s.Mean*100) / 100)
}
