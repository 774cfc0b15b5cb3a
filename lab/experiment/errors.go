package experiment

import (
	"fmt"
	"strings"
	"unicode"

	"throng/internal/param"
)

// UserError is a mistake of the person who wrote the experiment or called the command: one line that says where it is,
// what is wrong, and where possible what would be right.
type UserError struct {
	Where   string // "experiments/adam/delay.yaml:12" or "--set network.delay=x"; may be empty
	Message string

	cause error
}

// Unwrap returns what the message was made from, if it was an error.
func (e *UserError) Unwrap() error { return e.cause }

func (e *UserError) Error() string {
	text := e.Message
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	// Keys and names may contain anything; the message is one line nevertheless.
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// place is where something was written.
type place struct {
	file string // as the user knows it
	line int    // from 1; 0 if the whole file is meant
	set  string // or: the argument of a --set
	flag string // or: this flag, whose argument the message quotes
}

func (p place) String() string {
	switch {
	case p.set != "":
		return "--set " + p.set
	case p.flag != "":
		return p.flag
	case p.line == 0:
		return p.file
	default:
		return fmt.Sprintf("%s:%d", p.file, p.line)
	}
}

func (p place) errorf(format string, args ...any) *UserError {
	return &UserError{Where: p.String(), Message: fmt.Sprintf(format, args...)}
}

// unknownKey complains about a key that does not exist.
func (p place) unknownKey(key string, known []string) *UserError {
	return p.errorf("%s", param.UnknownKey(key, param.Nearest(key, known), known))
}

// unknownName complains about something that cannot be chosen.
func (p place) unknownName(what, name string, known []string) *UserError {
	return p.errorf("%v", &param.UnknownName{What: what, Name: name, Known: known})
}
