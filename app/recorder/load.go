package recorder

import (
	"math"
	"os"
	"path/filepath"
	"strings"

	"throng/lab/record"
	"throng/live/hub"
	"throng/world"
)

// load is how busy the server is, over the last second.
type load struct {
	hub    *hub.Hub
	at     world.Time
	before hub.Counters
	values [4]float64
}

var loadCurves = [...]record.Label{{Name: "people"}, {Name: "datagrams", Unit: "1/s"}, {Name: "payload", Unit: "B/s"}, {Name: "dropped", Unit: "1/s"}}

// look counts, once a second.
func (l *load) look() {
	now := l.hub.Now()
	passed := now - l.at
	if passed < world.Second && l.at > 0 {
		return
	}
	c := l.hub.Counters()
	rate := func(n int64) float64 { return float64(n) * float64(world.Second) / float64(passed) }
	l.values = [...]float64{float64(c.People), math.NaN(), math.NaN(), math.NaN()}
	if l.at > 0 {
		dropped := c.Full + c.Missed + c.Runners.Dropped - l.before.Full - l.before.Missed - l.before.Runners.Dropped
		l.values = [...]float64{float64(c.People), rate(c.Routed - l.before.Routed), rate(c.Bytes - l.before.Bytes), max(0, rate(dropped))}
	}
	l.at, l.before = now, c
}

func (l *load) curves() (list []record.Curve) {
	for i, label := range loadCurves {
		list = append(list, record.Curve{Name: label.Name, Unit: label.Unit, Value: func() float64 { return l.values[i] }})
	}
	return list
}

// prune removes the oldest recordings of a folder, by their names, until what is left has at most size bytes.
func prune(folder string, size int64) {
	entries, _ := os.ReadDir(folder) // in the order of their names, which begin with the time; where there are none nothing is to be done
	total, sizes := int64(0), make([]int64, len(entries))
	for i, e := range entries {
		if info, err := e.Info(); err == nil && ours(e.Name()) && info.Mode().IsRegular() {
			sizes[i] = info.Size()
			total += sizes[i]
		}
	}
	for i, e := range entries {
		if total <= size {
			return
		}
		if sizes[i] > 0 && os.Remove(filepath.Join(folder, e.Name())) == nil {
			total -= sizes[i]
		}
	}
}

// ours reports whether a file is one that a recorder has written.
func ours(name string) bool {
	name = strings.TrimSuffix(name, record.PartSuffix)
	return strings.HasSuffix(name, Ending) && len(name) > 20 && name[4] == '-' && name[10] == 'T' && strings.Contains(name, "Z-")
}
