package latejoin

import (
	"testing"

	"throng/mechanism"
	"throng/world"
)

// counter is a guide's world, which counts how often it is written.
type counter struct {
	size, written int
}

func (c *counter) write(dst []byte) []byte {
	c.written++
	return append(dst, text(uint64(c.written), c.size)...)
}

// ask asks a guide and returns the chunks that it sends.
func (g *Guide) ask(t *testing.T, now world.Time, from mechanism.NodeID, a ask, write func([]byte) []byte) (chunks []chunk) {
	t.Helper()
	sound := g.Answer(now, from, appendAsk(nil, &a), write, func(payload []byte) {
		c, err := readChunk(payload)
		if err != nil || c.epoch != a.epoch {
			t.Errorf("node %d is sent %x: %v", from, payload, err)
		}
		c.data = nil
		chunks = append(chunks, c)
	})
	if !sound {
		t.Error("an ask cannot be read")
	}
	return chunks
}

func passes(chunks []chunk) bool { return len(chunks) == 1 && chunks[0].size == 0 && !chunks[0].fresh }

var all = ask{mask: 1<<windowChunks - 1}

func TestGuideSendsWhatIsAskedFor(t *testing.T) {
	var g Guide
	c := counter{size: 5*chunkBytes + 1}
	got := g.ask(t, 0, 2, all, c.write)
	if len(got) != 6 {
		t.Fatalf("%d chunks, want 6", len(got))
	}
	got = g.ask(t, 0, 2, ask{sum: got[0].sum, base: 1, mask: 0b10101}, c.write)
	if len(got) != 3 || got[0].index != 1 || got[1].index != 3 || got[2].index != 5 {
		t.Errorf("chunks %v, want those at 1, 3 and 5", got)
	}
	if c.written != 1 {
		t.Errorf("the world was written %d times", c.written)
	}
}

func TestGuidePasses(t *testing.T) {
	c := counter{size: 10}
	huge := counter{size: SizeMax + 1}
	served := func() *Guide {
		g := &Guide{}
		g.ask(t, 0, 2, ask{epoch: 4, mask: 1}, c.write)
		return g
	}
	full := &Guide{}
	for id := range mechanism.NodeID(guestsMax) {
		full.ask(t, 0, 10+id, all, c.write)
	}
	for name, got := range map[string][]chunk{
		"a world that is too large":  new(Guide).ask(t, 0, 2, all, huge.write),
		"a guest of an earlier time": served().ask(t, 0, 2, ask{epoch: 3, mask: 1}, c.write),
		"another snapshot":           served().ask(t, 0, 2, ask{epoch: 4, sum: 1, mask: 1}, c.write),
		"another guest's snapshot":   served().ask(t, 0, 3, ask{epoch: 4, sum: sumOf(text(1, 10)), mask: 1}, c.write),
		"too many guests":            full.ask(t, keptFor, 2, all, c.write),
	} {
		if !passes(got) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := new(Guide).ask(t, 0, 2, all, nil); len(got) != 1 || got[0].size != 0 || !got[0].fresh {
		t.Errorf("without a world: %v", got)
	}
	if got := full.ask(t, keptFor+1, 2, all, c.write); passes(got) {
		t.Error("there is no room when guests have gone")
	}
}

func TestOneSnapshotDoesForMany(t *testing.T) {
	var g Guide
	c := counter{size: 10}
	for i, want := range []int{1, 1, 1, 2, 2} {
		g.ask(t, world.Time(i)*100*ms, mechanism.NodeID(2+i), all, c.write)
		if c.written != want {
			t.Errorf("after %d asks the world was written %d times, want %d", i+1, c.written, want)
		}
	}
	if got := g.Bytes(); got < 20 || got > 200 {
		t.Errorf("two snapshots of 10 bytes take %d", got)
	}
}

// However many come, memory holds a few snapshots, and everybody is served.
func TestManyGuestsShareFewSnapshots(t *testing.T) {
	var g Guide
	c := counter{size: 1000}
	for i := range 15 {
		if passes(g.ask(t, world.Time(i)*(freshFor+1), mechanism.NodeID(2+i), all, c.write)) {
			t.Errorf("guest %d is not served", i)
		}
	}
	if c.written != snapshotsMax {
		t.Errorf("the world was written %d times, want %d", c.written, snapshotsMax)
	}
}

// A guest that asks and asks does not get more than it can need, also if it claims to be somebody new each time.
func TestGuestsCannotAskForEverything(t *testing.T) {
	var g Guide
	c := counter{size: 100 * chunkBytes}
	sent := 0
	for epoch := range uint32(1000) {
		a := all
		a.epoch = epoch
		sent += len(g.ask(t, 0, 2, a, c.write))
	}
	if want := sendsMax*100 + windowChunks; sent != want {
		t.Errorf("%d chunks were sent, want %d", sent, want)
	}
}

func TestGuideForgets(t *testing.T) {
	var g Guide
	c := counter{size: 1000}
	got := g.ask(t, 0, 2, all, c.write)
	g.ask(t, 4*world.Second, 2, ask{sum: got[0].sum, mask: 1}, c.write)
	g.Tidy(4*world.Second + keptFor)
	if g.Bytes() < 1000 {
		t.Error("the snapshot is gone while somebody may still ask")
	}
	g.Tidy(4*world.Second + keptFor + 1)
	if g.Bytes() != 0 || g.latest != nil {
		t.Error("the snapshot is still there when nobody asks any more")
	}
}

func TestGuideReportsWhatItCannotRead(t *testing.T) {
	var g Guide
	good := appendAsk(nil, &all)
	for _, payload := range [][]byte{nil, good[:len(good)-1], append(good, 0)} {
		if g.Answer(0, 2, payload, nil, func([]byte) { t.Error("it is answered") }) {
			t.Errorf("%x is read", payload)
		}
	}
}
