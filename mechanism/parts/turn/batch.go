package turn

import (
	"fmt"
	"math"
	"slices"

	"throng/world"
	"throng/world/wire"
)

const (
	// ActionsMax is how many actions a turn may have.
	ActionsMax = 1 << 14

	// BytesMax is how long an encoded batch may be.
	BytesMax = 1 << 20
)

// Batch gathers the actions of one turn. The zero Batch is empty and ready for use.
//
// Its encoded form has the actions in the order in which they are carried out: by user, then as the user took them. Equal
// turns are equal byte by byte, so that the encoded form can stand for the turn.
type Batch struct {
	actions []world.Action
}

// Add takes an action into the turn. It returns false where there is no room.
func (b *Batch) Add(a *world.Action) bool {
	if len(b.actions) == ActionsMax {
		return false
	}
	b.actions = append(b.actions, *a)
	return true
}

// Drop takes a user's actions out.
func (b *Batch) Drop(u world.User) {
	b.actions = slices.DeleteFunc(b.actions, func(a world.Action) bool { return a.User == u })
}

// Len is how many actions there are.
func (b *Batch) Len() int { return len(b.actions) }

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() { b.actions = b.actions[:0] }

// Append puts the actions in order and appends their encoded form. Of two actions with the same name only one counts.
func (b *Batch) Append(dst []byte) []byte {
	slices.SortFunc(b.actions, order)
	b.actions = slices.CompactFunc(b.actions, func(x, y world.Action) bool { return order(x, y) == 0 })
	dst = wire.AppendUint(dst, uint64(len(b.actions)))
	var last world.User
	for i := range b.actions {
		dst = appendAction(dst, last, &b.actions[i])
		last = b.actions[i].User
	}
	return dst
}

// appendAction appends an action that follows one of a user. Batches are most of what is sent in lockstep, so they are a little
// more compact than world.AppendAction: users are told by their distance, and verbs together with how many arguments they have.
func appendAction(dst []byte, last world.User, a *world.Action) []byte {
	n := a.Given()
	dst = wire.AppendUint(dst, uint64(a.User-last))
	dst = wire.AppendUint(dst, uint64(a.Seq))
	dst = wire.AppendUint(dst, uint64(a.Verb)*(world.MaxArgs+1)+uint64(n))
	dst = wire.AppendUint(dst, uint64(a.Target))
	for _, v := range a.Args[:n] {
		dst = wire.AppendInt(dst, v)
	}
	return dst
}

// readAction reads what appendAction wrote. There is one way only to write an action.
func readAction(r *wire.Reader, last world.User) world.Action {
	a := world.Action{User: last + world.User(r.UintMax(uint64(math.MaxUint32-last))), Seq: uint32(r.UintMax(math.MaxUint32))}
	head := r.UintMax(math.MaxUint8*(world.MaxArgs+1) + world.MaxArgs)
	a.Verb = world.VerbID(head / (world.MaxArgs + 1))
	a.Target = world.ID(r.Uint())
	n := int(head % (world.MaxArgs + 1))
	for i := range n {
		a.Args[i] = r.Int()
	}
	if a.Given() != n {
		r.Fail()
	}
	return a
}

func order(x, y world.Action) int {
	switch {
	case x.Before(&y):
		return -1
	case y.Before(&x):
		return 1
	}
	return 0
}

// Check reads an encoded batch that comes from elsewhere and says what is wrong with it. Only what has been checked may be
// played or read.
func Check(s *world.Schema, batch []byte) error {
	if len(batch) > BytesMax {
		return fmt.Errorf("%w: a turn of %d bytes", wire.ErrMalformed, len(batch))
	}
	r := wire.NewReader(batch)
	var last world.Action
	for i := range r.UintMax(ActionsMax) {
		a := readAction(&r, last.User)
		if r.Failed() {
			break
		}
		if a.User == 0 || i > 0 && !last.Before(&a) {
			return fmt.Errorf("%w: actions out of order", wire.ErrMalformed)
		}
		if err := s.CheckAction(&a); err != nil {
			return fmt.Errorf("%w: %w", wire.ErrMalformed, err)
		}
		last = a
	}
	return r.Done()
}

// Reader runs through the actions of encoded batches without allocating: the action that it hands out is its own.
type Reader struct {
	r      wire.Reader
	left   uint64
	action world.Action
}

// Open begins with a batch.
func (r *Reader) Open(batch []byte) {
	r.r = wire.NewReader(batch)
	r.left = r.r.UintMax(ActionsMax)
	r.action.User = 0
}

// Next returns the next action, or nil after the last. It holds until the next call.
func (r *Reader) Next() *world.Action {
	if r.left == 0 || r.r.Failed() {
		return nil
	}
	r.left--
	r.action = readAction(&r.r, r.action.User)
	return &r.action
}

// Play carries out all actions of a batch.
func (r *Reader) Play(w *world.Window, rules world.Rules, batch []byte) {
	r.Open(batch)
	for a := r.Next(); a != nil; a = r.Next() {
		w.Do(rules, a)
	}
}
