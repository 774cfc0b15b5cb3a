package churn

import (
	"throng/world"
	"throng/world/fixed"
)

// Plan is what is to happen in a run, as a person writes it. The zero Plan lets nothing happen.
type Plan struct {
	Statements []Statement
}

// Statement says when what happens.
type Statement struct {
	Text    string // as written
	When    When
	Clauses []Clause
}

// When is the moments at which a statement's clauses happen.
type When struct {
	From, To world.Time // To is world.Never without an end, and From for a single moment
	Every    world.Time // between two moments; zero for one only
	Random   bool       // Every is a mean: moments are a Poisson process
	Whole    bool       // "from … to …": clauses last for the whole time, or happen at their own rate within it
}

// Verb is what a clause does.
type Verb uint8

// The verbs.
const (
	VerbArrive Verb = iota
	VerbLeave
	VerbCrash
	VerbReturn
	VerbReplace
	VerbDrain
	VerbGather
	VerbPartition
	VerbHeal
	VerbLimit
	VerbAdd
)

// Clause is one thing that happens, to whom, and what follows from it.
type Clause struct {
	Verb Verb
	Who  Who
	Rate world.Time // "5/s": the mean time between two, while the statement's time lasts; zero for once

	Within world.Time // each of them acts at a moment of its own, within so much time
	Back   bool       // they come back,
	After  world.Time // after so much time,
	Memory bool       // and remember everything,
	Moved  bool       // or begin again on another host
	For    world.Time // so long; zero for ever, or until the statement's time is over
	Spot   Spot       // where users gather, or go when they arrive

	Groups []Group // of a partition

	Between  bool       // add: what goes between Who and Other, else all that goes to and from Who
	Other    Who        //
	Delay    world.Time // add
	Loss     fixed.F    // add
	Up, Down int64      // limit: bit/s; zero leaves the direction alone
}

// Group is one side of a partition.
type Group struct {
	Who  []Who
	Rest bool // everybody whom the other sides leave
}

// Spot is a place in the world: two shares of its extent, or coordinates.
type Spot struct {
	Given    bool
	Relative bool // X and Y are shares of the world's extent
	X, Y     fixed.F
}

// Who is those to whom something happens.
type Who struct {
	Noun    string  // "user", "node", "process" or a role, in the singular
	Numbers []Span  // only these of them; empty for any
	Count   int     // so many, by chance; zero if a share decides
	Share   fixed.F // this share, by chance
	One     bool    // "the server": there must be just one
}

// Span is a range of numbers, both ends included.
type Span struct{ First, Last uint32 }
