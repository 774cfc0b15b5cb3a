package sight

import (
	"math/bits"

	"throng/world/fixed"
)

// unrest remembers where something has changed and when, by cells of the ground, so that users around whom all is quiet need
// not be looked after. Cells are at least as wide as users see: what a user can see is in the user's cell or next to it.
type unrest struct {
	clock  uint64 // counts changes
	synced uint64 // what the clock was when the index was last brought up to date
	adrift uint64 // the last change of something without a place
	owners uint64 // the last time that something of a user's came or went
	bounds fixed.Box
	shift  uint
	width  int16
	height int16
	cells  []uint64 // the last change in each
}

// patch is a rectangle of cells, the ends not included.
type patch struct{ left, right, top, bottom int16 }

const (
	cellsAlong = 128 // cells along each side, at most
	patchMax   = 36  // cells of which a user's surroundings may consist; those who have more are looked after at all times
)

func newUnrest(bounds fixed.Box, reach fixed.F) unrest {
	size := bounds.Size()
	along := uint64(max(size.X, size.Y)) / cellsAlong
	u := unrest{clock: 1, bounds: bounds, shift: uint(bits.Len64(max(uint64(reach), along)))}
	u.width, u.height = int16(size.X>>u.shift)+1, int16(size.Y>>u.shift)+1
	u.cells = make([]uint64, int(u.width)*int(u.height))
	return u
}

// cellOf is the cell that a place is in. What is out of bounds is in the nearest.
func (u *unrest) cellOf(p fixed.Vec) (column, row int16) {
	p = u.bounds.Clamp(p)
	return int16((p.X - u.bounds.Min.X) >> u.shift), int16((p.Y - u.bounds.Min.Y) >> u.shift)
}

// stir notes that something has changed at a place.
func (u *unrest) stir(p fixed.Vec) {
	column, row := u.cellOf(p)
	u.cells[int(row)*int(u.width)+int(column)] = u.clock
}

// around is the least rectangle that holds all that can be seen from some places.
func (u *unrest) around(centres []fixed.Vec) (p patch) {
	for i, c := range centres {
		column, row := u.cellOf(c)
		near := patch{max(column-1, 0), min(column+2, u.width), max(row-1, 0), min(row+2, u.height)}
		if i == 0 {
			p = near
			continue
		}
		p = patch{min(p.left, near.left), max(p.right, near.right), min(p.top, near.top), max(p.bottom, near.bottom)}
	}
	return p
}

// quiet reports whether nothing has changed in a rectangle after a time.
func (u *unrest) quiet(p patch, since uint64) bool {
	if int(p.right-p.left)*int(p.bottom-p.top) > patchMax {
		return false
	}
	for row := int(p.top); row < int(p.bottom); row++ {
		for _, at := range u.cells[row*int(u.width)+int(p.left) : row*int(u.width)+int(p.right)] {
			if at > since {
				return false
			}
		}
	}
	return true
}
