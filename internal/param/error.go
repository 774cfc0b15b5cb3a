package param

import (
	"fmt"
	"slices"
	"strings"
)

// Error says what is wrong with a parameter that a user gave.
type Error struct {
	Path string

	Unknown bool     // there is no such parameter
	Known   []string // those that there are

	Value   string // otherwise: what was given,
	Problem string // what is wrong with it, "is too large",
	Allowed string // and what would be right; may be empty

	Nearest string // the known parameter or option that was probably meant; may be empty
}

// Under returns the error for a config whose parameters are known to the user
// under a prefix, such as "network".
func (e *Error) Under(prefix string) *Error {
	under := *e
	under.Path = join(prefix, e.Path)
	if e.Unknown {
		if e.Nearest != "" {
			under.Nearest = join(prefix, e.Nearest)
		}
		under.Known = slices.Clone(e.Known)
		for i, path := range e.Known {
			under.Known[i] = join(prefix, path)
		}
	}
	return &under
}

// Error is one line.
func (e *Error) Error() string {
	if e.Unknown {
		return UnknownKey(e.Path, e.Nearest, e.Known)
	}
	text := fmt.Sprintf("%s: %q %s", e.Path, e.Value, e.Problem)
	if e.Allowed != "" {
		text += "; allowed: " + e.Allowed
	}
	if e.Nearest != "" {
		text += fmt.Sprintf("; did you mean %q?", e.Nearest)
	}
	return text
}

// UnknownKey words the complaint about a key that does not exist: with the
// nearest one that does or, if none is near, with all of them.
func UnknownKey(key, nearest string, known []string) string {
	switch {
	case nearest != "":
		return fmt.Sprintf("unknown key %q; did you mean %q?", key, nearest)
	case len(known) == 0:
		return fmt.Sprintf("unknown key %q; there are no parameters here", key)
	default:
		return fmt.Sprintf("unknown key %q; known: %s", key, strings.Join(known, ", "))
	}
}

// UnknownName is the choice of something that there is not.
type UnknownName struct {
	What, Name string   // "world", and what was written
	Known      []string // what there is
}

// Error is one line: with the nearest name or, if none is near, with all of them.
func (e *UnknownName) Error() string {
	near := Nearest(e.Name, e.Known)
	switch {
	case near != "":
		return fmt.Sprintf("unknown %s %q; did you mean %q?", e.What, e.Name, near)
	case len(e.Known) > listMax:
		return fmt.Sprintf("unknown %s %q; throng list shows what there is", e.What, e.Name)
	default:
		return fmt.Sprintf("unknown %s %q; known: %s", e.What, e.Name, strings.Join(e.Known, ", "))
	}
}

// listMax is how many names a message can list and still be read.
const listMax = 30

// Nearest returns the candidate that word was probably meant to be, or "" if
// none is near: a letter in three, but no more than three, may be wrong,
// missing, added or swapped with its neighbour. Of equally near ones the first
// wins.
func Nearest(word string, candidates []string) string {
	best, least := "", min(len(word)/3+1, 3)
	for _, c := range candidates {
		d := editDistance(word, c, least)
		if d < len(word) && (d < least || d == least && best == "") {
			best, least = c, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b. It may stop counting once above limit.
func editDistance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := above[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(above[j]+1, row[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
