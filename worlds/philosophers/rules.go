package philosophers

import "throng/world"

// Act takes both forks, or puts them down. Where a fork is not open to change, nothing happens to the other one either.
func (t *table) Act(w *world.Window, a *world.Action) {
	if a.User < 1 || a.User > t.Users() {
		return
	}
	was, is := int64(0), int64(a.User)
	if a.Verb == Release {
		was, is = is, was
	}
	forks := t.forks(a.User)
	for _, id := range forks {
		if o := w.Edit(id); o == nil || o.Attr[attrHolder] != was {
			return
		}
	}
	o := w.Edit(philosopherOf(a.User))
	if o == nil {
		return
	}
	o.Attr[attrEating] = 0
	if a.Verb == Grab {
		o.Attr[attrEating] = 1
		o.Attr[attrMeals] = min(o.Attr[attrMeals]+1, mealsMax)
	}
	for _, id := range forks {
		w.Edit(id).Attr[attrHolder] = is
	}
}

// Reach: a philosopher and two forks.
func (t *table) Reach(s *world.State, a *world.Action, f *world.Footprint) {
	if a.User < 1 || a.User > t.Users() {
		return
	}
	forks := t.forks(a.User)
	for _, id := range [...]world.ID{philosopherOf(a.User), forks[0], forks[1]} {
		if s.Get(id) != nil {
			f.Write(id)
		}
	}
}

// Step does nothing: everybody acts for themselves.
func (t *table) Step(*world.Window) {}

// Extrapolate guesses that everything stays as it is.
func (t *table) Extrapolate(*world.Object, world.Time) {}
