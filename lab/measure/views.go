package measure

import (
	"slices"

	"throng/world"
)

// perView holds what was found out about the views of one tick, so that one that many hosts share is examined once.
type perView[T any] struct {
	views []*world.State
	found []T
}

// of returns what was found out about a view in this tick, or nil.
func (p *perView[T]) of(view *world.State) *T {
	if i := slices.Index(p.views, view); i >= 0 {
		return &p.found[i]
	}
	return nil
}

// add makes room for what there is to know about a view, in memory that may have served another before: the caller sees to
// what is left in it.
func (p *perView[T]) add(view *world.State) *T {
	n := len(p.views)
	p.views = append(p.views, view)
	p.found = slices.Grow(p.found, 1)[:n+1]
	return &p.found[n]
}

// forget is called at the end of a tick.
func (p *perView[T]) forget() { p.views, p.found = p.views[:0], p.found[:0] }
