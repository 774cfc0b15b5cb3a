package zonal

import (
	"throng/mechanism"
	"throng/mechanism/parts/tree"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// The kinds of messages: the first byte of each. Most carry the number of the bond that they are about: bonds are numbered by the
// child, and a later one has a higher number, also after its node has been replaced.
const (
	kindAsk      = 1  // peer to hybrid: who could be my parent?
	kindParents  = 2  // the answer
	kindPing     = 3  // peer to a possible parent, for the round trip
	kindPong     = 4  // the answer
	kindAttach   = 5  // be my parent
	kindAttached = 6  // I am, and this is the way from the root to me
	kindRefused  = 7  // I cannot be
	kindBye      = 8  // between parent and child, or to the hybrid: this is over
	kindByeHeard = 9  // hybrid to peer
	kindClaim    = 10 // parent to hybrid: my children
	kindClaimed  = 11 // the answer
	kindLook     = 12 // peer to another zone's hybrid: this is what I see
	kindPieces   = 13 // along the tree: letters and signs of life
	kindOrder    = 14 // to whoever answers for something: an action that changes it
	kindDone     = 15 // the answer
	kindRecall   = 16 // what do you know of what I answer for?
	kindMemory   = 17 // the answer
	kindGone     = 18 // peer to hybrid: my user leaves the world, answered as a goodbye is
	kindAudit    = 20 // peer to hybrid: what was written of late in my sight?
	kindReceipts = 21 // the answer
	kindAccuse   = 22 // peer to hybrid: this one did not pass on what it should, and I have left it
	kindShare    = 19 // between hybrids of neighbouring zones: package balance
)

// The pieces of a datagram along the tree begin with the number of times that they were passed on, or say that they are a sign
// of life.
const (
	hopsMax   = tree.LevelMax * 2 // up to the root and down again
	signPlan  = 0xfd              // from a hybrid node: the parts of its zone that neighbours have
	signUp    = 0xfe              // from a child: whether it is a leaf, what it can feed
	signDown  = 0xff              // from a parent: the way from the root
	datagram  = 1200              // how long datagrams with several pieces may be
	centreMax = 8                 // places from which a user sees; who has more is sent everything
	number    = 1<<63 - 1         // the highest bond, claim or letter
)

// bond is the number of a bond, or of a letter: those of later holders of a place are higher.
func firstNumber(epoch uint32) uint64 { return uint64(epoch) << 31 }

// attach is what a child says of itself.
type attach struct {
	number   uint64
	zone     int
	degree   int
	leaf     bool
	activate bool // it was the backup, and is needed now
}

func (a *attach) append(dst []byte) []byte {
	dst = wire.AppendUint(append(dst, kindAttach), a.number)
	dst = wire.AppendUint(dst, uint64(a.zone))
	dst = wire.AppendUint(dst, uint64(a.degree))
	return append(dst, flag(a.leaf)|flag(a.activate)<<1)
}

func readAttach(r *wire.Reader, zones int) attach {
	a := attach{number: r.UintMax(number), zone: int(r.UintMax(uint64(zones - 1))), degree: int(r.UintMax(degreeMax))}
	flags := r.Byte()
	if flags > 3 {
		r.Fail()
	}
	a.leaf, a.activate = flags&1 != 0, flags&2 != 0
	return a
}

// degreeMax bounds what somebody claims to feed.
const degreeMax = 10000

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// appendKind appends a message that consists of its kind and a number.
func appendKind(dst []byte, kind byte, n uint64) []byte { return wire.AppendUint(append(dst, kind), n) }

func appendNodes(dst []byte, ids []mechanism.NodeID) []byte {
	dst = wire.AppendUint(dst, uint64(len(ids)))
	for _, id := range ids {
		dst = wire.AppendUint(dst, uint64(id))
	}
	return dst
}

// readNodes reads up to so many nodes.
func readNodes(r *wire.Reader, dst []mechanism.NodeID, most int) []mechanism.NodeID {
	for left := r.UintMax(uint64(most)); left > 0 && !r.Failed(); left-- {
		dst = append(dst, mechanism.NodeID(r.UintMax(1<<32-1)))
	}
	return dst
}

// claim is what a parent tells its hybrid node: what it can feed, and whom it feeds, each with what that one can feed.
type claim struct {
	number   uint64
	degree   int
	children []mechanism.NodeID
	degrees  []int
}

func (c *claim) append(dst []byte) []byte {
	dst = appendKind(dst, kindClaim, c.number)
	dst = wire.AppendUint(dst, uint64(c.degree))
	dst = appendNodes(dst, c.children)
	for _, d := range c.degrees {
		dst = wire.AppendUint(dst, uint64(d))
	}
	return dst
}

func (c *claim) read(r *wire.Reader) {
	c.number, c.degree = r.UintMax(number), int(r.UintMax(degreeMax))
	c.children, c.degrees = readNodes(r, c.children[:0], degreeMax), c.degrees[:0]
	for range c.children {
		c.degrees = append(c.degrees, int(r.UintMax(degreeMax)))
	}
}

// gaze is what a user sees: all that is within a radius of some places, or everything.
type gaze struct {
	centres []fixed.Vec
	radius  fixed.F
	all     bool
}

// grain is how finely places are told of a gaze.
const grain = fixed.Shift - 4

func (g *gaze) append(dst []byte) []byte {
	if g.all {
		return append(dst, centreMax+1)
	}
	dst = append(dst, byte(len(g.centres)))
	for _, c := range g.centres {
		dst = wire.AppendInt(dst, int64(c.X>>grain))
		dst = wire.AppendInt(dst, int64(c.Y>>grain))
	}
	return wire.AppendUint(dst, uint64(g.radius>>grain))
}

func (g *gaze) read(r *wire.Reader) {
	n := int(r.Byte())
	g.centres, g.radius, g.all = g.centres[:0], 0, n == centreMax+1
	if n > centreMax+1 {
		r.Fail()
	}
	if g.all || r.Failed() {
		return
	}
	for range n {
		x, y := readCoordinate(r), readCoordinate(r)
		g.centres = append(g.centres, fixed.Vec{X: x, Y: y})
	}
	g.radius = fixed.F(r.UintMax(1<<(62-grain))) << grain
}

func readCoordinate(r *wire.Reader) fixed.F {
	v := r.Int()
	if v > 1<<(62-grain) || v < -1<<(62-grain) {
		r.Fail()
		return 0
	}
	return fixed.F(v) << grain
}

// sees reports whether a place is in sight, or within a margin of it.
func (g *gaze) sees(p fixed.Vec, margin fixed.F) bool {
	if g.all {
		return true
	}
	p.Z = 0 // who is above sees what is below, and the other way round
	for _, c := range g.centres {
		if c.Within(p, g.radius+margin) {
			return true
		}
	}
	return false
}

func (g *gaze) copyFrom(o *gaze) {
	g.centres = append(g.centres[:0], o.centres...)
	g.radius, g.all = o.radius, o.all
}

// memory is what is left of what a user answers for, or of what nobody does.
func appendMemory(dst []byte, number uint64, s *world.Schema, objects []world.Object) []byte {
	dst = appendKind(dst, kindMemory, number)
	dst = wire.AppendUint(dst, uint64(len(objects)))
	for i := range objects {
		dst = wire.AppendUint(dst, uint64(objects[i].ID))
		dst = s.AppendObject(dst, &objects[i], nil, world.Exact)
	}
	return dst
}

// readMemory reads what follows the number.
func readMemory(r *wire.Reader, s *world.Schema, users world.User, dst []world.Object) []world.Object {
	for left := r.UintMax(memoryMax); left > 0 && !r.Failed(); left-- {
		id := world.ID(r.Uint())
		o := s.ReadObject(r, nil, world.Exact)
		if r.Failed() || id == 0 || o.User > users || s.CheckObject(&o) != nil {
			r.Fail()
			return dst
		}
		o.ID = id
		dst = append(dst, o)
	}
	return dst
}

// memoryMax is how many objects a memory holds at most.
const memoryMax = 512
