package loose

import (
	"throng/world"
	"throng/world/fixed"
)

// ghosts are where the host believes others to believe the objects that it answers for: as they were when it last sent
// them, moved on by dead reckoning.
//
// Like the ledger they are walked through once a tick, in the order of the objects' IDs: begin, of for each object that the
// host answers for, end. The ghosts of objects that the walk does not meet are given up.
type ghosts struct {
	rules  world.Rules
	list   []world.Object
	next   []world.Object
	walked int
	passed world.Time // since the last walk
}

func (g *ghosts) begin(passed world.Time) {
	g.next, g.walked, g.passed = g.next[:0], 0, passed
}

// of returns the ghost of the walk's next object. An object that the host has just begun to answer for has a ghost that is
// like it: what the host believes itself is its best guess at what others believe.
func (g *ghosts) of(o *world.Object) *world.Object {
	for g.walked < len(g.list) && g.list[g.walked].ID < o.ID {
		g.walked++
	}
	if g.walked == len(g.list) || g.list[g.walked].ID != o.ID {
		g.next = append(g.next, *o)
		return &g.next[len(g.next)-1]
	}
	g.next = append(g.next, g.list[g.walked])
	g.walked++
	ghost := &g.next[len(g.next)-1]
	g.rules.Extrapolate(ghost, g.passed)
	return ghost
}

func (g *ghosts) end() { g.list, g.next = g.next, g.list }

// strayed reports whether an object is farther from its ghost than others should be left to believe.
func strayed(o, ghost *world.Object, threshold fixed.F) bool {
	return threshold != unplaced && !o.Pos.Within(ghost.Pos, threshold)
}
