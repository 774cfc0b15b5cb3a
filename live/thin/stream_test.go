package thin_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"throng/catalog"
	"throng/live/thin"
	"throng/live/thin/thinclient"
	"throng/world"
	"throng/world/fixed"
)

const metre = fixed.One

// build makes a world of the catalog, as it is at tick zero.
func build(t testing.TB, name string, params map[string]string) (world.World, *world.State) {
	t.Helper()
	c := catalog.Default()
	w, err := c.BuildWorld(catalog.Choice{Name: name, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	return w, s
}

var formats = map[string]thin.Format{"json": thin.JSON, "msgpack": thin.MessagePack}

// program is the other end of a stream.
type program struct {
	stream *thin.Stream
	format thin.Format
	view   *thinclient.View
}

// tell has the program hear of everything in a view, in as many messages as it takes, and returns how many bytes that took.
func (p *program) tell(t fataler, s *world.State) (size int) {
	for p.stream.Look(s) {
		w := thin.Writer{Format: p.format}
		p.stream.Write(&w, 3600*world.Second)
		m, err := thinclient.Parse(p.format, w.B)
		if err != nil {
			t.Fatalf("%q: %v", w.B, err)
		}
		if err := p.view.Apply(m); err != nil {
			t.Fatalf("%q: %v", w.B, err)
		}
		size += len(w.B)
	}
	return size
}

type fataler interface{ Fatalf(string, ...any) }

// agree checks that a program knows exactly what is in a view, as far as the fields asked for go.
func (p *program) agree(t fataler, s *world.State, fields map[string][]string) {
	count := 0
	for o := range s.All() {
		k := &s.Schema().Kinds[o.Kind]
		wanted, some := fields[k.Name]
		if fields != nil && !some {
			continue
		}
		count++
		told := p.view.Objects[float64(o.ID)]
		if told == nil || told["kind"] != k.Name || told["user"] != float64(o.User) {
			t.Fatalf("object %d is told as %v", o.ID, told)
		}
		for _, v := range k.Variables {
			if fields == nil {
				wanted = append(wanted, v.Name)
			}
			checkValue(t, told, &v, o, s.Schema().Tick)
		}
		if fields != nil && len(told) != 3+len(wanted) {
			t.Fatalf("%v has other fields than %v", told, wanted)
		}
	}
	if count != len(p.view.Objects) {
		t.Fatalf("%d objects are told of %d", len(p.view.Objects), count)
	}
}

func checkValue(t fataler, told thinclient.Object, v *world.Variable, o *world.Object, tick world.Time) {
	got, some := told[v.Name]
	if !some {
		return
	}
	n := float64(o.Get(v.Slot))
	step := float64(max(v.Quantum, 1))
	switch v.Type {
	case world.Flag:
		if got != (n != 0) {
			t.Fatalf("%s of %d is told as %v", v.Name, o.ID, got)
		}
		return
	case world.Fixed:
		n, step = n/float64(metre), max(step/float64(metre), 1e-6)
	case world.Angle:
		n, step = n/(1<<32)*2*math.Pi, max(step/(1<<32)*2*math.Pi, 1e-4)
	case world.Moment:
		n, step = n*float64(tick)/float64(world.Millisecond), 1
	default:
		step = 0
	}
	if f, ok := got.(float64); !ok || math.Abs(f-n) > step*1.01 {
		t.Fatalf("%s of %d is %v and told as %v", v.Name, o.ID, n, got)
	}
}

// Whatever happens in whichever world, a program knows what is in view after it was told.
func TestProgramsKnowTheView(t *testing.T) {
	type start struct {
		world world.World
		state *world.State
	}
	var starts []start
	for _, entry := range catalog.Default().Worlds {
		w, s := build(t, entry.Name, nil)
		starts = append(starts, start{w, s})
	}
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(starts).Draw(t, "world")
		format := rapid.SampledFrom([]thin.Format{thin.JSON, thin.MessagePack}).Draw(t, "format")
		s := from.state.Clone()
		p := &program{thin.NewStream(thin.NewCatalogue(from.world)), format, thinclient.NewView()}
		for range rapid.IntRange(1, 5).Draw(t, "views") {
			p.tell(t, s)
			p.agree(t, s, nil)
			disturb(t, s)
		}
	})
}

