package prediction

import (
	"slices"
	"unsafe"

	"throng/world"
)

// aheadMax is how many ticks a view is ever computed ahead of what the server has told.
const aheadMax = 256

// Self is a user's own part of a view.
type Self struct {
	world   world.World
	user    world.User
	view    *world.State
	known   Known
	window  *world.Window
	told    []world.Object // the user's objects as the server told last, in the order of their IDs
	history history
	at      world.Tick // of the server's time, that the user's objects have reached in the view
	done    uint32     // the last action that they show
	lead    lead
	shift   shift
	others  int // objects in the view that are not the user's
	extra   []world.ID
	reach   world.Footprint
}

// Pending is an action that the server has not answered yet.
type Pending struct {
	world.Action
	Issued world.Tick // by the user's clock
}

// Answer is how far the server has come: it is at a tick and has carried out the user's actions up to one, which it did at
// a tick.
type Answer struct {
	Tick world.Tick
	Seq  uint32
	Done world.Tick
}

// Known is what a server has told of.
type Known interface {
	// Holds reports whether an object is among it.
	Holds(id world.ID) bool
}

// NewSelf returns the part of a view that belongs to a user. It changes nothing in the view but the user's objects; which
// other objects the server has told of is said by known. If it is to be smooth, what turns out to have been shown in a
// wrong place goes to the right one over a few ticks.
func NewSelf(w world.World, u world.User, view *world.State, known Known, smooth bool) *Self {
	s := &Self{world: w, user: u, view: view, known: known, window: world.NewWindow(view)}
	s.shift.smooth = smooth
	s.Rebind()
	return s
}

// Follow has another server tell from now on: what that has told of is said by known.
func (s *Self) Follow(known Known) { s.known = known }

// Rebind has the window keep to the user's objects. Who makes a Self from saved memory calls it, since functions cannot be
// saved.
func (s *Self) Rebind() {
	s.window.Restrict(func(o *world.Object) bool { return o.User == s.user })
}

// TakeWork returns the work done since it was last asked.
func (s *Self) TakeWork() world.Work { return s.window.TakeWork() }

// Act carries out an action in the view, at a tick of the user's clock.
func (s *Self) Act(a *world.Action, now world.Tick) {
	s.begin()
	s.advance(now)
	s.do(a)
	s.end(now)
}

// Shows reports whether the view will show all of what an action does as soon as it is taken: that is so if it changes
// nothing but what is the user's.
func (s *Self) Shows(a *world.Action) bool {
	s.reach.Reset()
	s.world.Reach(s.view, a, &s.reach)
	for _, id := range s.reach.Writes {
		if o := s.view.Get(id); o == nil || o.User != s.user {
			return false
		}
	}
	return true
}

// Advance brings the user's objects to a tick of the user's clock.
func (s *Self) Advance(now world.Tick) {
	s.begin()
	s.advance(now)
	s.shift.fade()
	s.end(now)
}

func (s *Self) advance(now world.Tick) {
	target := s.target(now)
	s.at = max(s.at, target-aheadMax)
	for s.at < target {
		s.step()
	}
}

// target is the tick of the server's time that the user's objects are to be at: that in which an action that the user takes
// now is going to be carried out there.
func (s *Self) target(now world.Tick) world.Tick { return max(now+s.lead.ticks, 0) }

// Tell notes how one of the user's objects is on the server.
func (s *Self) Tell(o *world.Object) {
	i, known := s.find(o.ID)
	if !known {
		s.told = slices.Insert(s.told, i, world.Object{})
	}
	s.told[i] = *o
}

// Untell notes that one of them is gone, or no longer the user's.
func (s *Self) Untell(id world.ID) {
	if i, known := s.find(id); known {
		s.told = slices.Delete(s.told, i, i+1)
	}
}

func (s *Self) find(id world.ID) (int, bool) {
	i := 0
	for i < len(s.told) && s.told[i].ID < id {
		i++
	}
	return i, i < len(s.told) && s.told[i].ID == id
}

// Confirm takes the server's answer, to go with what it has told, and the actions that were pending until then, the
// oldest first. It returns for how many ticks the view had to be computed anew.
func (s *Self) Confirm(a Answer, pending []Pending, now world.Tick) (replayed world.Tick) {
	for len(pending) > 0 && pending[0].Seq <= a.Seq {
		if pending[0].Seq == a.Seq {
			s.lead.observe(a.Done - pending[0].Issued)
		}
		pending = pending[1:]
	}
	if s.history.confirm(a.Tick, a.Seq, fingerprint(s.told)) {
		return 0
	}
	return s.replay(a, now, pending)
}

// replay starts again from what the server told, and carries out anew what it has not.
func (s *Self) replay(a Answer, now world.Tick, rest []Pending) world.Tick {
	s.shift.remember(s.view, s.user)
	s.begin()
	s.restart(a)
	target := max(s.target(now), s.at)
	s.at = max(s.at, target-aheadMax)
	begun := s.at
	for {
		for len(rest) > 0 && (rest[0].Issued+s.lead.ticks <= s.at || s.at == target) {
			s.do(&rest[0].Action)
			rest = rest[1:]
		}
		if s.at == target {
			break
		}
		s.step()
	}
	s.shift.displace(s.view)
	s.end(now)
	return target - begun
}

// restart puts what the server told in the place of the user's objects.
func (s *Self) restart(a Answer) {
	s.extra = s.extra[:0]
	for o := range s.view.All() {
		if o.User == s.user {
			s.extra = append(s.extra, o.ID)
		}
	}
	for _, id := range s.extra {
		s.view.Remove(id)
	}
	for i := range s.told {
		s.view.Put(s.told[i])
	}
	s.at, s.done = a.Tick, a.Seq
	s.history.restart()
	s.note()
}

// begin shows the user's objects where they are.
func (s *Self) begin() {
	s.shift.undo(s.view)
	s.others, _ = s.look()
}

// end shows them where they seemed to be, and the view at the user's time.
func (s *Self) end(now world.Tick) {
	s.shift.apply(s.view)
	s.view.SetTick(now)
}

func (s *Self) do(a *world.Action) {
	s.view.SetTick(s.at)
	s.window.Do(s.world, a)
	s.done = a.Seq
	s.note()
}

func (s *Self) step() {
	s.view.SetTick(s.at)
	s.window.Advance(s.world)
	s.at++
	s.note()
}

// note writes down how the user's objects are, for when the server tells. What the rules have made that is nobody's or
// somebody else's is left for the server to tell of.
func (s *Self) note() {
	others, sum := s.look()
	if others > s.others {
		s.extra = s.extra[:0]
		for o := range s.view.All() {
			if o.User != s.user && !s.known.Holds(o.ID) {
				s.extra = append(s.extra, o.ID)
			}
		}
		for _, id := range s.extra {
			s.view.Remove(id)
		}
		others -= len(s.extra)
	}
	s.others = others
	s.history.add(s.at, s.done, sum)
}

// look counts the objects that are not the user's, and returns a fingerprint of those that are.
func (s *Self) look() (others int, sum uint64) {
	for o := range s.view.All() {
		if o.User == s.user {
			sum = mix(sum, o)
		} else {
			others++
		}
	}
	return others, sum
}

// Bytes is the memory that is held beside the view.
func (s *Self) Bytes() int {
	return int(unsafe.Sizeof(*s)) + cap(s.told)*int(unsafe.Sizeof(world.Object{})) +
		s.history.bytes() + s.shift.bytes() + 8*cap(s.extra)
}
