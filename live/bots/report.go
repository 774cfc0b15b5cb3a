package bots

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"throng/live/bots/fleet"
	"throng/live/direct"
)

// Report is what a run has shown.
type Report struct {
	World     string `json:"world"`
	Mechanism string `json:"mechanism"`

	Users  int `json:"users"`  // asked for
	Joined int `json:"joined"` // in the world when measuring began
	Stayed int `json:"stayed"` // and still there at the end
	Whole  int `json:"whole"`  // of them, with a whole client: those who measure

	Began   time.Time `json:"began"` // measuring
	Seconds float64   `json:"seconds"`

	Delay     Spread  `json:"delay"`     // from a user's action to another who has received its effect
	Overtaken float64 `json:"overtaken"` // part of the actions whose effects were not received, since those of later ones were
	Response  Spread  `json:"response"`  // from a user's action to its final effect in the user's own view
	Dropped   int64   `json:"dropped"`   // actions that were given up
	Gaps      Spread  `json:"gaps"`      // between two updates, of those who have kept their connections
	Returns   Spread  `json:"returns"`   // from the loss of a connection to the first update over another one
	Renewed   int64   `json:"renewed"`   // of those who have come back, with a new node
	Stalls    Spread  `json:"stalls"`    // times that clients stood still for want of something from servers
	Updates   Updates `json:"updates"`   // that reached clients
	Bytes     Bytes   `json:"bytes"`
	Load      Load    `json:"load"`

	Direct direct.Counts `json:"direct"` // what went from client to client, since joining
	Levels []Spread      `json:"levels"` // age of what was passed on by users, by how often; the last for more often

	Simulating int    `json:"simulating,omitempty"` // clients that run part of the world themselves
	Promotions Spread `json:"promotions"`           // how long it took them until they did, since joining
	Demotions  int64  `json:"demotions"`            // how often one had to cease to, since it did not keep up

	Failures map[string]int `json:"failures"` // connections that did not come about, by reason
	Goodbyes map[string]int `json:"goodbyes"` // connections that ended, by reason

	Shown []Band `json:"shown,omitempty"` // how well others are shown, the nearest first
}

