package crowd

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"throng/world"
)

// MaxText is how many bytes a shout can have.
const MaxText = 40

// A shout's text travels in the arguments of the action and stays in the attributes of the shout: seven bytes to a number,
// which is then never negative, the first byte lowest. A zero byte ends the text.
const wordBytes = 7

// words are the variables that hold a text, from a slot on.
func words(first world.Slot) []world.Variable {
	names := [world.MaxArgs]string{"text-1", "text-2", "text-3", "text-4", "text-5", "text-6"}
	vars := make([]world.Variable, world.MaxArgs)
	for i, name := range names {
		bytes := min(wordBytes, MaxText-wordBytes*i)
		vars[i] = world.Variable{Name: name, Slot: first + world.Slot(i), Max: 1<<(8*bytes) - 1}
	}
	return vars
}

// Say returns the action of shouting a text, as far as it fits: whole characters only, and none that cannot be seen.
func Say(text string) world.Action {
	a := world.Action{Verb: Shout}
	n := 0
	for _, c := range clean(text) {
		size := utf8.RuneLen(c)
		if n+size > MaxText {
			break
		}
		for _, b := range []byte(string(c)) {
			a.Args[n/wordBytes] |= int64(b) << (8 * (n % wordBytes))
			n++
		}
	}
	return a
}

// Said returns the text of a shout. Whatever a client may have sent, it can be shown: it has no control characters and no
// broken ones.
func Said(o *world.Object) string {
	var text []byte
	for i := range MaxText {
		b := byte(o.Attr[i/wordBytes] >> (8 * (i % wordBytes)))
		if b == 0 {
			break
		}
		text = append(text, b)
	}
	return clean(string(text))
}

// Speech, Say and Said make what people shout known to those who do not know this world.

func (*town) Speech() world.KindID         { return kindShout }
func (*town) Say(text string) world.Action { return Say(text) }
func (*town) Said(o *world.Object) string  { return Said(o) }

// clean removes what has no place in a line of text.
func clean(text string) string {
	return strings.Map(func(c rune) rune {
		if c == utf8.RuneError || !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, text)
}
