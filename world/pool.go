package world

// pageObjects is how many objects share a page. Small pages copy less when one object of a page changes, large ones make
// copying and comparing the list of pages cheaper. See BenchmarkSnapshot for what was weighed.
const pageObjects = 16

// slabPages is how many pages are allocated at a time.
const slabPages = 64

type page [pageObjects]Object

// pageInfo is what is known of a page without opening it.
type pageInfo struct {
	first  ID     // the smallest ID in the page, for finding objects
	stamp  uint64 // the content's name: two pages of one pool with the same stamp hold the same objects
	hash   uint64 // the sum of the objects' hashes when the stamp was hashStamp
	hashed uint64
	refs   int32 // how many states hold the page
	n      int32 // how many objects are in it
}

// pool holds the pages of all states that descend from one another. It is as little safe for concurrent use as they are.
//
// Pages are counted references, not garbage: a simulation that keeps a fixed number of states allocates only until the
// pool has grown to what they need.
type pool struct {
	slabs []*[slabPages]page
	info  []pageInfo
	free  []int32
	clock uint64 // the last stamp given out
	live  int
}

func (p *pool) page(i int32) *page { return &p.slabs[i/slabPages][i%slabPages] }

func (p *pool) stamp() uint64 {
	p.clock++
	return p.clock
}

// take returns a page that nobody holds, for one holder.
func (p *pool) take() int32 {
	if len(p.free) == 0 {
		base := int32(len(p.info))
		p.slabs = append(p.slabs, new([slabPages]page))
		for i := range int32(slabPages) {
			p.info = append(p.info, pageInfo{})
			p.free = append(p.free, base+slabPages-1-i)
		}
	}
	i := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	p.info[i] = pageInfo{refs: 1, stamp: p.stamp()}
	p.live++
	return i
}

func (p *pool) release(i int32) {
	info := &p.info[i]
	if info.refs--; info.refs == 0 {
		p.free = append(p.free, i)
		p.live--
	}
}

// own returns a page with the content of page i that only the caller holds; the caller gives up its hold on i.
func (p *pool) own(i int32) int32 {
	if p.info[i].refs == 1 {
		return i
	}
	p.info[i].refs--
	return p.copyOf(i)
}

// copyOf returns a new page with the content, and so the stamp, of page i.
func (p *pool) copyOf(i int32) int32 {
	c := p.take()
	*p.page(c) = *p.page(i)
	p.info[c] = p.info[i]
	p.info[c].refs = 1
	return c
}
