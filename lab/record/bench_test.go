package record

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// The crowds of the benchmarks: hosts that each show so many objects, all of which change their velocity at every tick.
var crowds = []struct{ hosts, objects int }{{8, 17}, {100, 1000}}

// moving is a world over some time, to be shown by hosts that lag behind one another. After its last state it runs
// backwards, so that there are no jumps.
type moving []*world.State

const movingStates = 64

func newMoving(objects int) moving {
	bounds := fixed.Box{Max: fixed.Vec{X: 1000 * fixed.One, Y: 1000 * fixed.One}}
	schema := &world.Schema{Name: "moving", Tick: 50 * world.Millisecond, Bounds: bounds, Kinds: []world.Kind{{Name: "bird",
		Variables: append(world.Placed(bounds, 1, 0), world.Moving(bounds, 10*fixed.One, 1, 0)...)}}}
	s := world.NewState(schema, 1)
	draw := random.New(1, "moving")
	coordinate := func(most fixed.F) fixed.F { return fixed.F(draw.Below(uint64(most))) }
	for i := range objects {
		s.Put(world.Object{ID: world.ID(i + 1),
			Pos: fixed.Vec{X: coordinate(1000 * fixed.One), Y: coordinate(1000 * fixed.One)},
			Vel: fixed.Vec{X: coordinate(10 * fixed.One), Y: coordinate(10 * fixed.One)}})
	}
	var m moving
	for tick := range movingStates {
		s.SetTick(world.Tick(tick))
		m = append(m, s.Clone())
		for i := range objects {
			o := s.Edit(world.ID(i + 1))
			world.Drift(o, schema.Tick)
			o.Vel.X += coordinate(fixed.One) - fixed.One/2
			o.Vel.Y += coordinate(fixed.One) - fixed.One/2
		}
	}
	return m
}

func (m moving) at(tick int) *world.State {
	tick %= 2 * len(m)
	return m[min(tick, 2*len(m)-1-tick)]
}

// crowd is a writer whose hosts show a moving world, and the tick they are at.
func crowd(b testing.TB, out io.Writer, hosts, objects int) (*Writer, *int) {
	film, tick := newMoving(objects), new(int)
	w := &Writer{out: out, header: Header{World: film[0].Schema(), Every: 1}}
	for h := range hosts {
		w.track(Track{User: 1}, func() *world.State { return film.at(*tick + h%8) })
	}
	if err := w.begin(0); err != nil {
		b.Fatal(err)
	}
	return w, tick
}

// counter counts bytes.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func BenchmarkWrite(b *testing.B) {
	for _, c := range crowds {
		b.Run(fmt.Sprintf("%dx%d", c.hosts, c.objects), func(b *testing.B) {
			var size counter
			w, tick := crowd(b, &size, c.hosts, c.objects)
			length := w.header.World.Tick
			frame := func() {
				w.Tick(world.Time(*tick) * length)
				*tick++
			}
			for range 2*w.groupFrames + 1 { // until all buffers have grown
				frame()
			}
			start, first := size, *tick
			b.ReportAllocs()
			for b.Loop() {
				frame()
			}
			w.flush()
			b.ReportMetric(float64(size-start)/float64(*tick-first), "B/frame")
			if w.err != nil {
				b.Fatal(w.err)
			}
		})
	}
}

// film is a recording of three groups.
func film(b *testing.B, hosts, objects int) *Reader {
	var out bytes.Buffer
	w, tick := crowd(b, &out, hosts, objects)
	for range 3 * w.groupFrames {
		w.Tick(world.Time(*tick) * w.header.World.Tick)
		*tick++
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return open(b, out.Bytes())
}

func BenchmarkNext(b *testing.B) {
	for _, c := range crowds {
		b.Run(fmt.Sprintf("%dx%d", c.hosts, c.objects), func(b *testing.B) {
			r := film(b, c.hosts, c.objects)
			for r.Next() == nil { // until all buffers have grown
			}
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				if err := r.At(n % r.Frames()); err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
}

// BenchmarkSeek jumps between the last frames of groups: the farthest from a key frame.
func BenchmarkSeek(b *testing.B) {
	for _, c := range crowds {
		for _, tracks := range []int{c.hosts, 2} {
			b.Run(fmt.Sprintf("%dx%d/tracks=%d", c.hosts, c.objects, tracks), func(b *testing.B) {
				r := film(b, c.hosts, c.objects)
				var some []int
				for i := range tracks {
					some = append(some, i)
				}
				r.Select(some...)
				n := 0
				b.ReportAllocs()
				for b.Loop() {
					n++
					if err := r.At(r.starts[1+n%2] - 1); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
