package octree

import (
	"throng/mechanism/parts/assignment"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// report is what a server tells balancers of its clients.
type report struct {
	anew     bool // they are to forget what they know of it
	retiring bool
	clients  int
	load     int // in hundredths, beside its clients
	came     []world.User
	changes  []assignment.Change
}

const (
	reportAnew = 1 << iota
	reportRetiring
	reportFlags = 1<<iota - 1
)

// clientsMax and loadMax bound what is believed of a server.
const (
	clientsMax = 1 << 24
	loadMax    = 1 << 16
)

func (p *report) append(dst []byte) []byte {
	flags := byte(0)
	if p.anew {
		flags |= reportAnew
	}
	if p.retiring {
		flags |= reportRetiring
	}
	dst = wire.AppendUint(append(dst, flags), uint64(p.clients))
	dst = wire.AppendUint(dst, uint64(p.load))
	dst = wire.AppendList(dst, p.came, func(dst []byte, u world.User) []byte { return wire.AppendUint(dst, uint64(u)) })
	at := 0
	return wire.AppendList(dst, p.changes, func(dst []byte, c assignment.Change) []byte {
		dst = wire.AppendUint(dst, uint64(c.Block-at))
		at = c.Block
		return wire.AppendInt(dst, int64(c.By))
	})
}

// read reads what append wrote. It uses the memory of p.
func (p *report) read(r *wire.Reader) {
	flags := r.UintMax(reportFlags)
	p.anew, p.retiring = flags&reportAnew != 0, flags&reportRetiring != 0
	p.clients, p.load = int(r.UintMax(clientsMax)), int(r.UintMax(loadMax))
	p.came = p.came[:0]
	for range r.Each() {
		p.came = append(p.came, world.User(r.UintMax(1<<32-1)))
	}
	p.changes = p.changes[:0]
	at := uint64(0)
	for range r.Each() {
		at += r.UintMax(blocksMax)
		by := r.Int()
		if at > blocksMax || by < -clientsMax || by > clientsMax {
			r.Fail()
			return
		}
		p.changes = append(p.changes, assignment.Change{Block: int(at), By: int(by)})
	}
}

// blocksMax is how many blocks there are at most.
const blocksMax = 64 * 64 * 64

func appendView(dst []byte, v assignment.View) []byte {
	dst = append(dst, v.Low[:]...)
	return append(dst, v.High[:]...)
}

// readView reads a view of a world that has a number of blocks along each axis.
func readView(r *wire.Reader, blocks int) (v assignment.View) {
	for i := range v.Low {
		v.Low[i] = r.Byte()
	}
	for i := range v.High {
		v.High[i] = r.Byte()
	}
	for i := range v.Low {
		if v != assignment.Nowhere && (v.Low[i] > v.High[i] || int(v.High[i]) >= blocks) {
			r.Fail()
		}
	}
	return v
}

func appendVec(dst []byte, v fixed.Vec) []byte {
	return wire.AppendInt(wire.AppendInt(wire.AppendInt(dst, int64(v.X)), int64(v.Y)), int64(v.Z))
}

func readVec(r *wire.Reader) fixed.Vec {
	return fixed.Vec{X: fixed.F(r.Int()), Y: fixed.F(r.Int()), Z: fixed.F(r.Int())}
}

// appendLocated appends where a user's objects are, if there are any.
func appendLocated(dst []byte, u world.User, found bool, box fixed.Box) []byte {
	dst = wire.AppendUint(dst, uint64(u))
	if !found {
		return append(dst, 0)
	}
	return appendVec(appendVec(append(dst, 1), box.Min), box.Max)
}

func readLocated(r *wire.Reader) (u world.User, found bool, box fixed.Box) {
	u, found = world.User(r.UintMax(1<<32-1)), r.UintMax(1) == 1
	if found {
		box = fixed.Box{Min: readVec(r), Max: readVec(r)}
	}
	return u, found, box
}

// appendBody appends what is needed of an object to watch its surroundings.
func appendBody(dst []byte, o *world.Object) []byte {
	return appendVec(wire.AppendUint(wire.AppendUint(dst, uint64(o.ID)), uint64(o.Kind)), o.Pos)
}

func readBody(r *wire.Reader, s *world.Schema) world.Object {
	o := world.Object{ID: world.ID(r.Uint()), Kind: world.KindID(r.UintMax(uint64(len(s.Kinds) - 1)))}
	o.Pos = s.Bounds.Clamp(readVec(r))
	if o.ID == 0 {
		r.Fail()
	}
	return o
}