// disturb changes anything in a state.
func disturb(t *rapid.T, s *world.State) {
	var ids []world.ID
	for o := range s.All() {
		ids = append(ids, o.ID)
	}
	for range rapid.IntRange(0, min(8, 8*len(ids))).Draw(t, "changes") {
		id := ids[rapid.IntRange(0, len(ids)-1).Draw(t, "object")]
		o := s.Get(id)
		switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
		case o == nil:
			s.Put(world.Object{ID: id, Kind: world.KindID(rapid.IntRange(0, len(s.Schema().Kinds)-1).Draw(t, "kind")), User: 3})
		case what == 0:
			s.Remove(id)
		case what == 1:
			next := *o
			next.User++
			s.Put(next)
		default:
			next := *o
			for _, v := range s.Schema().Kinds[o.Kind].Variables {
				if rapid.Bool().Draw(t, v.Name) && v.Type != world.Reference {
					next.Set(v.Slot, rapid.Int64Range(v.Min, min(v.Max, 1<<45)).Draw(t, "value"))
				}
			}
			s.Put(next)
		}
	}
}

func TestOnlyWhatIsAskedFor(t *testing.T) {
	w, s := build(t, "crowd", map[string]string{"walkers": "20"})
	p := &program{thin.NewStream(thin.NewCatalogue(w)), thin.JSON, thinclient.NewView()}
	p.tell(t, s)
	few := map[string][]string{"walker": {"x", "faces"}}
	p.stream.Ask(&thin.Wishes{Fields: few})
	p.tell(t, s)
	p.agree(t, s, few)
	o := *s.Get(1)
	o.Pos.Y += metre
	s.Put(o)
	if n := p.tell(t, s); n != 0 {
		t.Errorf("%d bytes for what nobody asked for", n)
	}
	p.stream.Ask(&thin.Wishes{All: true})
	p.tell(t, s)
	p.agree(t, s, nil)
}

// A program that goes on asking for something else is told by tables whose numbers are used again.
func TestTablesAreNotRememberedForever(t *testing.T) {
	w, s := build(t, "crowd", map[string]string{"walkers": "3"})
	p := &program{thin.NewStream(thin.NewCatalogue(w)), thin.JSON, thinclient.NewView()}
	kind := &w.Schema().Kinds[0]
	for i := range 1 << min(len(kind.Variables), 8) {
		fields := map[string][]string{kind.Name: nil}
		for bit, v := range kind.Variables {
			if i>>bit&1 == 1 {
				fields[kind.Name] = append(fields[kind.Name], v.Name)
			}
		}
		p.stream.Ask(&thin.Wishes{Fields: fields})
		if !p.stream.Look(s) {
			t.Fatal("nothing enters again")
		}
		out := thin.Writer{Format: thin.JSON}
		p.stream.Write(&out, 0)
		m, err := thinclient.Parse(thin.JSON, out.B)
		if err != nil || p.view.Apply(m) != nil {
			t.Fatal(err, m)
		}
		for _, table := range m["tables"].([]any) {
			if number := table.([]any)[0].(float64); number > 2 {
				t.Fatalf("after %d questions there is a table %v", i+1, number)
			}
		}
		p.agree(t, s, fields)
	}
}

func TestWhatDiffersByLessThanTheQuantumIsNotTold(t *testing.T) {
	w, s := build(t, "crowd", map[string]string{"walkers": "2"})
	p := &program{thin.NewStream(thin.NewCatalogue(w)), thin.JSON, thinclient.NewView()}
	p.tell(t, s)
	o := *s.Get(1)
	o.Pos.X = 5 * metre
	s.Put(o)
	p.tell(t, s)
	for range 30 { // creeping must not go unnoticed either
		o.Pos.X += metre / 1000
		s.Put(o)
		p.tell(t, s)
	}
	p.agree(t, s, nil)
	o.Pos.X = 5*metre + metre*3/100 + metre/1000
	s.Put(o)
	if n := p.tell(t, s); n != 0 {
		t.Errorf("%d bytes for a millimetre", n)
	}
}

