package sight

import "throng/world/fixed"

// dweller is an object in a cell. It lies there with its place, so that looking around opens no spots.
type dweller struct {
	pos fixed.Vec
	at  int32
}

// stretch is a rectangle of cells.
type stretch struct{ left, right, top, bottom int }

func (a stretch) union(b stretch) stretch {
	return stretch{min(a.left, b.left), max(a.right, b.right), min(a.top, b.top), max(a.bottom, b.bottom)}
}

// cellOf is the cell that a place is in. What is out of bounds is in the nearest, so that two places are never in cells
// farther apart than they are themselves.
func (g *Gaze) cellOf(p fixed.Vec) int32 {
	p = g.bounds.Clamp(p)
	column, row := int((p.X-g.bounds.Min.X)/g.side), int((p.Y-g.bounds.Min.Y)/g.side)
	return int32(row*g.columns + column)
}

// around is a cell with its neighbours: all that can be in sight of it.
func (g *Gaze) around(cell int32) stretch {
	column, row := int(cell)%g.columns, int(cell)/g.columns
	return stretch{max(column-1, 0), min(column+1, g.columns-1), max(row-1, 0), min(row+1, g.rows-1)}
}

func (g *Gaze) enter(at, cell int32) {
	t := &g.spots[at]
	t.cell, t.seat = cell, int32(len(g.cells[cell]))
	g.cells[cell] = append(g.cells[cell], dweller{t.pos, at})
}

// exit has the last in the cell take the object's place.
func (g *Gaze) exit(at int32) {
	t := &g.spots[at]
	cell := g.cells[t.cell]
	last := cell[len(cell)-1]
	cell[t.seat] = last
	g.spots[last.at].seat = t.seat
	g.cells[t.cell] = cell[:len(cell)-1]
	t.cell = none
}
