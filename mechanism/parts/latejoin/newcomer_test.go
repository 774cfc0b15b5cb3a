package latejoin

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

const ms = world.Millisecond

// text returns a snapshot of a length that differs from any other seed's.
func text(seed uint64, size int) []byte {
	stream := random.New(seed, "text")
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(stream.Uint64())
	}
	return b
}

// host is a node that a newcomer may ask.
type host struct {
	guide Guide
	text  []byte // nil for one that is itself new
}

// answers returns what a host answers to an ask.
func (h *host) answers(t interface{ Fatalf(string, ...any) }, now world.Time, ask []byte) (chunks [][]byte) {
	var write func([]byte) []byte
	if h.text != nil {
		write = func(dst []byte) []byte { return append(dst, h.text...) }
	}
	if !h.guide.Answer(now, 9, ask, write, func(c []byte) { chunks = append(chunks, bytes.Clone(c)) }) {
		t.Fatalf("an ask cannot be read: %x", ask)
	}
	return chunks
}

func ids(n mechanism.NodeID, self mechanism.NodeID) (others []mechanism.NodeID) {
	for id := mechanism.NodeID(1); id <= n; id++ {
		if id != self {
			others = append(others, id)
		}
	}
	return others
}

// polls asks and returns whom.
func polls(n *Newcomer, now world.Time) mechanism.NodeID {
	to, _ := n.Poll(now, nil)
	return to
}

func TestSmallSnapshotTakesOneAsk(t *testing.T) {
	n := NewNewcomer(2, 1, ids(3, 2))
	h := &host{text: text(1, 5000)}
	to, ask := n.Poll(0, []byte("x"))
	if to != 3 || ask[0] != 'x' {
		t.Fatalf("%d is asked %q", to, ask)
	}
	if polls(n, patience-1) != 0 {
		t.Error("another ask before anything could come")
	}
	answers := h.answers(t, 0, ask[1:])
	for i, c := range answers {
		got, sound := n.Receive(10*ms, 3, c)
		if !sound || (got != nil) != (i == len(answers)-1) || got != nil && !bytes.Equal(got, h.text) {
			t.Fatalf("after %d of %d chunks there are %d bytes, sound: %t", i+1, len(answers), len(got), sound)
		}
	}
}

func TestOthersAreAskedInTurn(t *testing.T) {
	n := NewNewcomer(3, 0, ids(4, 3))
	now := world.Time(0)
	for _, want := range []mechanism.NodeID{4, 1, 2, 4, 1} {
		if got := polls(n, now); got != want {
			t.Errorf("at %v node %d is asked, not %d", now, got, want)
		}
		if n.Next() != now+patience {
			t.Errorf("the next one is asked at %v", n.Next())
		}
		now = n.Next()
	}
}

func TestAloneThereIsNobodyToAsk(t *testing.T) {
	n := NewNewcomer(1, 1, nil)
	if polls(n, world.Minute) != 0 || n.Next() != world.Never || !n.Lost() {
		t.Errorf("somebody is to be asked at %v, the world is lost: %t", n.Next(), n.Lost())
	}
}

// round asks all others and lets them answer; those that are nil say nothing. It returns when the next round begins.
func round(t *testing.T, n *Newcomer, now world.Time, hosts []*host) world.Time {
	for _, h := range hosts {
		to, ask := n.Poll(now, nil)
		if h != nil {
			n.Receive(now, to, h.answers(t, now, ask)[0])
		}
		now = n.Next()
	}
	return now
}

