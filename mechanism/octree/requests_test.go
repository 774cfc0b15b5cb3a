package octree

import (
	"fmt"
	"reflect"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/wire"
)

func TestChanges(t *testing.T) {
	schema := mechanismtest.Marbles(3).Schema()
	slot := world.AttrSlot(mechanismtest.TallySum)
	tally := func(sum int64) *world.Object {
		o := &world.Object{ID: 1, Kind: mechanismtest.Tally}
		o.Set(slot, sum)
		return o
	}
	for name, c := range map[string]struct {
		change
		from, to int64
		won      bool
	}{
		"set":        {change{slot, set, 5, 9}, 5, 9, true},
		"overtaken":  {change{slot, set, 5, 9}, 6, 6, false},
		"include":    {change{slot, include, 0, 6}, 3, 7, true},
		"exclude":    {change{slot, exclude, 0, 6}, 7, 1, true},
		"increment":  {change{slot, increment, 0, -3}, 7, 4, true},
		"too little": {change{slot, increment, 0, -3}, 2, 2, false},
		"nothing":    {change{world.AttrSlot(5), increment, 0, 1}, 2, 2, false},
	} {
		q := request{object: 1, changes: []change{c.change}}
		if got, won := q.apply(tally(c.from), schema); won != c.won || got.Get(slot) != c.to {
			t.Errorf("%s: %d, %t", name, got.Get(slot), won)
		}
	}
	both := request{object: 1, changes: []change{{slot, increment, 0, 1}, {slot, set, 5, 9}}}
	if got, won := both.apply(tally(5), schema); won || got.Get(slot) != 5 {
		t.Error("half of a request was carried out")
	}
	both.origin, both.number, both.hops = 7, 1<<31, 3
	r := wire.NewReader(both.append(nil)[1:])
	if got := readRequest(&r); !reflect.DeepEqual(got, both) || r.Done() != nil {
		t.Errorf("%+v arrived as %+v", both, got)
	}
	was, now := *tally(3), *tally(5)
	x := request{changes: between(nil, schema, &was, &now)}
	if got, won := x.apply(&was, schema); !won || got != now {
		t.Errorf("%v does not make %v of %v", x.changes, now, was)
	}
}

// wish is a request that some server makes, and what it was told of it.
type wish struct {
	changes []change
	answer  string
}

// Servers ask for changes of one object, all at the same time, while messages get lost and come twice and storage nodes and servers fail:
// every change that is confirmed is there in the end, none of those that are refused is, none is made twice, and of those that want to set
// the same value only one does.
func TestRequestsAgainstAModel(t *testing.T) {
	for seed := range *histories {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			x := newWishes(t, seed)
			for range 40 {
				x.step()
			}
			x.end()
		})
	}
}

// wishes are a run in which servers make requests.
type wishes struct {
	*havoc
	how    how
	object world.ID
	made   map[[2]uint32]*wish // by server and number
	next   int64
}

func newWishes(t *testing.T, seed uint64) *wishes {
	x := &wishes{havoc: newHavoc(t, seed), how: how(seed % 3), made: map[[2]uint32]*wish{}}
	x.object = mechanismtest.TallyOf(x.World)
	x.lossy(seed)
	x.Observe = func(c *mechanismtest.Call) {
		server, ok := x.Mechanism.(*Config).serverAt(c.Node)
		for _, e := range c.Out.Events() {
			if ok && (e.Name == changed || e.Name == overtaken) {
				x.answer(server, e.Seq, e.Name)
			}
		}
	}
	return x
}

func (x *wishes) answer(server int, number uint32, name string) {
	w := x.made[[2]uint32{uint32(server), number}]
	if w == nil || w.answer != "" {
		x.t.Fatalf("server %d is told %q of request %d: %+v", server, name, number, w)
	}
	w.answer = name
}

// step has some servers make a request each, as they see the object, and lets nodes fail as havoc does.
func (x *wishes) step() {
	slot := world.AttrSlot(mechanismtest.TallySum)
	for i := range 3 {
		s := serverOf(x.Rig, i)
		if s == nil || s.Held().Get(x.object) == nil || x.chance.Below(3) == 0 {
			continue
		}
		now := s.Held().Get(x.object).Get(slot)
		x.next++
		w := &wish{changes: []change{{slot, x.how, now, x.next}}}
		switch x.how {
		case include:
			w.changes[0].value = 1 << (x.next % 16)
		case exclude: // stands for counting here
			w.changes[0] = change{slot, increment, 0, 1}
		}
		var out mechanism.Outbox
		number := s.request(x.Now(), x.object, w.changes, &out)
		x.made[[2]uint32{uint32(i), number}] = w
		for j := range out.Sends() {
			x.Give(out.Message(j, s.self))
		}
	}
	x.fail()
	x.pass()
}

