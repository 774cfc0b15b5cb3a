package latejoin

import (
	"cmp"
	"slices"

	"throng/mechanism"
	"throng/world"
)

const (
	// claimsFor is how long a server that knows no world listens to what its clients know: until those have noticed, by asking
	// once a second, that it does not know them.
	claimsFor = 1500 * world.Millisecond

	// recoverMax is how long those may take to tell it whose world has been chosen.
	recoverMax = 5 * world.Second
)

// Recovery is how a server that has lost its memory gets the world back from clients, each of which has all of it: they claim to
// know a world, and the one that most of them claim is taken, the later one if two have as many. So one client can make up no
// world as long as there are two others. Poll is to be called when the time of Next has come and after each call of another
// method.
type Recovery struct {
	self   mechanism.NodeID
	epoch  uint32
	until  world.Time // when it chooses; never, while nobody has been heard of
	claims []claim
	chosen Claim
	fetch  *Newcomer  // while it fetches what was chosen
	began  world.Time // since when
	lost   bool
}

// Claim is a world that a client knows: how far it has come, and its hash.
type Claim struct {
	At   uint64
	Hash uint64
}

type claim struct {
	Claim
	from mechanism.NodeID
}

// NewRecovery returns the recovery of a server in an epoch, which has yet to hear of anybody.
func NewRecovery(self mechanism.NodeID, epoch uint32) *Recovery {
	return &Recovery{self: self, epoch: epoch, until: world.Never}
}

// Hear notes that a client is there.
func (r *Recovery) Hear(now world.Time) { r.until = min(r.until, now+claimsFor) }

// Claim takes what a client claims to know. Only its last claim counts, and none once a world has been chosen.
func (r *Recovery) Claim(now world.Time, from mechanism.NodeID, c Claim) {
	r.Hear(now)
	if r.fetch != nil {
		return
	}
	r.claims = slices.DeleteFunc(r.claims, func(x claim) bool { return x.from == from })
	r.claims = append(r.claims, claim{c, from})
}

// Poll appends what is to be asked now and returns whom to ask, or zero if there is nothing to be asked.
func (r *Recovery) Poll(now world.Time, dst []byte) (to mechanism.NodeID, payload []byte) {
	if r.fetch != nil && now-r.began > recoverMax { // those who claimed it are gone, or lie
		r.refuse()
	}
	if r.fetch == nil && now >= r.until && !r.lost {
		var holders []mechanism.NodeID
		if r.chosen, holders = r.choose(); len(holders) == 0 {
			r.lost = true
			return 0, dst
		}
		r.fetch, r.began = NewNewcomer(r.self, r.epoch, holders), now
	}
	if r.fetch == nil {
		return 0, dst
	}
	return r.fetch.Poll(now, dst)
}

// choose returns the world that most clients claim, and who does.
func (r *Recovery) choose() (best Claim, holders []mechanism.NodeID) {
	votes := map[Claim]int{}
	for _, c := range r.claims {
		votes[c.Claim]++
	}
	slices.SortFunc(r.claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(votes[b.Claim], votes[a.Claim]), cmp.Compare(b.At, a.At), cmp.Compare(b.Hash, a.Hash), cmp.Compare(a.from, b.from))
	})
	for _, c := range r.claims {
		if c.Claim == r.claims[0].Claim {
			best, holders = c.Claim, append(holders, c.from)
		}
	}
	return best, holders
}

// refuse gives up the world that was chosen.
func (r *Recovery) refuse() {
	r.fetch = nil
	r.claims = slices.DeleteFunc(r.claims, func(c claim) bool { return c.Claim == r.chosen })
}

// Receive takes a chunk. It returns the snapshot if that is all of it, and whether the chunk could be read.
func (r *Recovery) Receive(now world.Time, from mechanism.NodeID, payload []byte) (snapshot []byte, sound bool) {
	if r.fetch == nil {
		return nil, true
	}
	return r.fetch.Receive(now, from, payload)
}

// Chosen is the world that is being fetched.
func (r *Recovery) Chosen() Claim { return r.chosen }

// Next is when Poll is to be called.
func (r *Recovery) Next() world.Time {
	if r.fetch != nil {
		return min(r.fetch.Next(), r.began+recoverMax+1)
	}
	return r.until
}

// Lost reports that nobody knows a world: it has to begin again.
func (r *Recovery) Lost() bool { return r.lost }