// The world is lost when all others have been new for a while, and the first node is to begin it again.
func TestLost(t *testing.T) {
	fresh, busy := &host{}, &host{text: text(1, SizeMax+1)}
	for name, c := range map[string]struct {
		self  mechanism.NodeID
		hosts func(round int) []*host
		lost  bool
	}{
		"all are new":           {1, func(int) []*host { return []*host{fresh, fresh} }, true},
		"but not for long":      {1, func(i int) []*host { return []*host{fresh, []*host{fresh, nil}[i/7%2]} }, false},
		"but it is not the one": {2, func(int) []*host { return []*host{fresh, fresh} }, false},
		"one says nothing":      {1, func(int) []*host { return []*host{fresh, nil} }, false},
		"one will not tell":     {1, func(int) []*host { return []*host{busy, fresh} }, false},
	} {
		n := NewNewcomer(c.self, 0, ids(3, c.self))
		now := world.Time(0)
		for i := range roundsMax {
			now = round(t, n, now, c.hosts(i))
			if n.Lost() {
				t.Errorf("%s: the world is lost after %d rounds", name, i+1)
			}
		}
		polls(n, now)
		if n.Lost() != c.lost {
			t.Errorf("%s: the world is lost: %t", name, n.Lost())
		}
	}
}

// Those who are new themselves pass. The next one is asked at once, but nobody twice without a pause.
func TestThoseWhoPassCostNoTime(t *testing.T) {
	n := NewNewcomer(1, 0, ids(4, 1))
	fresh := &host{}
	for _, want := range []mechanism.NodeID{2, 3, 4} {
		to, ask := n.Poll(ms, nil)
		if to != want {
			t.Fatalf("node %d is asked, not %d", to, want)
		}
		answer := fresh.answers(t, ms, ask)[0]
		n.Receive(ms, to, answer)
		n.Receive(ms, to, answer) // a copy, for which nobody was asked
	}
	if n.Next() != ms+patience {
		t.Errorf("after all have passed, the next one is asked at %v", n.Next())
	}
}

func TestLateAnswerIsWelcome(t *testing.T) {
	n := NewNewcomer(1, 0, ids(3, 1))
	slow, quick := &host{text: text(1, 3000)}, &host{text: text(2, 3000)}
	_, ask := n.Poll(0, nil)
	late := slow.answers(t, 0, ask)
	_, ask = n.Poll(patience, nil)
	n.Receive(patience+ms, 2, late[0])
	for _, c := range quick.answers(t, patience, ask) {
		if got, _ := n.Receive(patience+ms, 3, c); got != nil {
			t.Fatal("chunks of two snapshots were taken together")
		}
	}
	n.Receive(patience+ms, 2, late[1])
	if got, _ := n.Receive(patience+ms, 2, late[2]); !bytes.Equal(got, slow.text) {
		t.Error("the snapshot of whom answered first is not there")
	}
}

func TestWhatIsLostIsAskedForAgain(t *testing.T) {
	n := NewNewcomer(1, 0, ids(3, 1))
	h := &host{text: text(1, 40*chunkBytes)}
	_, first := n.Poll(0, nil)
	chunks := h.answers(t, 0, first)
	if len(chunks) != windowChunks {
		t.Fatalf("%d chunks at a time", len(chunks))
	}
	for i, c := range chunks {
		if i != 3 && i != 7 {
			n.Receive(0, 2, c)
		}
	}
	if polls(n, ms) != 0 {
		t.Error("asked again while some may still come")
	}
	var got []byte
	for _, want := range []int{2 + 3, 5} { // up to the 32nd from the first that is missing
		to, again := n.Poll(patience, nil)
		chunks = h.answers(t, patience, again)
		if to != 2 || len(chunks) != want {
			t.Errorf("node %d is asked for %d chunks, want %d", to, len(chunks), want)
		}
		for _, c := range chunks {
			got, _ = n.Receive(patience, 2, c)
		}
	}
	if !bytes.Equal(got, h.text) {
		t.Error("the snapshot is not there")
	}
}

