package aos

import (
	"reflect"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// after reads what follows the kind of a message.
func after[T any](t *testing.T, kind byte, msg []byte, read func(*wire.Reader) T) T {
	t.Helper()
	r := wire.NewReader(msg)
	if r.Byte() != kind {
		t.Errorf("%x is of another kind", msg)
	}
	v := read(&r)
	if r.Done() != nil {
		t.Errorf("%x cannot be read", msg)
	}
	return v
}

func TestMessagesComeBack(t *testing.T) {
	action := world.Action{User: 3, Seq: 7, Verb: 1, Target: 9, Args: [world.MaxArgs]int64{-5, 1 << 40}}
	c := command{count: 4, turn: 17, action: action}
	if got := after(t, kindCommand, appendCommand(nil, &c), readCommand); got != c {
		t.Errorf("%+v comes back as %+v", c, got)
	}
	a := advance{turn: 99, count: 3, reached: 396}
	if got := after(t, kindAdvance, appendAdvance(nil, &a), readAdvance); got != a {
		t.Errorf("%+v comes back as %+v", a, got)
	}
	z := zone{turn: 5, last: true, echo: 4, held: 3 * world.Millisecond}
	if got := after(t, kindZone, appendZone(nil, &z), readZone); got != z {
		t.Errorf("%+v comes back as %+v", z, got)
	}
	k := chunk{number: 2, round: 1, final: true, size: 5000, index: 3, data: []byte{1, 2, 3}}
	if got := after(t, kindChunk, appendChunk(nil, &k), readChunk); !reflect.DeepEqual(got, k) {
		t.Errorf("%+v comes back as %+v", k, got)
	}
	p := progress{number: 2, round: 1, chunks: 8}
	if got := after(t, kindProgress, appendProgress(nil, &p), readProgress); got != p {
		t.Errorf("%+v comes back as %+v", p, got)
	}
	s := telling{number: 4, node: 12}
	if got := after(t, kindSource, appendTelling(nil, kindSource, s), readTelling); got != s {
		t.Errorf("%+v comes back as %+v", s, got)
	}
	receipt := update.Receipt{Number: 5, High: 9, Missing: 2}
	r := wire.NewReader(appendReceipt(nil, 3, 8, receipt))
	r.Byte()
	if area, number, got := readReceipt(&r); area != 3 || number != 8 || got != receipt || r.Done() != nil {
		t.Errorf("a receipt comes back as %d %d %+v", area, number, got)
	}
	who := membership.Identity{Epoch: 2, Life: 7}
	r = wire.NewReader(appendJoin(nil, who, 5))
	r.Byte()
	if got, user := readJoin(&r); got != who || user != 5 || r.Done() != nil {
		t.Errorf("a join comes back as %v %d", got, user)
	}
	r = wire.NewReader(appendStanding(nil, kindGone, who, 3))
	r.Byte()
	if got, epoch := readStanding(&r); got != who || epoch != 3 || r.Done() != nil {
		t.Errorf("what somebody is comes back as %v %d", got, epoch)
	}
}

// someNews is news of all sorts against a state, and the state after them.
func someNews() (n news, before, after *world.State) {
	w := mechanismtest.Marbles(4)
	before = world.NewState(w.Schema(), 1)
	w.Populate(before)
	after = before.Clone()
	moved := *before.Get(2)
	moved.Pos.X += fixed.One
	far := *before.Get(3)
	far.ID = 1<<63 + 5
	n.put(&moved)
	n.remove(1)
	n.put(&far)
	n.putFrom(before.Get(4), source{3, 12})
	n.settle()
	after.Put(moved)
	after.Remove(1)
	after.Put(far)
	return n, before, after
}

func TestNewsComeBack(t *testing.T) {
	for _, full := range []bool{false, true} {
		n, before, want := someNews()
		text := n.append(nil, before, full, nil)
		var got news
		if there, sound := got.read(before.Schema(), text, before); there || !sound {
			t.Fatal("they cannot be read")
		}
		s := before.Clone()
		got.carryOut(s)
		if s.Hash() != want.Hash() {
			t.Errorf("full=%v: news come to something else", full)
		}
		if again := got.append(nil, before, full, nil); string(again) != string(text) {
			t.Errorf("full=%v: the same news have two forms", full)
		}
	}
}

func TestKnownNewsAreOnlyNamed(t *testing.T) {
	n, before, _ := someNews()
	changed := *before.Get(4)
	changed.Pos.Y += fixed.One
	n.items[2].object = changed // of which it is known where from
	long := n.append(nil, before, false, nil)
	short := n.append(nil, before, false, func(s source) bool { return s == source{3, 12} })
	if len(short) >= len(long) {
		t.Errorf("%d bytes instead of %d", len(short), len(long))
	}
	var got news
	there, sound := got.read(before.Schema(), short, before)
	if !there || !sound || got.items[2].from != (source{3, 12}) {
		t.Errorf("what is there comes back as %+v", got.items)
	}
}

func TestHeldComesBack(t *testing.T) {
	for _, held := range []world.Set{nil, {1}, {3, 4, 1 << 60}} {
		r := wire.NewReader(appendHeld(nil, held))
		if got := readHeld(&r, nil); len(got) != len(held) || r.Done() != nil {
			t.Errorf("%v comes back as %v", held, got)
		}
	}
}

func TestRecordComesBack(t *testing.T) {
	w := newTraders(3, fixed.One)
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	l := ledger{area: 1, number: 9}
	l.deals = append(l.deals, &deal{number: 8, decided: true, action: world.Action{User: 1, Seq: 2}, parts: []part{
		{area: 1, ids: world.Set{1}, voted: true, results: []result{resultOf(s, 1), {id: 7, gone: true}}},
		{area: 2, ids: world.Set{2}, voted: true, settled: true},
	}}, &deal{number: 9, parts: []part{{area: 1}}})
	l.promises = append(l.promises, &promise{area: 0, number: 3, ids: world.Set{3}, voted: true}, &promise{area: 0, number: 4})
	text := l.append(nil, w.Schema())
	r := wire.NewReader(text)
	got := readLedger(&r, w.Schema(), 1)
	if r.Done() != nil {
		t.Fatal("the record cannot be read")
	}
	// What is undecided and what was not promised aloud is forgotten; the rest is not.
	if len(got.deals) != 1 || len(got.promises) != 1 || string(got.append(nil, w.Schema())) != string(text) {
		t.Errorf("it comes back as %+v", got)
	}
}

// FuzzNodes hands anything to every kind of node as from every other: they must get over it.
func FuzzNodes(f *testing.F) {
	config := param.Default[Config]()
	config.Columns, config.Rows, config.Areas, config.Window = 2, 1, 2, world.Second
	rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(2), 1)
	if err != nil {
		f.Fatal(err)
	}
	rig.Network = mechanismtest.Constant(world.Millisecond)
	rig.Observe = func(c *mechanismtest.Call) {
		if c.Kind == mechanismtest.Receive && rig.Now() < 3*world.Second {
			for p := range link.Parts(config.Link, c.Message.Payload) {
				f.Add(uint8(c.Message.From), uint8(c.Message.To), append([]byte(nil), p.Payload...))
			}
		}
	}
	rig.Start()
	rig.Play(60)
	f.Fuzz(func(t *testing.T, from, to uint8, msg []byte) {
		rig, err := mechanismtest.NewRig(&config, mechanismtest.Marbles(2), 1)
		if err != nil {
			t.Fatal(err)
		}
		rig.Network = mechanismtest.Constant(world.Millisecond)
		rig.Start()
		rig.Play(10)
		node, ok := rig.Node(1 + mechanism.NodeID(to)%5).(link.Handler)
		if !ok {
			return
		}
		var out mechanism.Outbox
		node.Deliver(rig.Now(), mechanism.Message{From: 1 + mechanism.NodeID(from)%5, To: 1 + mechanism.NodeID(to)%5, Payload: msg}, &out)
		rig.Play(10)
	})
}
