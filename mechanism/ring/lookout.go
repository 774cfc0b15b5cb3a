package ring

import (
	"slices"

	"throng/mechanism/parts/relay"
	"throng/world"
	"throng/world/fixed"
)

// lookout knows how users' objects are, as their clients say, and who sees whom.
type lookout struct {
	state   *world.State
	index   *world.Index
	synced  bool         // whether the index shows where objects are now
	veil    world.Veiled // nil where everything in sight is visible
	sight   fixed.F
	bounded bool // whether sight ends anywhere
	placed  []bool
	actors  map[world.User]*actor
	users   []world.User // the actors, in order

	near    []world.User
	hearers []relay.Hearer
	news    []relay.News
	work    world.Work
}

// actor is a user as others see them.
type actor struct {
	objects world.Set
	viewers []world.User // who has heard of their last action, in order
	acted   bool         // before that, everybody knows all there is to know
}

func newLookout(w world.World, start *world.State) *lookout {
	schema := w.Schema()
	l := &lookout{
		state: world.NewState(schema, start.Seed()), sight: schema.Bounds.Size().Len(), actors: map[world.User]*actor{},
		placed: make([]bool, len(schema.Kinds)),
	}
	l.veil, _ = w.(world.Veiled)
	if x, ok := w.(world.Limited); ok && x.Limits().Sight < l.sight {
		l.sight, l.bounded = x.Limits().Sight, true
	}
	l.index = world.NewIndex(max(l.sight, 1))
	for i := range schema.Kinds {
		l.placed[i] = slices.ContainsFunc(schema.Kinds[i].Variables, func(v world.Variable) bool { return v.Slot <= world.SlotZ })
	}
	for o := range start.All() {
		if o.User != 0 {
			l.put(o)
		}
	}
	return l
}

// Told implements relay.Filter.
func (l *lookout) Told(u world.User, news []relay.News) {
	for i := range news {
		x := &news[i]
		l.work++
		if !x.Gone {
			l.put(&x.Object)
		} else if old := l.state.Get(x.Object.ID); old != nil && old.User == u {
			l.remove(x.Object.ID)
		}
	}
}

// Left implements relay.Filter.
func (l *lookout) Left(u world.User) {
	if a := l.actors[u]; a != nil {
		for len(a.objects) > 0 {
			l.remove(a.objects[len(a.objects)-1])
		}
		delete(l.actors, u)
		i, _ := slices.BinarySearch(l.users, u)
		l.users = slices.Delete(l.users, i, i+1)
	}
}

func (l *lookout) put(o *world.Object) {
	if old := l.state.Get(o.ID); old != nil && old.User != o.User {
		l.remove(o.ID)
	}
	a := l.actor(o.User)
	a.objects.Add(o.ID)
	l.state.Put(*o)
	l.synced = false
}

func (l *lookout) remove(id world.ID) {
	l.actor(l.state.Get(id).User).objects.Remove(id)
	l.state.Remove(id)
	l.synced = false
}

func (l *lookout) actor(u world.User) *actor {
	a := l.actors[u]
	if a == nil {
		a = &actor{}
		l.actors[u] = a
		i, _ := slices.BinarySearch(l.users, u)
		l.users = slices.Insert(l.users, i, u)
	}
	return a
}

// Hear implements relay.Filter. Whoever sees the actor hears of the action, and is told how the actor was before it if they
// missed an earlier one. The actor is told in the same way of those whom the last steps have brought into sight.
func (l *lookout) Hear(u world.User) []relay.Hearer {
	a := l.actor(u)
	l.hearers, l.news = l.hearers[:0], l.news[:0]
	l.findNear(u, a)
	own := -1
	for _, v := range l.near {
		if v == u {
			own = len(l.hearers)
			l.hearers = append(l.hearers, relay.Hearer{User: u})
			continue
		}
		if l.sees(v, a) {
			l.hearers = append(l.hearers, relay.Hearer{User: v, Before: l.before(v, a)})
		}
	}
	first := len(l.news)
	for _, v := range l.near {
		if b := l.actors[v]; v != u && b.acted && l.sees(u, b) {
			l.before(u, b)
			b.hear(u)
		}
	}
	l.hearers[own].Before = l.news[first:]
	a.acted, a.viewers = true, a.viewers[:0]
	for _, h := range l.hearers {
		a.viewers = append(a.viewers, h.User)
	}
	return l.hearers
}

// findNear lists in near the user and those who have something within sight of the user's, or everybody where the user has
// no place.
func (l *lookout) findNear(u world.User, a *actor) {
	if !l.synced {
		l.index.Sync(l.state)
		l.synced = true
	}
	l.near = append(l.near[:0], u)
	anywhere := !l.bounded
	homeless := true
	for _, id := range a.objects {
		o := l.state.Get(id)
		if !l.placed[o.Kind] {
			continue
		}
		homeless = false
		if anywhere {
			break
		}
		for _, other := range l.index.Near(o.Pos, l.sight) {
			l.work++
			if p := l.state.Get(other); l.placed[p.Kind] {
				l.near = append(l.near, p.User)
			}
		}
	}
	if homeless || anywhere {
		l.near = append(l.near, l.users...)
		l.work += world.Work(len(l.users))
	}
	slices.Sort(l.near)
	l.near = slices.Compact(l.near)
}

// sees reports whether a user who is near an actor may know of any of the actor's objects.
func (l *lookout) sees(u world.User, a *actor) bool {
	if l.veil == nil {
		return true
	}
	return slices.ContainsFunc(a.objects, func(id world.ID) bool { return l.veil.Sees(l.state, u, l.state.Get(id)) })
}

// before is what somebody has to be told of an actor before they hear of the actor's next action.
func (l *lookout) before(u world.User, a *actor) []relay.News {
	if _, heard := slices.BinarySearch(a.viewers, u); heard || !a.acted {
		return nil
	}
	first := len(l.news)
	for _, id := range a.objects {
		l.news = append(l.news, relay.News{Object: *l.state.Get(id)})
	}
	l.work += world.Work(len(a.objects))
	return l.news[first:]
}

// hear notes that a user knows all there is to know of the actor.
func (a *actor) hear(u world.User) {
	if i, heard := slices.BinarySearch(a.viewers, u); !heard {
		a.viewers = slices.Insert(a.viewers, i, u)
	}
}

// TakeWork implements relay.Filter.
func (l *lookout) TakeWork() world.Work {
	done := l.work
	l.work = 0
	return done
}
