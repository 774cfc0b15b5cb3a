package latejoin

import (
	"slices"

	"throng/mechanism"
	"throng/world"
)

const (
	guestsMax    = 1024                    // how many newcomers a guide serves at a time
	snapshotsMax = 8                       // how many snapshots it keeps for them: then the last does for all who begin
	freshFor     = 250 * world.Millisecond // how long a snapshot does for those who begin while there are fewer
	keptFor      = 5 * world.Second        // how long a guest is remembered who has stopped asking
	sendsMax     = 4                       // how often every chunk may be sent to the same guest, on average
)

// Guide tells newcomers of the world. The zero Guide is ready for use.
type Guide struct {
	latest *snapshot // nil if there is none
	guests []guest
	buf    []byte
}

// guest is a newcomer who is being served.
type guest struct {
	id       mechanism.NodeID
	epoch    uint32
	snapshot *snapshot
	left     int        // how many more chunks it may be sent
	heard    world.Time // when it last asked
}

type snapshot struct {
	text []byte
	sum  uint64
	made world.Time
}

// Answer takes what a newcomer asks and sends what it is to be sent. Write appends a snapshot of the world as it is; it is nil
// where the node has none. Answer returns whether the message could be read.
func (g *Guide) Answer(now world.Time, from mechanism.NodeID, payload []byte, write func(dst []byte) []byte, send func(payload []byte)) (sound bool) {
	a, err := readAsk(payload)
	if err != nil {
		return false
	}
	g.Tidy(now)
	c := chunk{epoch: a.epoch, fresh: write == nil}
	guest := g.admit(now, from, &a, write)
	if guest == nil {
		send(appendChunk(g.buf[:0], &c))
		return true
	}
	guest.heard = now
	text := guest.snapshot.text
	c.size, c.sum = len(text), guest.snapshot.sum
	for i := range windowChunks {
		c.index = a.base + i
		if c.index >= chunks(c.size) || guest.left == 0 {
			break
		}
		if a.mask&(1<<i) == 0 {
			continue
		}
		start, end := span(c.index, c.size)
		c.data = text[start:end]
		g.buf = appendChunk(g.buf[:0], &c)
		send(g.buf)
		guest.left--
	}
	return true
}

// admit returns the guest that an ask is from, with the snapshot that it asks for, or nil where it has to ask somebody else.
func (g *Guide) admit(now world.Time, from mechanism.NodeID, a *ask, write func([]byte) []byte) *guest {
	i := slices.IndexFunc(g.guests, func(x guest) bool { return x.id == from })
	switch {
	case write == nil || i >= 0 && a.epoch < g.guests[i].epoch || i < 0 && len(g.guests) == guestsMax:
		return nil
	case a.sum != 0:
		if i < 0 || a.epoch != g.guests[i].epoch || a.sum != g.guests[i].snapshot.sum {
			return nil
		}
		return &g.guests[i]
	case !g.refresh(now, write):
		return nil
	case i < 0:
		i = len(g.guests)
		g.guests = append(g.guests, guest{id: from})
	}
	x := &g.guests[i]
	x.epoch = a.epoch
	if x.snapshot != g.latest {
		x.snapshot = g.latest
		x.left = sendsMax*chunks(len(x.snapshot.text)) + windowChunks
	}
	return x
}

// refresh sees to it that the latest snapshot is good for somebody who begins. It returns false if the world is too large.
func (g *Guide) refresh(now world.Time, write func([]byte) []byte) bool {
	if g.latest == nil || now-g.latest.made >= freshFor && g.snapshots() < snapshotsMax {
		text := write(nil)
		g.latest = &snapshot{text: text, sum: sumOf(text), made: now}
	}
	return len(g.latest.text) <= SizeMax
}

// snapshots is how many are kept, the latest included.
func (g *Guide) snapshots() int {
	n, last := 1, g.latest
	for i := range g.guests {
		if s := g.guests[i].snapshot; s != last && s != g.latest { // guests of the same one mostly stand together
			n, last = n+1, s
		}
	}
	return n
}

// Tidy forgets newcomers who have stopped asking.
func (g *Guide) Tidy(now world.Time) {
	if g.latest == nil {
		return
	}
	g.guests = slices.DeleteFunc(g.guests, func(x guest) bool { return now-x.heard > keptFor })
	if len(g.guests) == 0 && now-g.latest.made > keptFor {
		g.latest = nil
	}
}

// Bytes is the memory that snapshots take.
func (g *Guide) Bytes() (total int) {
	if g.latest != nil {
		total = cap(g.latest.text)
	}
	for i := range g.guests {
		s := g.guests[i].snapshot
		if s != g.latest && !slices.ContainsFunc(g.guests[:i], func(x guest) bool { return x.snapshot == s }) {
			total += cap(s.text)
		}
	}
	return total
}