func TestNextOneIsAskedWhenOneFallsSilent(t *testing.T) {
	n := NewNewcomer(1, 0, ids(3, 1))
	gone, other := &host{text: text(1, 40*chunkBytes)}, &host{text: text(2, 100)}
	_, ask := n.Poll(0, nil)
	rest := gone.answers(t, 0, ask)
	n.Receive(0, 2, rest[0])
	now := world.Time(0)
	for range triesMax {
		now = n.Next()
		if to := polls(n, now); to != 2 {
			t.Errorf("node %d is asked at %v", to, now)
		}
	}
	now = n.Next()
	to, ask := n.Poll(now, nil)
	if to != 3 {
		t.Errorf("after %v node %d is asked", now, to)
	}
	if got, sound := n.Receive(now, 2, rest[1]); got != nil || !sound || n.source != 0 {
		t.Error("who was given up is still believed")
	}
	if got, _ := n.Receive(now, 3, other.answers(t, now, ask)[0]); !bytes.Equal(got, other.text) {
		t.Error("the snapshot is not there")
	}
}

// A node that answers so slowly that it never ends does not hold a newcomer up for ever.
func TestNextOneIsAskedWhenOneTakesTooLong(t *testing.T) {
	n := NewNewcomer(1, 0, ids(3, 1))
	slow := &host{text: text(1, 1000*chunkBytes)}
	asked := mechanism.NodeID(2)
	for now := world.Time(0); asked == 2; now = n.Next() {
		if now > 2*fetchMax {
			t.Fatalf("after %v it is still asked", now)
		}
		var ask []byte
		if asked, ask = n.Poll(now, nil); asked == 2 {
			n.Receive(now, 2, slow.answers(t, now, ask)[0])
		}
	}
}

func TestNextOneIsAskedWhenAGuideForgets(t *testing.T) {
	n := NewNewcomer(1, 0, ids(3, 1))
	h := &host{text: text(1, 40*chunkBytes)}
	_, ask := n.Poll(0, nil)
	n.Receive(0, 2, h.answers(t, 0, ask)[0])
	_, ask = n.Poll(patience, nil)
	h.guide = Guide{}
	n.Receive(patience, 2, h.answers(t, patience, ask)[0])
	if to := polls(n, patience); to != 3 {
		t.Errorf("node %d is asked", to)
	}
}

// What was not asked for, or is for another epoch, or of another snapshot, counts for nothing.
func TestOnlyWhatWasAskedForCounts(t *testing.T) {
	n := NewNewcomer(1, 5, ids(3, 1))
	n.Poll(0, nil)
	good := chunk{epoch: 5, size: 2 * chunkBytes, sum: 7, data: make([]byte, chunkBytes)}
	change := func(f func(*chunk)) []byte {
		c := good
		f(&c)
		return appendChunk(nil, &c)
	}
	for name, m := range map[string]struct {
		from mechanism.NodeID
		text []byte
	}{
		"somebody unknown":          {9, appendChunk(nil, &good)},
		"itself":                    {1, appendChunk(nil, &good)},
		"somebody who was not":      {3, appendChunk(nil, &good)},
		"for an earlier epoch":      {2, change(func(c *chunk) { c.epoch = 4 })},
		"passing, for another":      {2, change(func(c *chunk) { c.epoch, c.size = 4, 0 })},
		"passing, who was not":      {3, change(func(c *chunk) { c.size = 0 })},
		"passing, somebody unknown": {9, change(func(c *chunk) { c.size = 0 })},
	} {
		if got, sound := n.Receive(ms, m.from, m.text); got != nil || !sound || n.source != 0 || n.Next() != patience {
			t.Errorf("%s: source %d, next %v, sound: %t", name, n.source, n.Next(), sound)
		}
	}
	n.Receive(ms, 2, appendChunk(nil, &good))
	for name, text := range map[string][]byte{
		"a copy":                    appendChunk(nil, &good),
		"of another snapshot":       change(func(c *chunk) { c.sum, c.index = 8, 1 }),
		"of another length":         change(func(c *chunk) { c.size, c.index = 3*chunkBytes, 1 }),
		"of one that is too large":  change(func(c *chunk) { c.size = SizeMax + 1 }),
		"beyond the end":            change(func(c *chunk) { c.index = 2 }),
		"of a length that is wrong": change(func(c *chunk) { c.data, c.index = c.data[1:], 1 }),
	} {
		if got, _ := n.Receive(ms, 2, text); got != nil || n.left != 1 {
			t.Errorf("%s: %d chunks are missing", name, n.left)
		}
	}
}

