package fixed

// Box is the set of points from Min to Max, both included: a wall belongs to the world it encloses, and a point is a
// box of size zero. A box with a coordinate of Min above that of Max is empty.
type Box struct{ Min, Max Vec }

// Around returns the cube of points whose coordinates are each within r of those of centre.
func Around(centre Vec, r F) Box {
	return Box{centre, centre}.Grow(r)
}

// Contains says whether v lies in b.
func (b Box) Contains(v Vec) bool {
	return b.Min.X <= v.X && v.X <= b.Max.X &&
		b.Min.Y <= v.Y && v.Y <= b.Max.Y &&
		b.Min.Z <= v.Z && v.Z <= b.Max.Z
}

// Intersects says whether b and o, neither of them empty, have a point in common.
func (b Box) Intersects(o Box) bool {
	return b.Min.X <= o.Max.X && o.Min.X <= b.Max.X &&
		b.Min.Y <= o.Max.Y && o.Min.Y <= b.Max.Y &&
		b.Min.Z <= o.Max.Z && o.Min.Z <= b.Max.Z
}

// Union returns the smallest box that holds b and o, neither of them empty.
func (b Box) Union(o Box) Box {
	return Box{
		Min: Vec{min(b.Min.X, o.Min.X), min(b.Min.Y, o.Min.Y), min(b.Min.Z, o.Min.Z)},
		Max: Vec{max(b.Max.X, o.Max.X), max(b.Max.Y, o.Max.Y), max(b.Max.Z, o.Max.Z)},
	}
}

// Grow returns b with every face moved outwards by r, or inwards if r is negative.
func (b Box) Grow(r F) Box {
	d := Vec{r, r, r}
	return Box{b.Min.Sub(d), b.Max.Add(d)}
}

// Centre returns the middle of b, each coordinate rounded down.
func (b Box) Centre() Vec {
	return Vec{middle(b.Min.X, b.Max.X), middle(b.Min.Y, b.Max.Y), middle(b.Min.Z, b.Max.Z)}
}

// middle returns the mean of a and b, whose sum might overflow.
func middle(a, b F) F {
	return a>>1 + b>>1 + a&b&1
}

// Size returns the lengths of the edges of b.
func (b Box) Size() Vec {
	return b.Max.Sub(b.Min)
}

// Clamp returns the point of b that is nearest to v.
func (b Box) Clamp(v Vec) Vec {
	return Vec{
		v.X.Clamp(b.Min.X, b.Max.X),
		v.Y.Clamp(b.Min.Y, b.Max.Y),
		v.Z.Clamp(b.Min.Z, b.Max.Z),
	}
}

// DistTo returns the distance from v to the nearest point of b: zero inside, rounded down outside.
func (b Box) DistTo(v Vec) F {
	return v.Dist(b.Clamp(v))
}
