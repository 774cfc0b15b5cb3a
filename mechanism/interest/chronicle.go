package interest

import (
	"throng/mechanism"
	"throng/mechanism/parts/area"
	"throng/mechanism/parts/memo"
	"throng/world"
	"throng/world/wire"
)

// chronicle is a view that is made of the streams of all servers. It moves on once a tick, by what has come since the last, in
// the order of the areas: clients to whom the same has come at the same ticks are in the same state, and share the work.
type chronicle struct {
	scroll   *scroll
	follower *memo.Follower
	memory   memory
	fresh    bool // nothing has been shown yet
	shares   bool // whether there are others to share with
	input    []byte
}

// lineageName tells this lineage from those of other mechanisms.
const lineageName = 0x696e746572657374

func newChronicle(s *mechanism.Session, land *area.Map) *chronicle {
	return &chronicle{
		scroll:   newScroll(s.World.Schema(), land),
		follower: s.Shared.Follow(lineageName, s.Start),
		shares:   s.Shared != nil,
		fresh:    true,
	}
}

// What a step begins with.
const (
	stepOn   = iota
	stepAnew // nothing is known from now on
)

// turn moves on to a tick and returns the view. The first one begins with nothing, whatever the world began with: only then,
// when all who follow the same lineage have been made.
func (c *chronicle) turn(tick world.Tick, contacts []contact) *world.State {
	if c.fresh {
		c.fresh = false
		return c.step(stepAnew, tick, contacts)
	}
	return c.step(stepOn, tick, contacts)
}

// restart forgets everything.
func (c *chronicle) restart(tick world.Tick, contacts []contact) *world.State {
	for i := range contacts {
		contacts[i].inbox = contacts[i].inbox[:0]
	}
	return c.step(stepAnew, tick, contacts)
}

func (c *chronicle) step(how byte, tick world.Tick, contacts []contact) *world.State {
	c.input = wire.AppendUint(append(c.input[:0], how), uint64(tick))
	for i := range contacts {
		c.input = wire.AppendBytes(c.input, contacts[i].inbox)
		contacts[i].inbox = contacts[i].inbox[:0]
	}
	c.follower.Step(c.input, c.write)
	return c.follower.State()
}

// write carries out a step.
func (c *chronicle) write(w *world.Window, input []byte) {
	s := w.State()
	r := wire.NewReader(input)
	if r.Byte() == stepAnew {
		s.Release()
	}
	s.SetTick(world.Tick(r.Uint()))
	for from := 0; r.Len() > 0; from++ {
		inbox := wire.NewReader(r.Bytes())
		for inbox.Len() > 0 {
			c.scroll.unroll(s, from, inbox.Bytes())
		}
	}
}

// hear adds a message of a stream, after its kind, to those that wait for the next tick.
func (c *chronicle) hear(x *contact, msg []byte) { x.inbox = c.scroll.sift(x.inbox, msg, &c.memory) }

// sound reports whether a message makes sense. Where clients share their work, as in a simulation, reading every message for
// each of them would cost more than all else, and no network damages what it carries.
func (c *chronicle) sound(msg []byte) bool { return c.shares || c.scroll.sound(msg) }
