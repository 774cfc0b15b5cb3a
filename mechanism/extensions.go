package mechanism

import "throng/world"

// What follows are capabilities that some nodes or mechanisms have. Drivers ask for them by type assertion; nodes that lack
// them need no change when another one is added.

// Lagging is a client whose user's actions take effect only after a known time, so that users can plan ahead.
type Lagging interface {
	Lag() world.Time
}

// Arriving is a node that can join a run under way (Session.Late). Until it is ready its view shows nothing of use and its
// user's actions are refused.
type Arriving interface {
	Ready() bool
}

// Admitting is a mechanism that can take in users beyond those that a run began with.
type Admitting interface {
	// Admit returns the place of a user who joins.
	Admit(u world.User) Place
}

// Sized is a node that knows how much memory its structures hold, in bytes.
type Sized interface {
	Bytes() int
}

// Holder is a node that holds only part of the world. Measures that compare replicas leave out what a node does not hold;
// a node that is no Holder holds all of it.
type Holder interface {
	Holds(id world.ID) bool
}

// Converging is a mechanism that promises equal views everywhere once nobody has acted for a while and the network has
// delivered, or repeated, what was under way.
type Converging interface {
	// Converges returns after how much rest views agree on a network with the given greatest delay.
	Converges(delayMax world.Time) world.Time
}

// Idealised is a mechanism that only makes sense on a network without delay, loss or limits: a bound for the others.
type Idealised interface {
	Idealised()
}

// Lag is how long a client's actions take to take effect in its own view.
func Lag(c Client) world.Time {
	if l, ok := c.(Lagging); ok {
		return l.Lag()
	}
	return 0
}
