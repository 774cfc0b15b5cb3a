package world

import (
	"errors"
	"fmt"

	"throng/world/wire"
)

// MaxArgs is how many numbers an action may carry.
const MaxArgs = 6

// VerbID is a verb's place in its schema.
type VerbID uint8

// The verbs that every inhabited world has beside those of its schema: a user comes, a user goes.
const (
	Enter VerbID = 255
	Leave VerbID = 254
)

// Action is something that one user does: a plain value without pointers.
type Action struct {
	User   User
	Seq    uint32 // counts the user's actions, from one; with User it names the action
	Verb   VerbID
	Target ID // what it is done with or to, if anything
	Args   [MaxArgs]int64
}

// Before orders the actions of one tick, the same everywhere: by user, then as the user took them.
func (a *Action) Before(b *Action) bool {
	if a.User != b.User {
		return a.User < b.User
	}
	return a.Seq < b.Seq
}

// CheckAction says what about an action makes no sense in this world: an unknown verb, a number out of its range.
// Actions that come from a network or a file are checked before the rules see them.
func (s *Schema) CheckAction(a *Action) error {
	if a.Verb == Enter || a.Verb == Leave {
		if a.Args != [MaxArgs]int64{} || a.Target != 0 {
			return errors.New("entering and leaving take no arguments")
		}
		return nil
	}
	if int(a.Verb) >= len(s.Verbs) {
		return fmt.Errorf("world %s has no verb %d", s.Name, a.Verb)
	}
	verb := &s.Verbs[a.Verb]
	var known [MaxArgs]bool
	for i := range verb.Args {
		arg := &verb.Args[i]
		known[arg.Slot] = true
		if v := a.Args[arg.Slot]; arg.Type != Reference && (v < arg.Min || v > arg.Max) {
			return fmt.Errorf("%s: %s is %d, outside %d to %d", verb.Name, arg.Name, v, arg.Min, arg.Max)
		}
	}
	for i, v := range a.Args {
		if v != 0 && !known[i] {
			return fmt.Errorf("%s takes no argument %d", verb.Name, i)
		}
	}
	return nil
}

// AppendAction appends an action in its compact form: absent arguments cost nothing.
func AppendAction(dst []byte, a *Action) []byte {
	dst = wire.AppendUint(dst, uint64(a.User))
	dst = wire.AppendUint(dst, uint64(a.Seq))
	dst = append(dst, byte(a.Verb))
	dst = wire.AppendUint(dst, uint64(a.Target))
	n := a.Given()
	dst = append(dst, byte(n))
	for _, v := range a.Args[:n] {
		dst = wire.AppendInt(dst, v)
	}
	return dst
}

// Given is how many arguments there are, up to the last that is not zero.
func (a *Action) Given() int {
	n := MaxArgs
	for n > 0 && a.Args[n-1] == 0 {
		n--
	}
	return n
}

// ReadAction reads what AppendAction wrote. It does not know whether the action makes sense; see CheckAction.
func ReadAction(r *wire.Reader) Action {
	a := Action{
		User:   User(r.UintMax(1<<32 - 1)),
		Seq:    uint32(r.UintMax(1<<32 - 1)),
		Verb:   VerbID(r.Byte()),
		Target: ID(r.Uint()),
	}
	n := int(r.Byte())
	if n > MaxArgs {
		r.Fail()
		return Action{}
	}
	for i := range n {
		a.Args[i] = r.Int()
	}
	if r.Failed() || n > 0 && a.Args[n-1] == 0 {
		r.Fail() // a trailing zero is never written
		return Action{}
	}
	return a
}