// Spread describes durations, in milliseconds.
type Spread struct {
	Count int64   `json:"count"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// SpreadOf describes what a histogram has counted.
func SpreadOf(h *fleet.Histogram) Spread {
	return Spread{
		Count: h.Count(),
		Mean:  milliseconds(h.Mean()),
		P50:   milliseconds(h.Percentile(50)),
		P90:   milliseconds(h.Percentile(90)),
		P99:   milliseconds(h.Percentile(99)),
		Max:   milliseconds(h.Max()),
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Updates compares what reached clients with what should have.
type Updates struct {
	Interval  float64 `json:"interval"` // at which each client should get one, in milliseconds
	Due       int64   `json:"due"`
	Delivered int64   `json:"delivered"`
	Least     float64 `json:"least"` // what the tenth of all clients got on average that got least, over what all did
}

// count adds up what each client got.
func (u *Updates) count(served []int64) {
	slices.Sort(served)
	least, tenth := int64(0), (len(served)+9)/10
	for i, n := range served {
		u.Delivered += n
		if i < tenth {
			least += n
		}
	}
	if u.Delivered > 0 {
		u.Least = float64(least) / float64(tenth) * float64(len(served)) / float64(u.Delivered)
	}
}

// Share is the part of the updates due that was delivered.
func (u Updates) Share() float64 {
	if u.Due == 0 {
		return 0
	}
	return float64(u.Delivered) / float64(u.Due)
}

// Bytes is what a user costs in bytes per second, WebSocket headers included.
type Bytes struct {
	In  float64 `json:"in"` // to the user
	Out float64 `json:"out"`

	Said float64 `json:"said"` // of what is from the user, the payloads of datagrams alone
}

// Load is how hard the artificial users themselves were to run. Where they want a whole processor or are late, they are what
// limits the figures, not the server.
type Load struct {
	CPU  float64 `json:"cpu"`  // processors used
	Late Spread  `json:"late"` // how late clients were woken
}

// Band is how well those at a certain distance are shown.
type Band struct {
	From  float64 `json:"from"` // in the world's unit of length
	To    float64 `json:"to"`
	InIt  int64   `json:"in"`    // others who were there, added up over all looks
	Seen  int64   `json:"seen"`  // of them, shown at all
	Age   Spread  `json:"age"`   // of what is shown: the time since the newest action that shows
	Error Lengths `json:"error"` // distance of where they are shown from where they are
}

// Lengths describes distances, in the world's unit of length.
type Lengths struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
}

// Write writes the report as a table.
func (r *Report) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	row("world", "%s under %s", r.World, r.Mechanism)
	row("users", "%d asked for, %d joined, %d stayed; %d with whole clients", r.Users, r.Joined, r.Stayed, r.Whole)
	row("measured", "%.1f s", r.Seconds)
	if r.Delay.Count > 0 {
		row("observation delay", "%s; %.1f%% of actions overtaken by later ones", r.Delay, 100*r.Overtaken)
	} else {
		row("observation delay", "not known: no client reported another's action (see throng bots --help)")
	}
	if r.Response.Count > 0 {
		row("response", "%s; %d actions were given up", r.Response, r.Dropped)
	}
	if r.Simulating > 0 {
		row("simulating", "%d clients; %d times one began under way, which took %s", r.Simulating, r.Promotions.Count, r.Promotions)
	}
	if sent := r.Direct.Direct + r.Direct.Relayed; sent > 0 {
		row("between users", "%.1f%% of %d datagrams went directly; %d connections, %d did not come about", 100*r.Direct.Share(), sent, r.Direct.Opened, r.Direct.Failed)
	}
	for hops, s := range r.Levels {
		if s.Count > 0 {
			row(fmt.Sprintf("passed on %d times", hops), "%s", s)
		}
	}
	row("updates delivered", "%.1f%% of one every %.0f ms to each", 100*r.Updates.Share(), r.Updates.Interval)
	if r.Returns.Count > 0 {
		row("came back", "%d times after %s, %.0f ms at most; %d with a new node", r.Returns.Count, r.Returns, r.Returns.Max, r.Renewed)
	}
	row("longest gap", "%.0f ms without an update", r.Gaps.Max)
	row("bytes per user", "%.0f B/s in, %.0f B/s out", r.Bytes.In, r.Bytes.Out)
	row("own load", "%.0f%% of a processor, late by %s", 100*r.Load.CPU, r.Load.Late)
	reasons(row, "not connected", r.Failures)
	reasons(row, "connection lost", r.Goodbyes)
	if err := t.Flush(); err != nil || len(r.Shown) == 0 {
		return err
	}
	fmt.Fprintln(w, "\nhow others are shown, by how far away they are")
	return r.WriteShown(w)
}

// WriteShown writes how others are shown as a table.
func (r *Report) WriteShown(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "distance\tshown\tage p50\tp90\terror p50\tp90")
	for _, b := range r.Shown {
		if b.InIt == 0 {
			continue
		}
		fmt.Fprintf(t, "%.0f–%.0f\t%.1f%%\t%.0f ms\t%.0f ms\t%.2f\t%.2f\n", b.From, b.To,
			100*float64(b.Seen)/float64(b.InIt), b.Age.P50, b.Age.P90, b.Error.P50, b.Error.P90)
	}
	return t.Flush()
}

func (s Spread) String() string {
	return fmt.Sprintf("p50 %.1f ms, p90 %.1f ms, p99 %.1f ms", s.P50, s.P90, s.P99)
}

func reasons(row func(name, format string, args ...any), name string, counts map[string]int) {
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		row(name, "%d: %s", counts[reason], reason)
	}
}
