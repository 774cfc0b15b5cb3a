package area

import (
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

var schema = mechanismtest.Marbles(3).Schema()

// anything draws one of some objects in a random state.
func anything(r *random.Stream, ids uint64) world.Object {
	return world.Object{
		ID: world.ID(1 + r.Below(ids)), User: world.User(r.Below(4)),
		Pos: fixed.Vec{X: fixed.F(r.Below(1 << 38)), Y: fixed.F(r.Below(1 << 20))},
		Vel: fixed.Vec{X: fixed.F(r.Below(1<<34)) - 1<<33},
	}
}

// model is what a listener should know.
type model map[world.ID]world.Object

func (m model) check(t *testing.T, d *Decoder) {
	t.Helper()
	if d.Len() != len(m) {
		t.Fatalf("%d objects are known, want %d", d.Len(), len(m))
	}
	for id, want := range m {
		if got := d.Get(id); got == nil || *got != want {
			t.Fatalf("object %d is known as %+v, want %+v", id, got, want)
		}
	}
}

// disturb changes some of the objects.
func (m model) disturb(r *random.Stream, put func(*world.Object), remove func(world.ID)) {
	for range r.Below(40) {
		o := anything(r, 60)
		if r.Below(3) == 0 {
			remove(o.ID)
			delete(m, o.ID)
		} else {
			put(&o)
			m[o.ID] = o
		}
	}
}

// TestListenersKnowWhatIsTold checks that after all messages listeners know just what they are to know, in every encoding and
// whatever the size of messages; and so does one who was given an account of everything on the way.
func TestListenersKnowWhatIsTold(t *testing.T) {
	for how, name := range Encodings {
		for _, room := range []int{0, 300, 60_000} {
			t.Run(name, func(t *testing.T) {
				r := random.New(uint64(room), name)
				e := NewEncoder(schema, Encoding(how))
				early, late := NewDecoder(schema), NewDecoder(schema)
				heard := false
				want := model{}
				for round := range 200 {
					want.disturb(&r, e.Put, e.Remove)
					for more := true; more; {
						var msg []byte
						msg, more = e.Append(nil, room)
						replay(t, early, msg)
						if heard {
							replay(t, late, msg)
						}
					}
					want.check(t, early)
					if heard {
						want.check(t, late)
					}
					if round%50 == 25 {
						account(t, e, late, room)
						want.check(t, late)
						heard = true
					}
				}
			})
		}
	}
}

// replay has a listener read a message, and checks that the changes it tells of are those that it has taken note of.
func replay(t *testing.T, d *Decoder, msg []byte) {
	t.Helper()
	before := map[world.ID]world.Object{}
	for _, o := range d.slots {
		if o.ID != 0 {
			before[o.ID] = o
		}
	}
	changes, ok := d.Read(msg)
	if !ok {
		t.Fatal("a message cannot be read")
	}
	for _, c := range changes {
		if c.Gone {
			delete(before, c.Object.ID)
		} else {
			before[c.Object.ID] = c.Object
		}
	}
	model(before).check(t, d)
}

// account tells a listener everything.
func account(t *testing.T, e *Encoder, d *Decoder, room int) {
	t.Helper()
	for next := -1; next != 0; {
		var msg []byte
		msg, next = e.AppendAccount(nil, room, max(next, 0))
		if _, ok := d.Read(msg); !ok {
			t.Fatal("an account cannot be read")
		}
	}
}

func TestNothingNewIsSilence(t *testing.T) {
	for _, how := range []Encoding{Delta, Compressed} {
		e := NewEncoder(schema, how)
		o := world.Object{ID: 1, Pos: at(1, 2)}
		e.Put(&o)
		e.Append(nil, 1000)
		e.Put(&o)   // as it was
		e.Remove(2) // never there
		e.Put(&world.Object{ID: 3})
		e.Remove(3) // come to nothing
		if msg, more := e.Append(nil, 1000); len(msg) > 0 || more {
			t.Errorf("%s: %d bytes without news", Encodings[how], len(msg))
		}
		if !e.Has(1) || e.Has(2) || e.Has(3) {
			t.Errorf("%s: told of 1 %v, of 2 %v, of 3 %v", Encodings[how], e.Has(1), e.Has(2), e.Has(3))
		}
	}
}

// TestSizes says what a band of 100 walkers costs each time: a whole object takes 27 bytes, a step of one 10.
func TestSizes(t *testing.T) {
	sizes := map[Encoding]int{}
	for _, how := range []Encoding{Full, Delta, Compressed} {
		e := NewEncoder(schema, how)
		r := random.New(1, "sizes")
		var objects [100]world.Object
		for i := range objects {
			objects[i] = anything(&r, 1)
			objects[i].ID = world.ID(1000 + i)
			e.Put(&objects[i])
		}
		e.Append(nil, 60_000)
		for i := range objects {
			world.Drift(&objects[i], schema.Tick)
			e.Put(&objects[i])
		}
		msg, more := e.Append(nil, 60_000)
		if more {
			t.Fatal("it does not fit")
		}
		sizes[how] = len(msg)
	}
	if sizes[Delta] >= sizes[Full]/2 || sizes[Compressed] >= sizes[Delta] {
		t.Errorf("full %d bytes, delta %d, compressed %d", sizes[Full], sizes[Delta], sizes[Compressed])
	}
}

func TestParseEncoding(t *testing.T) {
	for how, name := range Encodings {
		if got, ok := ParseEncoding(name); !ok || got != Encoding(how) {
			t.Errorf("%s is %v, %v", name, got, ok)
		}
	}
	if _, ok := ParseEncoding("morse"); ok {
		t.Error("morse passes")
	}
}

// FuzzDecoder feeds messages to a decoder that knows something already. What it does not take must leave it as it was; what it
// takes must leave it consistent.
func FuzzDecoder(f *testing.F) {
	e := NewEncoder(schema, Delta)
	for i := range 5 {
		e.Put(&world.Object{ID: world.ID(i + 1), Pos: at(int64(i), 7)})
	}
	first, _ := e.Append(nil, 10_000)
	e.Remove(2)
	e.Put(&world.Object{ID: 3, Pos: at(9, 9)})
	e.Put(&world.Object{ID: 9, User: 2})
	news, _ := e.Append(nil, 10_000)
	whole, _ := e.AppendAccount(nil, 10_000, 0)
	part, next := e.AppendAccount(nil, 0, 0)
	last, _ := e.AppendAccount(nil, 10_000, next)
	f.Add(news)
	f.Add(whole)
	f.Add(part)
	f.Add(last)
	f.Add(newSqueezer().append(nil, append(news, make([]byte, 100)...)))
	f.Fuzz(func(t *testing.T, msg []byte) {
		d := NewDecoder(schema)
		if _, ok := d.Read(first); !ok {
			t.Fatal("the first message cannot be read")
		}
		before := model{}
		for id := world.ID(1); id <= 5; id++ {
			before[id] = *d.Get(id)
		}
		if changes, ok := d.Read(msg); !ok {
			if len(changes) > 0 {
				t.Fatal("changes from a message that makes no sense")
			}
			before.check(t, d)
		}
		held := 0
		for slot, o := range d.slots {
			if o.ID != 0 {
				held++
				if at, _ := d.where.Get(o.ID); at != int32(slot) {
					t.Fatalf("object %d stands in slot %d, not %d", o.ID, slot, at)
				}
			}
		}
		if held != d.Len() {
			t.Fatalf("%d objects in slots, %d known", held, d.Len())
		}
	})
}

func BenchmarkBand(b *testing.B) {
	for how, name := range Encodings {
		b.Run(name, func(b *testing.B) {
			e, d := NewEncoder(schema, Encoding(how)), NewDecoder(schema)
			r := random.New(1, "bench")
			objects := make([]world.Object, 1000)
			for i := range objects {
				objects[i] = anything(&r, 1)
				objects[i].ID = world.ID(1 + i)
			}
			var buf []byte
			size := 0
			b.ReportAllocs()
			for b.Loop() {
				for i := range objects {
					objects[i].Pos.X += 1000
					e.Put(&objects[i])
				}
				for more := true; more; {
					buf, more = e.Append(buf[:0], 60_000)
					size += len(buf)
					d.Read(buf)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/object")
			b.ReportMetric(float64(size)/float64(b.N)/1000, "B/object")
		})
	}
}
