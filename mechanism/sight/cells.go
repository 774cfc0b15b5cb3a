package sight

import (
	"slices"

	"throng/world/fixed"
)

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
	g.cells[cell] = append(g.cells[cell], at)
	g.spots[at].cell = cell
}

func (g *Gaze) exit(at int32) {
	t := &g.spots[at]
	cell := g.cells[t.cell]
	i := slices.Index(cell, at)
	cell[i] = cell[len(cell)-1]
	g.cells[t.cell] = cell[:len(cell)-1]
	t.cell = none
}
