package action

import (
	"slices"
	"unsafe"

	"throng/world"
)

// versions is all that a client holds for certain: of every object how it was after some positions of the order, the
// latest in a state of its own.
//
// One version of each object would not do. A client gets to know of an action when something depends on it, which may be
// after it has carried out later ones:
//
//  1. Position 5 reads x and writes y. Position 7 writes x.
//  2. The client is sent 7, since it needs x; what 5 does to y is nothing to it.
//  3. Later it needs y and is sent 5. To carry 5 out it must know x as it was before 7.
//
// What was so at or before the last position that the server has installed is kept once.
type versions struct {
	latest    *world.State
	installed uint64
	chains    map[world.ID]*chain // of objects that were written beyond installed
	writes    []write             // these, in the order of positions
	first     int                 // where in writes they begin
	spare     []*chain
}

// chain is the versions of one object, the oldest first. The first is how it was at installed.
type chain struct{ versions []version }

// version is how an object was from a position on: without an ID if it did not exist.
type version struct {
	position uint64
	object   world.Object
}

type write struct {
	position uint64
	id       world.ID
}

// newVersions begins with a state that everybody knows to be so after a position.
func newVersions(start *world.State, position uint64) versions {
	return versions{latest: start.Detach(), installed: position, chains: map[world.ID]*chain{}}
}

// before is how an object was before a position, nil if it did not exist.
func (v *versions) before(id world.ID, position uint64) *world.Object {
	c := v.chains[id]
	if c == nil {
		return v.latest.Get(id)
	}
	i := len(c.versions) - 1
	for i > 0 && c.versions[i].position >= position {
		i--
	}
	return c.versions[i].existing()
}

// after is how a position left an object that it wrote.
func (v *versions) after(id world.ID, position uint64) *world.Object { return v.before(id, position+1) }

func (x *version) existing() *world.Object {
	if x.object.ID == 0 {
		return nil
	}
	return &x.object
}

// put notes how an object is after a position, and reports whether nothing later is known of it.
func (v *versions) put(id world.ID, position uint64, o *world.Object) (latest bool) {
	c := v.chains[id]
	switch {
	case c == nil && position <= v.installed:
		put(v.latest, id, o)
		return true
	case c == nil:
		c = v.begin(id)
	}
	latest = c.insert(position, o)
	if latest {
		put(v.latest, id, o)
	}
	if position > v.installed {
		v.note(write{position, id})
	}
	return latest
}

// begin starts a chain with how the object is now, which was so at installed.
func (v *versions) begin(id world.ID) *chain {
	var c *chain
	if n := len(v.spare); n > 0 {
		c, v.spare = v.spare[n-1], v.spare[:n-1]
	} else {
		c = &chain{}
	}
	c.versions = append(c.versions[:0], version{position: v.installed})
	if o := v.latest.Get(id); o != nil {
		c.versions[0].object = *o
	}
	v.chains[id] = c
	return c
}

// insert puts a version into its place, and reports whether that is the last.
func (c *chain) insert(position uint64, o *world.Object) bool {
	i := len(c.versions)
	for i > 0 && c.versions[i-1].position > position {
		i--
	}
	x := version{position: position}
	if o != nil {
		x.object = *o
	}
	if i > 0 && c.versions[i-1].position == position {
		i--
		c.versions[i] = x
	} else {
		c.versions = slices.Insert(c.versions, i, x)
	}
	return i == len(c.versions)-1
}

// note puts a write into its place.
func (v *versions) note(x write) {
	if v.first > 64 && v.first > len(v.writes)/2 {
		v.writes = slices.Delete(v.writes, 0, v.first)
		v.first = 0
	}
	i := len(v.writes)
	for i > v.first && v.writes[i-1].position > x.position {
		i--
	}
	v.writes = slices.Insert(v.writes, i, x)
}

// install forgets what was so before a position that the server has installed: nothing that is still to come depends on it.
func (v *versions) install(position uint64) {
	v.installed = max(v.installed, position)
	for v.first < len(v.writes) && v.writes[v.first].position <= v.installed {
		v.trim(v.writes[v.first].id)
		v.first++
	}
}

func (v *versions) trim(id world.ID) {
	c := v.chains[id]
	if c == nil {
		return
	}
	i := 0
	for i+1 < len(c.versions) && c.versions[i+1].position <= v.installed {
		i++
	}
	c.versions = slices.Delete(c.versions, 0, i)
	if len(c.versions) == 1 {
		delete(v.chains, id)
		v.spare = append(v.spare, c)
	}
}

func (v *versions) bytes() int {
	const each = int(unsafe.Sizeof(version{}))
	return v.latest.Size() + (len(v.chains)+len(v.spare))*4*each + cap(v.writes)*int(unsafe.Sizeof(write{}))
}
