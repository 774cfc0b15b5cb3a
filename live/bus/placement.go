package bus

import (
	"fmt"
	"os"
	"slices"
	"sync"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world/fixed"
)

// foundersMax is how many processes a world can begin with.
const foundersMax = 256

// founder is a process that a world begins with: one of those that its servers run in.
type founder struct {
	number uint32 // as a member; zero for the first process
	name   string
	gone   bool
}

// placement is who runs what: the founders and what each of them was given. The nodes of each role, in the order of their IDs,
// are cut into as many runs as there are founders, equal to within one. Neighbours in a mechanism's layout thus tend to be in the same process,
// and no process has more of a role than it must: a mechanism whose nodes stand in for one another loses few of them with it. Users' places go from process to process afterwards; servers stay.
type placement struct {
	places []mechanism.Place
	areas  map[mechanism.NodeID][]fixed.Box // what servers run, where the mechanism says so

	mu       sync.Mutex
	founders []founder // empty until it is settled who they are
}

func newPlacement(s *mechanism.Session, m mechanism.Mechanism) *placement {
	return &placement{places: s.Places, areas: areasOf(s, m)}
}

// areasOf asks a client, which is built for nothing else, where each server's part of the world is.
func areasOf(s *mechanism.Session, m mechanism.Mechanism) map[mechanism.NodeID][]fixed.Box {
	areas := map[mechanism.NodeID][]fixed.Box{}
	at := slices.IndexFunc(s.Places, func(p mechanism.Place) bool { return p.User != 0 })
	if at < 0 {
		return areas
	}
	node, err := m.NewNode(s, s.Places[at])
	if err != nil {
		return areas // whoever is to run such a node will say what is wrong
	}
	if mapped, ok := node.(mechanism.Mapped); ok {
		for _, a := range mapped.Areas(nil) {
			areas[a.Server] = append(areas[a.Server], a.Box)
		}
	}
	return areas
}

// settle says who the founders are.
func (r *placement) settle(founders []founder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.founders = founders
}

// list returns the founders.
func (r *placement) list() []founder {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.founders)
}

// share returns what a process is given at the beginning: nothing, unless it is a founder.
func (r *placement) share(number uint32) (places []mechanism.Place) {
	founders := r.list()
	at := slices.IndexFunc(founders, func(f founder) bool { return f.number == number })
	of, index := map[string]int{}, map[string]int{}
	for _, p := range r.places {
		of[p.Role]++
	}
	for _, p := range r.places {
		if index[p.Role]*len(founders)/of[p.Role] == at {
			places = append(places, p)
		}
		index[p.Role]++
	}
	return places
}

// processes describes the founders as they are seen by one of the processes.
func (r *placement) processes(self uint32) []hub.Process {
	var list []hub.Process
	for _, f := range r.list() {
		p := hub.Process{Number: f.number, Name: f.name, Here: f.number == self, Gone: f.gone}
		for _, place := range r.share(f.number) {
			if place.User == 0 {
				p.Sites = append(p.Sites, hub.Site{Place: place, Areas: r.areas[place.ID]})
			}
		}
		list = append(list, p)
	}
	return list
}

// lose notes that a founder is gone. It reports whether that is news, and about a founder at all.
func (r *placement) lose(number uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.founders {
		if f := &r.founders[i]; f.number == number && !f.gone {
			f.gone = true
			return true
		}
	}
	return false
}

// losses are the numbers of the founders that are gone.
func (r *placement) losses() (numbers []uint32) {
	for _, f := range r.list() {
		if f.gone {
			numbers = append(numbers, f.number)
		}
	}
	return numbers
}

// ownName tells an operator which process this is.
func ownName() string {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Sprintf("pid %d", os.Getpid())
	}
	return fmt.Sprintf("pid %d on %s", os.Getpid(), host)
}
