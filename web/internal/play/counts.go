package play

import (
	"throng/mechanism"
	"throng/web/internal/trouble"
	"throng/world"
)

// Counts is what has happened since the client began, and how it stands. The page reads it in place.
type Counts struct {
	BytesIn, BytesOut         int64 // of frames
	DatagramsIn, DatagramsOut int64
	Pings, Malformed          int64

	Acts      int64 // of the user
	Applied   int64 // of these, shown to have taken effect
	Dropped   int64 // of these, given up
	Observed  int64 // others' actions that took effect here
	Rollbacks int64
	Redone    int64 // ticks that roll-backs computed again
	Late      int64 // messages that came too late
	Repeated  int64 // messages sent again

	LostOut, LostIn int64 // by trouble

	Direct, Relayed int64 // datagrams to other players, directly and by the server
	Partners        int64 // players to whom there is a direct connection

	// How it stands. Times are in nanoseconds.
	RoundTrip int64
	ClockOff  int64 // by how much the server's time is still to be corrected
	Response  int64 // from the user's last action to its effect
	Lag       int64 // that the mechanism adds to the user's actions
	Objects   int64 // held
	Tick      int64 // that the view shows
	Behind    int64 // by how much that is in the past
}

// Counts is what has happened and how it stands, as of the last call.
func (c *Client) Counts() *Counts {
	n := &c.count
	n.BytesOut = c.wire.bytes + c.owner.bytes
	if c.direct != nil {
		met := c.direct.Counts()
		n.Direct, n.Relayed, n.Partners = met.Direct, met.Relayed, int64(met.Open)
	}
	n.LostOut, n.LostIn = c.line.Lost[trouble.Out], c.line.Lost[trouble.In]
	n.RoundTrip, n.ClockOff = int64(c.clock.RoundTrip()), int64(c.clock.Error())
	if c.machine != nil && c.running() {
		view := c.machine.View()
		n.Objects, n.Tick = int64(view.Len()), int64(view.Tick())
		n.Lag = int64(mechanism.Lag(c.machine.Client()))
		length := c.session.World.Schema().Tick
		reached := mechanism.TickAt(c.machine.Now(), length)
		n.Behind = int64(mechanism.TimeOf(reached-view.Tick(), length))
	}
	return n
}

// acted remembers when the user's last actions were taken, by their numbers.
type acted [64]struct {
	seq uint32
	at  world.Time
}

// note takes down that the user acts.
func (c *Client) note(a *world.Action) {
	c.count.Acts++
	e := &c.acted[a.Seq%uint32(len(c.acted))]
	e.seq, e.at = a.Seq, c.called
}

// event counts what the node reports.
func (c *Client) event(e mechanism.Event) {
	n := &c.count
	mine := e.User == c.welcome.User
	switch e.Name {
	case mechanism.Applied:
		if !mine {
			n.Observed++
			return
		}
		n.Applied++
		if taken := &c.acted[e.Seq%uint32(len(c.acted))]; taken.seq == e.Seq {
			n.Response = int64(c.called - taken.at)
		}
	case mechanism.Rollback:
		n.Rollbacks++
		n.Redone += e.Value
	case mechanism.Dropped:
		if mine {
			n.Dropped++
		}
	case mechanism.Late:
		n.Late++
	case mechanism.Repeated:
		n.Repeated++
	case mechanism.Malformed:
		n.Malformed++
	}
}
