package world

// pageObjects is how many objects share a page. Small pages copy less when one object of a page changes, large ones make the
// lists of pages shorter. What was weighed, for 100,000 objects of which every hundredth changes, in microseconds:
//
//	objects in a page                    4     8    16    32
//	snapshot and change them           193   241   205   359
//	diff                                81   127   219   387
//	hash                                94   112   185   282
//	bring an index up to date          182   133   192   229
//	diff after a single change          16     8     5     2
//	copy everything                   8216  5112  4313  4188
//
// Most of the last is taking fresh memory, and most of the first the cache missed by the changes themselves: see
// bench_test.go.
const pageObjects = 8

// slabPages is how many pages are allocated at a time.
const slabPages = 32

// objectBytes is the size of an Object.
const objectBytes = 128

type page [pageObjects]Object

// ref is a state's hold on a page, with what can be known of the page without opening it.
type ref struct {
	first ID     // the smallest ID in the page, for finding objects
	stamp uint64 // names the content: pages of one pool that bear the same stamp hold the same objects
	page  int32  // the page's place in the pool
	n     int32  // how many objects are in it
}

// pageSum remembers a page's hash, under the stamp that the page bore then.
type pageSum struct {
	stamp, hash uint64
}

// pool holds the pages of all states that descend from one another. It is as little safe for concurrent use as they are.
//
// Pages are counted references, not garbage: a simulation that keeps a fixed number of states allocates only until the
// pool has grown to what they need.
type pool struct {
	slabs []*[slabPages]page
	holds []int32 // per page, how many states hold it
	sums  []pageSum
	free  []int32
	clock uint64 // the last stamp given out
	live  int    // how many pages are held
}

func (p *pool) page(i int32) *page { return &p.slabs[uint32(i)/slabPages][uint32(i)%slabPages] }

func (p *pool) stamp() uint64 {
	p.clock++
	return p.clock
}

// take returns a page that nobody holds, for one holder.
func (p *pool) take() int32 {
	if len(p.free) == 0 {
		p.grow()
	}
	i := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	p.holds[i] = 1
	p.live++
	return i
}

func (p *pool) grow() {
	base := int32(len(p.holds))
	p.slabs = append(p.slabs, new([slabPages]page))
	p.holds = append(p.holds, make([]int32, slabPages)...)
	p.sums = append(p.sums, make([]pageSum, slabPages)...)
	for i := range int32(slabPages) {
		p.free = append(p.free, base+slabPages-1-i)
	}
}

func (p *pool) release(i int32) {
	p.holds[i]--
	if p.holds[i] == 0 {
		p.free = append(p.free, i)
		p.live--
	}
}

// own returns a page with the content of page i that only the caller holds; the caller gives up its hold on i.
func (p *pool) own(i int32) int32 {
	if p.holds[i] == 1 {
		return i
	}
	c := p.take()
	*p.page(c) = *p.page(i)
	p.holds[i]--
	return c
}
