package aos

import (
	"throng/mechanism/parts/update"
	"throng/world"
)

// belief is what those who are told of an area take its objects to be: as they were last told, and on from there as the rules
// guess. Only what is otherwise need be told.
type belief struct {
	replica *replica
	state   *world.State // the area's own objects
	guess   world.Object // scratch, since rules are handed a pointer to it
	wrong   []world.ID
}

var _ update.Believed = (*belief)(nil)

func newBelief(r *replica) *belief {
	return &belief{replica: r, state: world.NewState(r.world.Schema(), r.state().Seed())}
}

// tell notes that an object is told as it is.
func (b *belief) tell(o *world.Object) {
	b.guess = *o
	b.state.Schema().Round(&b.guess)
	b.state.Put(b.guess)
}

// Believed implements update.Believed.
func (b *belief) Believed(id world.ID) *world.Object { return b.state.Get(id) }

// pass lets a tick pass and hands over what is now otherwise than believed.
func (b *belief) pass(is *world.State, tell func(o *world.Object)) {
	b.wrong = b.wrong[:0]
	for o := range b.state.All() {
		b.guess = *o
		b.replica.world.Extrapolate(&b.guess, b.replica.pace.Tick)
		if b.guess != *o {
			*b.state.Edit(o.ID) = b.guess
		}
		if now := is.Get(o.ID); now != nil && b.replica.owns(now) && !b.right(now) {
			b.wrong = append(b.wrong, o.ID)
		}
	}
	for _, id := range b.wrong {
		o := is.Get(id)
		b.tell(o)
		tell(o)
	}
}

// right reports whether the guess will do for an object: it is the same but for a little of the way, and while it rests the
// same altogether.
func (b *belief) right(o *world.Object) bool {
	was := b.guess
	b.guess = *o
	b.state.Schema().Round(&b.guess)
	exact := b.guess
	if exact == was {
		return true
	}
	near := exact.Pos.Within(was.Pos, b.state.Schema().Kinds[o.Kind].Threshold)
	was.Pos = exact.Pos
	return near && was == exact && b.replica.goes(o)
}
