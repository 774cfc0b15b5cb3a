package sight

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// gallery is a gaze with an audience that remembers what it was told.
type gallery struct {
	state *world.State
	gaze  *Gaze
	next  int32
	sees  map[world.User]map[int32]world.ID
}

func newGallery(w world.World) *gallery {
	g := &gallery{state: world.NewState(w.Schema(), 1), sees: map[world.User]map[int32]world.ID{}}
	g.gaze = NewGaze(w, g.state, g)
	return g
}

func (g *gallery) Enter(u world.User, id world.ID) int32 {
	if g.sees[u] == nil {
		g.sees[u] = map[int32]world.ID{}
	}
	g.next++
	g.sees[u][g.next] = id
	return g.next
}

func (g *gallery) Leave(u world.User, h int32) {
	if _, ok := g.sees[u][h]; !ok {
		panic(fmt.Sprintf("user %d does not have handle %d", u, h))
	}
	delete(g.sees[u], h)
}

func (g *gallery) put(o world.Object, shown bool) {
	g.state.Put(o)
	g.gaze.Put(&o, shown)
}

func (g *gallery) remove(id world.ID) {
	g.state.Remove(id)
	g.gaze.Remove(id)
}

// seen is what a user has been told of, in the order of IDs.
func (g *gallery) seen(u world.User) []world.ID {
	var ids []world.ID
	for _, id := range g.sees[u] {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// naive is what a user should see of what is for show.
func naive(w world.World, s *world.State, u world.User, everything bool, shown map[world.ID]bool) []world.ID {
	var ids []world.ID
	reach := w.(world.Limited).Limits().Sight
	for o := range s.All() {
		near := everything || o.User == u || o.Kind == score
		for c := range s.All() {
			near = near || c.User == u && c.Kind != score && c.Pos.Within(o.Pos, reach)
		}
		v, veiled := w.(world.Veiled)
		if near && shown[o.ID] && (!veiled || o.User == u || v.Sees(s, u, o)) {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func TestGazeAgainstNaive(t *testing.T) {
	for name, w := range map[string]world.World{"plain": newPlain(), "boundless": &boundless{*newPlain()}, "foggy": &foggy{*newPlain()}} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g := newGallery(w)
				shown, there := map[world.ID]bool{}, map[world.User]bool{}
				place := rapid.Int64Range(-5, 105)
				for range 60 {
					id := world.ID(rapid.IntRange(1, 12).Draw(t, "id"))
					u := world.User(rapid.IntRange(0, 3).Draw(t, "user"))
					switch rapid.IntRange(0, 5).Draw(t, "what") {
					case 0:
						g.remove(id)
						delete(shown, id)
					case 1:
						if there[u] = u != 0 && !there[u]; there[u] {
							g.gaze.Join(u, u == 3)
						} else {
							g.gaze.Leave(u)
							delete(g.sees, u)
						}
					default:
						o := world.Object{ID: id, User: u, Kind: world.KindID(id % 6 / 5)}
						if was := g.state.Get(id); was != nil && rapid.Bool().Draw(t, "same") {
							o = *was
						}
						if o.Kind == thing {
							o.Pos = fixed.Vec{X: fixed.FromInt(place.Draw(t, "x")), Y: fixed.FromInt(place.Draw(t, "y"))}
							if was := g.state.Get(id); was != nil && rapid.Bool().Draw(t, "near") {
								o.Pos = was.Pos.Add(fixed.Vec{X: fixed.FromInt(rapid.Int64Range(-12, 12).Draw(t, "dx"))})
							}
						}
						shown[id] = rapid.Bool().Draw(t, "shown")
						g.put(o, shown[id])
					}
					g.gaze.Unveil()
					for u := world.User(1); u <= 3; u++ {
						var want []world.ID
						if there[u] {
							want = naive(w, g.state, u, u == 3 || name == "boundless", shown)
						}
						if got := g.seen(u); !slices.Equal(got, want) {
							t.Fatalf("user %d sees %v, want %v", u, got, want)
						}
					}
				}
			})
		})
	}
}

func TestViewers(t *testing.T) {
	g := newGallery(newPlain())
	g.gaze.Join(1, false)
	g.put(world.Object{ID: 1, User: 1, Pos: fixed.Vec{X: 50 * m}}, true)
	g.put(world.Object{ID: 2, User: 2, Pos: fixed.Vec{X: 55 * m}}, true)
	v := g.gaze.Viewers(1)
	if len(v) != 2 || v[0].User != 1 || v[0].Handle == Hidden || v[1].User != 2 || v[1].Handle != Hidden {
		t.Errorf("object 1 is seen by %+v", v)
	}
	if g.gaze.Viewers(3) != nil {
		t.Error("somebody sees what is not there")
	}
}

// BenchmarkGaze has a fifth of the objects move in each round, each by a tenth of what their users see.
func BenchmarkGaze(b *testing.B) {
	for _, users := range []int{60, 400} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			w := newPlain()
			w.schema.Bounds.Max = fixed.Vec{X: 1280 * m, Y: 512 * m}
			g := newGallery(w)
			r := random.New(1, "gaze")
			objects := make([]world.Object, users*50)
			for i := range objects {
				objects[i] = world.Object{ID: world.ID(i + 1), User: world.User(i/50 + 1)}
				objects[i].Pos = fixed.Vec{X: fixed.F(r.Below(uint64(1280 * m))), Y: fixed.F(r.Below(uint64(512 * m)))}
				g.put(objects[i], true)
			}
			turn := 0
			b.ReportAllocs()
			for b.Loop() {
				turn++
				for i := turn % 5; i < len(objects); i += 5 {
					o := &objects[i]
					o.Pos.X += m
					if !w.schema.Bounds.Contains(o.Pos) {
						o.Pos.X = 0
					}
					g.gaze.Put(o, true)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(objects)/5), "ns/move")
		})
	}
}
