package world

import (
	"fmt"
	"slices"

	"throng/world/fixed"
)

// Depicted is for worlds that say how a page should show them and how people play them. Others are drawn and played by what their
// schemas say: see the page's plain painter and its guess at controls.
type Depicted interface {
	Look() Look
}

// Look is how a world looks and is played. Whatever is left out is as the schema says.
type Look struct {
	Avatar string  // the kind that people have as their bodies; the first with a place and a size if empty
	Around fixed.F // how much of the world around the user is usually shown; zero for all
	Walls  fixed.F // how thick the lines of a Scenic world are; zero for the usual

	Kinds    []KindLook // drawn in this order, above those that are not in the list
	Controls []Control
	Hints    []Hint // what else people should know, beside what controls do
}

// KindLook is how objects of a kind look.
type KindLook struct {
	Kind   string
	Shape  Shape   // empty for one that kinds have by their order
	Colour string  // as #d9a400; empty for the colour of the object's user
	Width  fixed.F // from side to side, and
	Height fixed.F // from top to bottom; zero for twice the kind's radius
	Label  string  // the variable that is written below it, or "user" for what its user is called
	Trail  bool    // it leaves a fading trail where it came from
}

// Shape is that of an object.
type Shape string

// The shapes of objects.
const (
	Disc    Shape = "disc"
	Box     Shape = "box"
	Diamond Shape = "diamond"
	Capsule Shape = "capsule"
	Hidden  Shape = "hidden" // it is not to be seen
)

// Control is something that people can do, and how.
type Control struct {
	By    Gesture
	Verb  string
	Does  string  // in the words of the page's help, such as "go there"
	Scale int64   // of Place: how many units of the arguments make one of the world; zero for one
	Again Time    // of Steer and Compass: after how long a direction that is held counts once more; zero where saying it once is enough
	Label string  // of Button: what stands on it; the verb if empty
	Key   string  // of Button: a letter that presses it, besides its number
	Args  []int64 // of Button: what is passed on; those that are left out are zero, or what is nearest to that
}

// Gesture is what people do.
type Gesture string

// The gestures.
const (
	Steer   Gesture = "steer"   // keys or a drag: a direction, as two arguments up to their greatest, or as one that is an angle
	Compass Gesture = "compass" // the same, as one argument: 1 for east, 2 south, 3 west, 4 north
	Height  Gesture = "height"  // keys up and down, or the pointer: a place along Y, as one argument
	Place   Gesture = "place"   // a click or a tap: where, as two arguments
	Target  Gesture = "target"  // a click or a tap on somebody: the action's target
	Button  Gesture = "button"  // a button, a number, or for the first the space bar
)

// Hint is a line of the page's help.
type Hint struct{ By, Does string }

// Check finds what in a look does not go with a schema. A mistake here is a mistake in the world's code.
func (l *Look) Check(s *Schema) error {
	kinds := func(name string) bool {
		return slices.ContainsFunc(s.Kinds, func(k Kind) bool { return k.Name == name })
	}
	if l.Avatar != "" && !kinds(l.Avatar) {
		return fmt.Errorf("look: there is no kind %q for an avatar", l.Avatar)
	}
	for i := range l.Kinds {
		k := &l.Kinds[i]
		if !kinds(k.Kind) {
			return fmt.Errorf("look: there is no kind %q", k.Kind)
		}
		if err := k.check(s); err != nil {
			return fmt.Errorf("look of %s: %w", k.Kind, err)
		}
	}
	for i := range l.Controls {
		if err := l.Controls[i].check(s); err != nil {
			return fmt.Errorf("control %s by %s: %w", l.Controls[i].Verb, l.Controls[i].By, err)
		}
	}
	return nil
}

func (k *KindLook) check(s *Schema) error {
	kind := &s.Kinds[slices.IndexFunc(s.Kinds, func(x Kind) bool { return x.Name == k.Kind })]
	switch {
	case k.Shape != "" && !slices.Contains([]Shape{Disc, Box, Diamond, Capsule, Hidden}, k.Shape):
		return fmt.Errorf("there is no shape %q", k.Shape)
	case k.Colour != "" && !isColour(k.Colour):
		return fmt.Errorf("%q is no colour such as #d9a400", k.Colour)
	case k.Width < 0 || k.Height < 0:
		return fmt.Errorf("a size is not negative")
	case k.Label != "" && k.Label != "user" && !slices.ContainsFunc(kind.Variables, func(v Variable) bool { return v.Name == k.Label && v.Slot >= AttrSlot(0) }):
		return fmt.Errorf("there is no attribute %q for a label", k.Label)
	}
	return nil
}

func isColour(text string) bool {
	if len(text) != 7 || text[0] != '#' {
		return false
	}
	for _, b := range []byte(text[1:]) {
		if (b < '0' || b > '9') && (b < 'a' || b > 'f') && (b < 'A' || b > 'F') {
			return false
		}
	}
	return true
}

func (c *Control) check(s *Schema) error {
	at := slices.IndexFunc(s.Verbs, func(v Verb) bool { return v.Name == c.Verb })
	if at < 0 {
		return fmt.Errorf("there is no such verb")
	}
	args := s.Verbs[at].Args
	var fits bool
	switch c.By {
	case Steer:
		fits = len(args) == 2 || len(args) == 1 && args[0].Type == Angle
	case Compass, Height:
		fits = len(args) == 1
	case Place:
		fits = len(args) == 2
	case Target:
		fits = len(args) == 0
	case Button:
		fits = len(c.Args) <= len(args)
	default:
		return fmt.Errorf("there is no such gesture")
	}
	switch {
	case !fits:
		return fmt.Errorf("the verb has %d arguments, which the gesture does not give", len(args))
	case c.Scale < 0 || c.Again < 0:
		return fmt.Errorf("a scale or a time is not negative")
	}
	for i, v := range c.Args {
		if v < args[i].Min || v > args[i].Max {
			return fmt.Errorf("argument %s: %d is outside of its range", args[i].Name, v)
		}
	}
	return nil
}
