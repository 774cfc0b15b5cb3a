package world

import (
	"throng/world/random"
)

// Rules are the game: deterministic, touching nothing but their arguments. They hold no state of their own, so that one
// value serves any number of replicas.
type Rules interface {
	// Act carries out one user's action. It must cope with any action that passes Schema.CheckAction, in any state: the
	// user may act on something that has gone meanwhile.
	Act(w *Window, a *Action)

	// Step lets one tick pass for the objects that w may change.
	Step(w *Window)

	// Extrapolate guesses how an object will be after dt, from itself alone. Drift is a sound choice.
	Extrapolate(o *Object, dt Time)

	// Reach adds to f what the action may touch when it is carried out in s: at least what Act then reads and writes.
	Reach(s *State, a *Action, f *Footprint)
}

// World is everything there is to run: the rules, how it begins, and artificial users to live in it.
type World interface {
	Rules

	// Schema describes the objects and verbs. It is the same value at every call.
	Schema() *Schema

	// Users is how many users the world is set up for: 1 to Users.
	Users() User

	// Populate fills an empty state: the world at tick zero.
	Populate(s *State)

	// Player returns an artificial user. What it draws, it draws from r.
	Player(u User, r random.Stream) Player
}

// Player is an artificial user: it sees what a user sees and acts as a user may.
type Player interface {
	// Play is called once a tick. The player may act any number of times; User and Seq are filled in by the caller.
	Play(v View, act func(Action))
}

// View is what a user has before their eyes.
type View struct {
	State *State // what is shown; for reading
	User  User
	Lag   Time // how long an action takes to take effect in this view; a good player plans ahead by it
}

// Drift moves an object in a straight line at its velocity for dt: the usual dead reckoning.
func Drift(o *Object, dt Time) {
	o.Pos = o.Pos.Add(o.Vel.Scale(Seconds(dt)))
}
