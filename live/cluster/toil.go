package cluster

import "time"

// toil is how long it would take to carry out the log again: whoever begins anew, or joins, must do that before anything else. The log of a
// large world in which little happens can be short and yet the work of hours.
type toil struct {
	began time.Time     // when the process did
	since time.Duration // spent on entries since the last snapshot
	cost  time.Duration // of writing that
}

const (
	toilMost  = 500 * time.Millisecond // that there may be to do again,
	toilShare = 3                      // unless that is less than so many times what a snapshot takes: they should not be what a process is busy with
	toilPause = 3 * time.Second        // after which a process that has carried out a log again may write one: people wait for it
	restWorth = 100 * time.Millisecond // of work are worth a snapshot when a process ends
)

func (t *toil) applied(took time.Duration) { t.since += took }

func (t *toil) written(took time.Duration) { t.since, t.cost = 0, took }

// long reports whether a snapshot is due.
func (t *toil) long() bool {
	return t.since > max(toilMost, toilShare*t.cost) && time.Since(t.began) > toilPause
}
