package octree

import (
	"reflect"
	"testing"

	"throng/mechanism/mechanismtest"
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

// FuzzMessages hands servers and storage nodes whatever another might say over their links. They must not panic, and go on.
func FuzzMessages(f *testing.F) {
	for kind := range byte(kindRecords + 1) {
		f.Add([]byte{kind}, true)
		f.Add([]byte{kind, 0, 0, 0, 0, 0, 0, 0}, false)
	}
	w := write{number: 1 << 62, held: []deed{{id: 1, epoch: 9}}, gone: []deed{{id: 2, epoch: 9}}, handed: []deed{{id: 3, epoch: 9, to: 2}}}
	f.Add(w.append(nil), false)
	g := grant{id: 1, epoch: 5, object: world.Object{ID: 1, User: 1}}
	schema := mechanismtest.Marbles(3).Schema()
	f.Add(g.append([]byte{kindGrant}, schema), true)
	k := kept{grant: g, holder: 1, held: 5}
	f.Add(k.append([]byte{kindRecords, 1}, schema), false)
	f.Fuzz(func(t *testing.T, msg []byte, toServer bool) {
		r := newRig(t, newCounting(3), nil)
		r.Play(2)
		deliver(r, msg, toServer)
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