func TestDamagedSnapshotIsFetchedElsewhere(t *testing.T) {
	n := NewNewcomer(1, 0, ids(3, 1))
	n.Poll(0, nil)
	c := chunk{size: 3, sum: sumOf([]byte("abc")), data: []byte("abd")}
	if got, _ := n.Receive(0, 2, appendChunk(nil, &c)); got != nil {
		t.Errorf("%q is taken for a snapshot", got)
	}
	if to := polls(n, n.Next()); to != 3 {
		t.Errorf("node %d is asked next", to)
	}
}

func TestRefusedSnapshotIsFetchedElsewhere(t *testing.T) {
	n := NewNewcomer(1, 0, ids(3, 1))
	h := &host{text: text(1, 10)}
	_, ask := n.Poll(0, nil)
	if got, _ := n.Receive(0, 2, h.answers(t, 0, ask)[0]); got == nil {
		t.Fatal("no snapshot")
	}
	if to := polls(n, n.Next()); to != 3 {
		t.Errorf("node %d is asked next", to)
	}
}

// TestSnapshotArrives fetches snapshots of all sizes from hosts that may be new or go away, over a network that loses, delays
// and repeats. As long as one host stays, the newcomer gets one of their snapshots.
func TestSnapshotArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := mechanism.NodeID(rapid.IntRange(2, 5).Draw(t, "nodes"))
		hosts := map[mechanism.NodeID]*host{}
		others := ids(count, 1)
		for _, id := range others {
			hosts[id] = &host{}
			if rapid.Bool().Draw(t, "knows") || id == count {
				hosts[id].text = text(uint64(id), rapid.IntRange(1, 100*chunkBytes).Draw(t, "size"))
			}
		}
		delay := uint64(rapid.IntRange(1, 1500).Draw(t, "delay")) * uint64(ms)
		loss := rapid.Uint64Max(40).Draw(t, "loss")
		gone := world.Time(rapid.IntRange(0, 5000).Draw(t, "others leave")) * ms
		stream := random.New(rapid.Uint64().Draw(t, "seed"), "network")

		type flight struct {
			at      world.Time
			host    mechanism.NodeID
			ask     bool
			payload []byte
		}
		var flights []flight
		post := func(now world.Time, f flight) {
			for range 1 + stream.Below(10)/9 {
				if stream.Below(100) >= loss {
					f.at, f.payload = now+world.Time(stream.Below(delay)), bytes.Clone(f.payload)
					flights = append(flights, f)
				}
			}
		}
		n := NewNewcomer(1, 3, others)
		for now := world.Time(0); now < 10*world.Minute; {
			if to, payload := n.Poll(now, nil); to != 0 {
				post(now, flight{host: to, ask: true, payload: payload})
			}
			next, first := n.Next(), -1
			for i, f := range flights {
				if f.at <= next {
					next, first = f.at, i
				}
			}
			now = next
			if first < 0 {
				continue
			}
			f := flights[first]
			flights = slices.Delete(flights, first, first+1)
			h := hosts[f.host]
			if f.ask {
				if f.host == count || now < gone {
					for _, c := range h.answers(t, now, f.payload) {
						post(now, flight{host: f.host, payload: c})
					}
				}
				continue
			}
			if got, sound := n.Receive(now, f.host, f.payload); got != nil || !sound {
				if !bytes.Equal(got, h.text) {
					t.Fatalf("from node %d came %d bytes that differ from its %d, sound: %t", f.host, len(got), len(h.text), sound)
				}
				return
			}
		}
		t.Fatal("no snapshot has come")
	})
}