func (x *wishes) end() {
	x.finish()
	slot := world.AttrSlot(mechanismtest.TallySum)
	got := int64(-1)
	if n, at := holders(x.Rig, x.object); n == 1 {
		got = serverOf(x.Rig, at).Held().Get(x.object).Get(slot)
	}
	var sure, open, lost int64
	winners := map[int64]int64{}
	bits, perhaps := int64(0), int64(0)
	for _, w := range x.made {
		c := w.changes[0]
		switch w.answer {
		case changed:
			sure++
			bits |= c.value
			if v, twice := winners[c.was]; twice && x.how == set {
				x.t.Errorf("%d and %d were both set in the place of %d", v, c.value, c.was)
			}
			winners[c.was] = c.value
		case overtaken:
			lost++
		default:
			open++
			perhaps |= c.value
		}
	}
	switch {
	case got < 0:
		x.t.Error("nobody answers for the object")
	case x.how == include && (got&bits != bits || got&^(bits|perhaps) != 0):
		x.t.Errorf("the set is %b; %b were confirmed, of %b it is not known", got, bits, perhaps)
	case x.how == exclude && (got < sure || got > sure+open):
		x.t.Errorf("the count is %d; %d were confirmed, of %d it is not known", got, sure, open)
	case x.how == exclude && lost > 0:
		x.t.Errorf("%d increments were refused", lost)
	case x.how == set && sure > 0 && got == 0:
		x.t.Error("what was set is not there")
	}
	if sure < 10 {
		x.t.Errorf("only %d of %d were confirmed", sure, len(x.made))
	}
}

// An action that changes objects of several servers changes all of them.
func TestActionsReachOtherServers(t *testing.T) {
	w := newCounting(3)
	r := newRig(t, both{w}, nil)
	r.Advance(world.Second)
	tally := mechanismtest.TallyOf(w)
	_, at := holders(r, tally)
	u := world.User(1)
	for configured(nil).home(u) == at {
		u++
	}
	before := serverOf(r, configured(nil).home(u)).Held().Get(world.ID(u)).Attr[mechanismtest.MarbleHits]
	for range 5 {
		r.Act(count(u))
		r.Advance(200 * ms)
	}
	_, home := holders(r, world.ID(u))
	if home == at {
		t.Fatal("both are the same server's")
	}
	if got := serverOf(r, home).Held().Get(world.ID(u)).Attr[mechanismtest.MarbleHits] - before; got != 5 || sum(t, r) != 5 {
		t.Errorf("the user's marble has changed %d times, the tally %d", got, sum(t, r))
	}
}

// What an action changes of another server's object shows when that server has changed it, not before: it may refuse.
func TestLentObjectsArePutBack(t *testing.T) {
	r := newRig(t, both{newCounting(3)}, nil)
	r.Advance(200 * ms)
	tally := mechanismtest.TallyOf(r.World)
	_, at := holders(r, tally)
	u := world.User(1)
	for configured(nil).home(u) == at {
		u++
	}
	s := serverOf(r, configured(nil).home(u))
	was := *s.Held().Get(tally)
	_, a := count(u)
	a.User, a.Seq = u, 1
	var out mechanism.Outbox
	s.route(r.Now(), forward{order: order{action: a, origin: s.number}}, &out)
	if got := *s.Held().Get(tally); got != was || len(s.requests) != 1 {
		t.Errorf("the server has %+v of another's, before %+v; it has made %d requests", got, was, len(s.requests))
	}
}

// both is a world in which counting also changes the user's own marble.
type both struct{ world.World }

func (b both) Act(w *world.Window, a *world.Action) {
	b.World.Act(w, a)
	if o := w.Edit(world.ID(a.User)); o != nil && a.Verb == mechanismtest.Count {
		o.Attr[mechanismtest.MarbleHits]++
	}
}

func (b both) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	b.World.Reach(s, a, f)
	if a.Verb == mechanismtest.Count {
		f.Write(world.ID(a.User))
	}
}
