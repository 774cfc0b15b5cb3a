package display

import (
	"throng/world"
	"throng/worlds/crowd"
)

// What people say is the one thing that a page shows of a world and that its schema does not describe.
const (
	speakers = "crowd" // the world whose users speak
	shout    = "shout" // the kind of object that holds what they say
)

// Speaks reports whether the users of a world can say something.
func Speaks(s *world.Schema) bool {
	_, ok := s.Kind(shout)
	return ok && s.Name == speakers
}

// Said is what an object says, if it says anything.
func Said(s *world.State, id world.ID) string {
	if !Speaks(s.Schema()) {
		return ""
	}
	o := s.Get(id)
	if o == nil || s.Schema().Kinds[o.Kind].Name != shout {
		return ""
	}
	return crowd.Said(o)
}

// Say is the action of saying something.
func Say(text string) world.Action { return crowd.Say(text) }
