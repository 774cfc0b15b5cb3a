package octree

import (
	"reflect"
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/assignment"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

func TestWriteRoundTrip(t *testing.T) {
	want := write{
		number: 1 << 60, more: true, held: []deed{{id: 1 << 50, epoch: 7}}, acts: []act{{70000, 9, 3}},
		gone: []deed{{id: 2, epoch: 1}}, handed: []deed{{id: 3, epoch: 4, to: 5}},
	}
	msg := want.append(nil)
	r := wire.NewReader(append(msg[1:], "states"...))
	var got write
	if got.read(&r); !reflect.DeepEqual(got, want) || string(r.Rest()) != "states" || msg[0] != kindWrite {
		t.Errorf("%+v arrived as %+v", want, got)
	}
}

func TestAckRoundTrip(t *testing.T) {
	r := wire.NewReader(appendAck(nil, 99, []deed{{id: 1}, {id: 1 << 40, epoch: 7}})[1:])
	if number, refused := readAck(&r, nil); number != 99 || len(refused) != 2 || refused[1] != (deed{id: 1 << 40, epoch: 7}) || r.Done() != nil {
		t.Errorf("arrived as %d, %v", number, refused)
	}
}

func TestNoteRoundTrip(t *testing.T) {
	want := note{1 << 50, 999, 1 << 31}
	r := wire.NewReader(appendNote(nil, want))
	if got := readNote(&r); got != want || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", want, got)
	}
}

func TestCodesRoundTrip(t *testing.T) {
	space := octree.Enclose(fixed.Box{Max: fixed.Vec{X: 1000 * fixed.One, Y: 1000 * fixed.One}})
	codes := space.FitBox(nil, fixed.Box{Min: fixed.Vec{X: 3 * fixed.One}, Max: fixed.Vec{X: 700 * fixed.One, Y: 20 * fixed.One}}, octree.Limits{Splits: 3, Depth: 20})
	codes = append(codes, octree.Code{}, octree.At(octree.Point{X: 5, Y: 1 << 61, Z: 9}, octree.AxisBits))
	r := wire.NewReader(wire.AppendList(nil, codes, appendCode))
	if got := readCodes(&r, nil); !reflect.DeepEqual(got, codes) || r.Done() != nil {
		t.Errorf("%v arrived as %v", codes, got)
	}
}

func TestClaimGrantAndOrderRoundTrip(t *testing.T) {
	c := claim{7, membership.Identity{Epoch: 3, Life: 4}}
	r := wire.NewReader(c.append(nil))
	if got := readClaim(&r); got != c || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", c, got)
	}
	schema := mechanismtest.Marbles(1).Schema()
	g := grant{id: 9, epoch: 4, stated: 3, version: 1 << 60, action: 3, object: world.Object{ID: 9, User: 1, Pos: fixed.Vec{X: 77}}, acts: []act{{1, 3, 9}}}
	r = wire.NewReader(g.append(nil, schema))
	if got := readGrant(&r, schema); !reflect.DeepEqual(got, g) || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", g, got)
	}
	k := kept{grant: g, holder: 999, held: 4, vacant: true, steward: stewardship{1000, c.who}}
	r = wire.NewReader(k.append(nil, schema))
	if got := readKept(&r, schema); !reflect.DeepEqual(got, k) || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", k, got)
	}
	o := order{hops: 3, origin: 7, action: world.Action{User: 9, Seq: 300, Verb: 1, Target: 1 << 50, Args: [world.MaxArgs]int64{-1, 2}}}
	r = wire.NewReader(o.append(nil)[1:])
	if got := readOrder(&r); got != o || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", o, got)
	}
}

