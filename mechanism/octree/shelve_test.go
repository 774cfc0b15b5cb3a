package octree

import (
	"fmt"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/area"
	"throng/world"
)

// shelf is the first storage node of a run, driven by hand.
type shelf struct {
	*storage
	t       *testing.T
	id      world.ID        // of the tally
	writers []*area.Encoder // by server
	out     mechanism.Outbox
}

// newShelf returns a storage node that holds the world as it is at the start, or one that has begun with empty hands.
func newShelf(t *testing.T, late bool, change func(*Config)) *shelf {
	c, w := configured(change), newCounting(3)
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: c.Places(w)}
	if late {
		s = s.Join(s.Places[0], 1)
	}
	x := &shelf{storage: newStorage(c, s, 0), t: t, id: mechanismtest.TallyOf(w)}
	for range c.Servers {
		x.writers = append(x.writers, area.NewEncoder(w.Schema(), area.Delta))
	}
	return x
}

// tally is the tally with a sum.
func (x *shelf) tally(sum int64) world.Object {
	o := world.Object{ID: x.id, Kind: mechanismtest.Tally}
	o.Attr[mechanismtest.TallySum] = sum
	return o
}

// sum is what the tally holds here, or -1 if it is not there.
func (x *shelf) sum() int64 {
	if r, _ := x.get(x.id); r != nil {
		return r.object.Attr[mechanismtest.TallySum]
	}
	return -1
}

func (x *shelf) deliver(from mechanism.NodeID, msg []byte) {
	x.t.Helper()
	if !x.Deliver(0, mechanism.Message{From: from, To: x.self, Payload: msg}, &x.out) {
		x.t.Fatalf("what node %d says is not understood", from)
	}
}

// write has a server write something, with states.
func (x *shelf) write(server int, w write, states ...world.Object) {
	x.t.Helper()
	for i := range states {
		x.writers[server].Put(&states[i])
	}
	msg, _ := x.writers[server].Append(w.append(nil), 10_000)
	x.deliver(x.config.serverNode(server), msg)
}

// refill has another storage node tell all that it has.
func (x *shelf) refill(storage int, all ...kept) {
	x.t.Helper()
	msg := []byte{kindRecords, 1}
	for i := range all {
		msg = all[i].append(msg, x.schema)
	}
	x.deliver(x.config.storageNode(storage), msg)
}

// version is the tally as another storage node has it, from a write of server 1.
func (x *shelf) version(number uint64, sum int64) kept {
	return kept{holder: 1, held: 4, grant: grant{
		id: x.id, epoch: 4, stated: 4, version: number, object: x.tally(sum), acts: []act{{1, uint32(number), x.id}},
	}}
}

// Should the server fail between two messages of a write, the states of the first must not be there without the actions of the
// second: these would be done again.
func TestWritesOfSeveralMessagesCountAsAWhole(t *testing.T) {
	x := newShelf(t, false, nil)
	was, _ := x.get(x.id)
	server := was.holder
	x.write(server, write{number: 1, more: true}, x.tally(5))
	if x.sum() != 0 || x.servers[server].number != 0 {
		t.Errorf("of half a write the tally holds %d, and write %d is acknowledged", x.sum(), x.servers[server].number)
	}
	x.write(server, write{number: 1, acts: []act{{1, 7, x.id}}})
	now, _ := x.get(x.id)
	if x.sum() != 5 || len(now.acts) != 1 || now.version != 1 || x.servers[server].number != 1 {
		t.Errorf("of a whole write there is %+v", now)
	}
}

// A storage node that has begun with empty hands answers no questions before so many others have told it all they have that whatever
// was acknowledged is among it.
func TestRefillIsTrustedWhenEnoughHaveTold(t *testing.T) {
	for _, c := range []struct{ storage, copies, acks, want int }{
		{3, 3, 2, 2}, {5, 5, 3, 3}, {3, 3, 3, 1}, {3, 3, 1, 2}, {3, 2, 2, 2}, {3, 1, 1, 0},
	} {
		t.Run(fmt.Sprintf("%d of %d, %d acknowledge", c.copies, c.storage, c.acks), func(t *testing.T) {
			x := newShelf(t, true, func(to *Config) { to.Storage, to.Copies, to.Acks = c.storage, c.copies, c.acks })
			told := 0
			for i := 1; i < c.storage && !x.trusts(0); i++ {
				x.refill(i)
				told = i
			}
			if !x.trusts(0) {
				told = 0 // nobody else can know
			}
			if told != c.want {
				t.Errorf("it is trusted when %d have told, want %d", told, c.want)
			}
		})
	}
}

// Of what servers and storage nodes tell one that is filled again, the latest counts, whoever is first.
func TestRefillKeepsTheLatest(t *testing.T) {
	check := func(x *shelf, sum int64, version uint64) {
		t.Helper()
		r, _ := x.get(x.id)
		if x.sum() != sum || r.version != version || len(r.acts) != 1 || r.acts[0].seq != uint32(version) {
			t.Errorf("it holds %+v, want version %d", r, version)
		}
	}
	x := newShelf(t, true, nil)
	x.write(1, write{number: 10, held: []deed{{id: x.id, epoch: 4}}, acts: []act{{1, 10, x.id}}}, x.tally(9))
	x.refill(1, x.version(3, 2))
	check(x, 9, 10)

	x = newShelf(t, true, nil)
	x.refill(1, x.version(10, 9))
	x.refill(2, x.version(3, 2))
	check(x, 9, 10)

	x = newShelf(t, true, nil)
	x.refill(1, x.version(3, 2))
	x.refill(2, x.version(10, 9))
	check(x, 9, 10)

	x.refill(1, x.version(20, 30)) // it knows all: from now on servers alone say what is
	check(x, 9, 10)
}

// What a server has said is gone is not brought back by a storage node that said before what it had.
func TestRefillDoesNotRaiseTheDead(t *testing.T) {
	x := newShelf(t, true, nil)
	x.write(1, write{number: 10, gone: []deed{{id: x.id, epoch: 4}}})
	x.refill(1, x.version(3, 2))
	if x.sum() != -1 {
		t.Errorf("it is back, with %d", x.sum())
	}

	x = newShelf(t, true, nil)
	x.refill(1, x.version(3, 2))
	x.write(1, write{number: 10, gone: []deed{{id: x.id, epoch: 4}}})
	x.refill(2, x.version(3, 2))
	if x.sum() != -1 {
		t.Errorf("it is back, with %d", x.sum())
	}
}
