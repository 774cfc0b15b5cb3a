package app

import "throng/world"

// Hooks are what a program around a server is told while it serves (throng serve). Any may be nil. They are called one after the
// other on a goroutine of their own for each room, and may take their time: the world does not wait. When a thousand calls wait, more are left out,
// and the log says so.
type Hooks struct {
	Joined func(l Live, p Person)               // somebody has come in, for the first time or again after leaving
	Left   func(l Live, p Person)               // somebody is gone for good: they have left, or a lost connection did not come back
	Acted  func(l Live, a Act)                  // an action was carried out by whoever decides, where the mechanism has servers that do
	Tick   func(l Live, now world.Time)         // a tick has passed; late ones are left out
	Saved  func(l Live, what map[string]string) // the world was written to disk because an operator wanted that
}

// Person is somebody in a world.
type Person struct {
	User    world.User
	Name    string
	Account string // empty for a guest
}

// Act is an action that was carried out.
type Act struct {
	User world.User
	Seq  uint32     // counts the user's actions
	Tick world.Tick // before whose step it was
	Verb string     // what was done, as the schema calls it; "enter" and "leave" for coming and going
}

// Live is a world that is being served.
type Live interface {
	// Room is the name of the room that it is, or of the world if that is the only one.
	Room() string
	// Message tells somebody something, or everybody who is here if that is user 0. It returns how many were told.
	Message(text string, to world.User) int
	// Kick ends a person's seat for a reason, and reports whether there was one.
	Kick(u world.User, reason string) bool
	// Objects calls f with the objects that a node of this process decides about or, where none does, that artificial players see: until it
	// returns false. They hold during the call.
	Objects(f func(o *world.Object) bool)
}