func TestPlacingRoundTrip(t *testing.T) {
	want := report{anew: true, retiring: true, clients: 70000, load: 300, came: []world.User{3, 70000}, changes: []assignment.Change{{Block: 0, By: 1}, {Block: 999, By: -3}}}
	r := wire.NewReader(want.append(nil))
	var got report
	if got.read(&r); !reflect.DeepEqual(got, want) || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", want, got)
	}
	for _, v := range []assignment.View{{}, {Low: [3]uint8{1, 2, 3}, High: [3]uint8{4, 5, 9}}, assignment.Nowhere} {
		r := wire.NewReader(appendView(nil, v))
		if got := readView(&r, 10); got != v || r.Done() != nil {
			t.Errorf("%v arrived as %v", v, got)
		}
	}
	for _, v := range []assignment.View{{Low: [3]uint8{5}}, {High: [3]uint8{10}}} {
		if r := wire.NewReader(appendView(nil, v)); readView(&r, 10) == v && !r.Failed() {
			t.Errorf("%v is believed", v)
		}
	}
	box := fixed.Box{Min: fixed.Vec{X: -5, Z: 7}, Max: fixed.Vec{X: 1 << 40}}
	for _, found := range []bool{true, false} {
		r := wire.NewReader(appendLocated(nil, 9, found, box))
		if u, f, b := readLocated(&r); u != 9 || f != found || found && b != box || r.Done() != nil {
			t.Errorf("arrived as %d, %t, %v", u, f, b)
		}
	}
	schema := mechanismtest.Marbles(1).Schema()
	o := world.Object{ID: 1 << 50, Kind: 1, Pos: schema.Bounds.Centre()}
	r = wire.NewReader(appendBody(nil, &o))
	if got := readBody(&r, schema); got != o || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", o, got)
	}
}

// FuzzMessages hands servers, storage nodes and balancers whatever another might say over their links. They must not panic, and go on.
func FuzzMessages(f *testing.F) {
	for kind := range byte(kindRequest + 1) {
		for to := range uint8(3) {
			f.Add([]byte{kind}, to)
			f.Add([]byte{kind, 0, 0, 0, 0, 0, 0, 0}, to)
			f.Add([]byte{kind, 1, 1, 1, 1, 1, 1, 1, 2}, to)
		}
	}
	w := write{number: 1 << 62, held: []deed{{id: 1, epoch: 9}}, gone: []deed{{id: 2, epoch: 9}}, handed: []deed{{id: 3, epoch: 9, to: 2}}}
	f.Add(w.append(nil), uint8(0))
	g := grant{id: 1, epoch: 5, object: world.Object{ID: 1, User: 1}}
	schema := mechanismtest.Marbles(3).Schema()
	f.Add(g.append([]byte{kindGrant}, schema), uint8(1))
	k := kept{grant: g, holder: 1, held: 5}
	f.Add(k.append([]byte{kindRecords, 1}, schema), uint8(0))
	p := report{clients: 1, came: []world.User{1}, changes: []assignment.Change{{Block: 5, By: -3}, {Block: 700, By: 9}}}
	f.Add(p.append([]byte{kindReport}), uint8(2))
	f.Add(appendView([]byte{kindAppraise, 1}, assignment.View{High: [3]uint8{9, 9, 9}}), uint8(2))
	f.Add(appendLocated([]byte{kindLocated}, 1, true, fixed.Box{}), uint8(2))
	f.Add(appendBody([]byte{kindPrefetch, 2, 1, 9}, &world.Object{ID: 2}), uint8(1))
	q := request{object: mechanismtest.TallyOf(mechanismtest.Marbles(3)), number: 1, changes: []change{{world.AttrSlot(0), increment, 0, 1}}}
	f.Add(q.append(nil), uint8(1))
	f.Fuzz(func(t *testing.T, msg []byte, to uint8) {
		r := newRig(t, newCounting(3), func(c *Config) { c.Balancers = 2 })
		r.Play(2)
		deliver(r, msg, to)
		r.Play(4)
	})
}

func TestRingSpreadsEvenly(t *testing.T) {
	r := ring{chunks: 1024, nodes: 7, copies: 3}
	var counts [7]int
	for id := range world.ID(7000) {
		first := r.first(id)
		counts[first]++
		held := 0
		for node := range r.nodes {
			if r.holds(node, first) {
				held++
			}
		}
		if held != 3 {
			t.Fatalf("%d nodes hold object %d", held, id)
		}
	}
	for node, n := range counts {
		if n < 700 || n > 1300 {
			t.Errorf("node %d holds %d objects first", node, n)
		}
	}
	if got := r.reader(6, 1, func(node int) bool { return node != 0 }); got != 1 {
		t.Errorf("a server hears from node %d", got) // node 0 would come first
	}
}

func TestWindow(t *testing.T) {
	var w window
	for _, seq := range []uint32{1, 2, 5, 3} {
		w.note(seq)
	}
	for seq, want := range map[uint32]bool{1: true, 2: true, 3: true, 4: false, 5: true, 6: false} {
		if w.has(seq) != want {
			t.Errorf("%d: %t", seq, !want)
		}
	}
	w.take(5)
	if w.has(5) {
		t.Error("what was taken back is still there")
	}
	w.note(500)
	if !w.has(3) || w.has(499) {
		t.Error("what is long past is done; what is not is not")
	}
}
