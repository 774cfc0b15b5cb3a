package world

import "throng/world/fixed"

// What follows is what a world may say about itself beyond Rules. Each is one method, and each has a sensible meaning
// where a world does not say it.

// Answerer is for worlds with objects that do not simply belong to one user: a ball that changes hands, a score that the
// opponent keeps.
type Answerer interface {
	// Answers returns who decides about an object now, or zero for nobody in particular.
	Answers(s *State, o *Object) User
}

// Answers returns who decides about an object: whom the world names, else the user it belongs to, else one of the world's
// users, picked by the object's ID. In a world without users that is nobody.
func Answers(w World, s *State, o *Object) User {
	if a, ok := w.(Answerer); ok {
		if u := a.Answers(s, o); u != 0 {
			return u
		}
	}
	if o.User != 0 {
		return o.User
	}
	if w.Users() == 0 {
		return 0
	}
	return 1 + User(fold(uint64(o.ID)^mixA, mixB)%uint64(w.Users()))
}

// Inhabited is for worlds whose users come and go while they run. Coming and going are actions like any other (see Enter and
// Leave), so that every mechanism carries them, orders them and rolls them back as it does with what users do.
type Inhabited interface {
	// Enter brings a user into the world; one who is in it already stays as they are.
	Enter(w *Window, u User)
	// Leave takes a user out of the world, with what goes with them.
	Leave(w *Window, u User)
}

// Present reports whether anything in a world is a user's.
func Present(s *State, u User) bool {
	for o := range s.All() {
		if o.User == u {
			return true
		}
	}
	return false
}

// Coster is for worlds whose actions cost more to carry out than the objects they touch.
type Coster interface {
	// Cost is the work of carrying out an action in s, beyond the objects touched.
	Cost(s *State, a *Action) Work
}

// Limited is for worlds that can say how far things reach. A world that does not is taken to reach everywhere.
type Limited interface {
	Limits() Limits
}

// Limits are bounds that a world's rules keep.
type Limits struct {
	Sight  fixed.F // how far a user sees
	Effect fixed.F // how far one step or action reaches
	Speed  fixed.F // how fast anything moves, per second
}

// Veiled is for worlds in which not everything in sight is visible: walls, fog of war, hidden hands.
type Veiled interface {
	// Sees reports whether a user may know of an object.
	Sees(s *State, u User, o *Object) bool
}

// Scored is for worlds with a measure of how well their users do.
type Scored interface {
	// Score is the total so far over all users. The laboratory reports it per second, under the name and unit given.
	Score(s *State) fixed.F
	// ScoreName is what is counted, such as "honey" or "points".
	ScoreName() string
}

// Valued is for worlds in which some objects matter more to their users than others: a general more than a worker. Where a
// world does not say, everything that belongs to a user counts one.
type Valued interface {
	// Value is what an object is worth to the user it belongs to; never negative.
	Value(s *State, o *Object) int64
}

// Value is what an object is worth to the user it belongs to: what the world says, else one; what is nobody's is worth
// nothing.
func Value(r Rules, s *State, o *Object) int64 {
	if o.User == 0 {
		return 0
	}
	if v, ok := r.(Valued); ok {
		return v.Value(s, o)
	}
	return 1
}

// Still is for worlds in which everything happens by actions: a step lets a tick pass and changes nothing else.
type Still interface {
	Still()
}

// Scenic is for worlds with things to be seen that never change and therefore are no objects: walls, rivers, coasts.
type Scenic interface {
	// Scenery appends what there is in a box of the world that grew from a seed, as lines to be drawn.
	Scenery(dst []Segment, seed uint64, box fixed.Box) []Segment
}

// Segment is a straight line from one point to another.
type Segment struct{ From, To fixed.Vec }

// Spoken is for worlds whose users can say something to one another.
type Spoken interface {
	// Speech is the kind of the objects that hold what somebody says.
	Speech() KindID
	// Say is the action of saying a text, or as much of it as fits.
	Say(text string) Action
	// Said is what an object of that kind says. Whoever it comes from, it can be shown: it has no control characters.
	Said(o *Object) string
}

// Explained is for worlds in which a person wants to know more about a kind of object than its name: what it costs, what it
// is good for.
type Explained interface {
	// Explain says it in a few words, such as "40 ore, 6 s"; empty where there is nothing to say.
	Explain(k KindID) string
}

// Playable is the parameters of a world that has other defaults where people play than where it is measured.
type Playable interface {
	// Play sets what is usual for play.
	Play()
}

// Patient is a player that knows when it will next do something: until then nobody need draw up a view for it.
type Patient interface {
	Player
	// Due is the tick of the view before which Play does nothing.
	Due() Tick
}

// Gatherer is a player that can be called to a place, as by something that everybody wants to see.
type Gatherer interface {
	Player
	// Gather has the player be at a place, or near it if others are there, until a tick of the view, and then do as before.
	Gather(at fixed.Vec, until Tick)
}

// Waits reports whether a player has nothing to do at a tick.
func Waits(p Player, at Tick) bool {
	patient, ok := p.(Patient)
	return ok && at < patient.Due()
}
