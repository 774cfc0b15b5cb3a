package aggregate

import "throng/world/fixed"

// finest is how many sides of a node it is away, at least, for the node to be shown as one cloud however much room there is.
const finest = 8

// coarse is a node that a look may still replace by those that it consists of.
type coarse struct {
	level int32
	at    int32
	size  fixed.F // how large it looks: its side over its distance
}

// Look appends the clouds that are to be seen between Near and Sight, no more than some. It begins with the largest nodes and replaces the one that
// looks the largest by its parts, for as long as there is room: so nobody is left out for lack of it, and what there is is used where it
// shows most.
func (b *Book) Look(dst []Cloud, e Eye, most int) []Cloud {
	b.coarse = b.coarse[:0]
	top := int32(len(b.levels) - 1)
	start := len(dst)
	for i := range b.levels[top] {
		if n := len(b.coarse) + len(dst) - start; n < most {
			dst = b.open(dst, &e, top, int32(i))
		}
	}
	for len(b.coarse) > 0 {
		c := b.pop()
		x := &b.levels[c.level][c.at]
		if len(dst)-start+len(b.coarse)+int(x.parts) > most {
			dst = append(dst, x.Cloud)
			continue
		}
		for i := range x.parts {
			dst = b.open(dst, &e, c.level-1, x.first+i)
		}
	}
	return dst
}

// open takes a node into account: as a cloud, as one that may be replaced by its parts, or, where it is out of sight or known one by
// one, not at all.
func (b *Book) open(dst []Cloud, e *Eye, level, at int32) []Cloud {
	x := &b.levels[level][at]
	box := b.space.Box(x.Code)
	side := box.Max.X - box.Min.X
	box = fixed.Box{Min: b.bounds.Clamp(box.Min), Max: b.bounds.Clamp(box.Max)} // a flat world has nothing above
	if seen, _ := e.judge(box, e.Sight); !seen {
		return dst
	}
	if _, known := e.judge(box, e.Near); known {
		return dst
	}
	if level == 0 {
		return append(dst, x.Cloud)
	}
	near := box.DistTo(e.Centres[0])
	for _, c := range e.Centres[1:] {
		near = min(near, box.DistTo(c))
	}
	if near > side.MulInt(finest) {
		return append(dst, x.Cloud)
	}
	b.push(coarse{level, at, side.Div(near + fixed.One/16)})
	return dst
}

// push and pop keep the node that looks the largest on top of a heap.
func (b *Book) push(c coarse) {
	h := append(b.coarse, c)
	for i := len(h) - 1; i > 0 && h[(i-1)/2].size < h[i].size; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	b.coarse = h
}

func (b *Book) pop() coarse {
	h := b.coarse
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < last && h[child].size < h[child+1].size {
			child++
		}
		if child >= last || h[child].size <= h[i].size {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	b.coarse = h
	return top
}