// A message is never larger than a connection's queue takes, however much comes into view at once.
func TestMuchComesInParts(t *testing.T) {
	w, s := build(t, "crowd", map[string]string{"walkers": "3000"})
	p := &program{thin.NewStream(thin.NewCatalogue(w)), thin.JSON, thinclient.NewView()}
	largest := 0
	for p.stream.Look(s) {
		out := thin.Writer{}
		p.stream.Write(&out, 0)
		m, err := thinclient.Parse(thin.JSON, out.B)
		if err == nil {
			err = p.view.Apply(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, len(out.B))
	}
	p.agree(t, s, nil)
	if largest > 100<<10 {
		t.Errorf("a message of %d bytes", largest)
	}
}

// So does much that changes at once; nothing of it is forgotten, and nothing leaves for it.
func TestMuchChangesInParts(t *testing.T) {
	w, s := build(t, "crowd", map[string]string{"walkers": "2500"})
	p := &program{thin.NewStream(thin.NewCatalogue(w)), thin.MessagePack, thinclient.NewView()}
	p.tell(t, s)
	for id := world.ID(1); id <= 2500; id++ {
		s.Edit(id).Pos.X += metre
	}
	if !p.stream.Look(s) {
		t.Fatal("nothing has changed")
	}
	out := thin.Writer{Format: thin.MessagePack}
	p.stream.Write(&out, 0)
	m, err := thinclient.Parse(thin.MessagePack, out.B)
	if err != nil || m["leave"] != nil || m["enter"] != nil {
		t.Fatalf("%v; leaving %v, entering %v", err, m["leave"], m["enter"])
	}
	if err := p.view.Apply(m); err != nil {
		t.Fatal(err)
	}
	p.tell(t, s)
	p.agree(t, s, nil)
}

// colyseus is how many bytes Colyseus takes for a patch that moves objects: for each a byte that switches to it and its reference,
// then for each field a byte for the operation and a number, which is a head and four bytes if it has a fraction. A byte says that
// the message is a patch. Numbers up to 127 take one byte, up to 255 two, up to 65,535 three.
func colyseus(references []int, fields int) int {
	size := 1
	for _, r := range references {
		size += 1 + numberSize(r) + fields*(1+5)
	}
	return size
}

func numberSize(n int) int {
	switch {
	case n < 128:
		return 1
	case n < 256:
		return 2
	}
	return 3
}

// A view of what moves takes less than twice what Colyseus takes in JSON, and less than it in MessagePack.
func TestViewsAreSmall(t *testing.T) {
	w, s := build(t, "crowd", map[string]string{"walkers": "1000"})
	for _, neighbours := range []int{3, 5, 10, 30, 100} {
		sizes := map[string]int{}
		for name, format := range formats {
			p := &program{thin.NewStream(thin.NewCatalogue(w)), format, thinclient.NewView()}
			seen := world.NewState(w.Schema(), 1)
			var references []int
			for i := range neighbours {
				o := *s.Get(world.ID(1 + i*997%1000))
				seen.Put(o)
				references = append(references, int(o.ID)) // as many as there are objects
			}
			for range 2 { // the second time the table is known
				p.tell(t, seen)
				for o := range seen.All() {
					moved := *o
					moved.Pos = moved.Pos.Add(fixed.Vec{X: 13 * metre / 100, Y: -17 * metre / 100})
					seen.Put(moved)
				}
			}
			sizes[name] = p.tell(t, seen)
			sizes["colyseus"] = colyseus(references, 2)
		}
		t.Logf("%d walkers move: %v", neighbours, sizes)
		if sizes["json"] >= 2*sizes["colyseus"] || sizes["msgpack"] >= sizes["colyseus"] {
			t.Errorf("%d walkers: %v", neighbours, sizes)
		}
	}
}

func BenchmarkView(b *testing.B) {
	for name, format := range formats {
		for _, neighbours := range []int{10, 100} {
			b.Run(fmt.Sprintf("%s/%d", name, neighbours), func(b *testing.B) {
				w, s := build(b, "crowd", map[string]string{"walkers": fmt.Sprint(neighbours)})
				stream := thin.NewStream(thin.NewCatalogue(w))
				out := thin.Writer{Format: format}
				for i := 0; b.Loop(); i++ {
					for id := world.ID(1); id <= world.ID(neighbours); id++ {
						s.Edit(id).Pos.X = fixed.F(i%1000) * metre / 10
					}
					if stream.Look(s) {
						out.B = out.B[:0]
						stream.Write(&out, 0)
					}
				}
				b.ReportAllocs()
				b.ReportMetric(float64(len(out.B)), "bytes")
			})
		}
	}
}
