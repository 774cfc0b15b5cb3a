package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
)

const (
	// epochSkip is how many nodes may have held a place one after the other without the directory hearing of them: a process begins
	// another one whenever a person leaves. Servers would take a node of the same epoch for the one before, and wait for that.
	epochSkip = 1 << 10

	// spanSize is how many users a process may admit that are not places taken again after somebody left.
	spanSize = 1 << 13

	// formerMax is how many gateways are remembered of processes that are gone.
	formerMax = 64
)

// seatID names a seat: the random part of its token. Zero is none.
type seatID [16]byte

// directory is what all processes of a world agree on besides its servers' nodes: which processes there are, and which of them
// holds the place of which user. It is part of the replicated state: it has no clock and depends on what it is handed.
type directory struct {
	founding founding
	places   []mechanism.Place // those that the run began with; the same in every process

	last      uint32 // the greatest number of a process so far
	processes map[uint32]*process
	holds     map[mechanism.NodeID]*hold
	seats     map[seatID]mechanism.NodeID
	left      map[uint32]bool       // processes that have left for good
	highest   map[uint32]world.User // by process: the greatest number that it has given to somebody whom it admitted
	former    []string              // gateways of processes that are gone, the latest
	ended     string                // why the world has ended; empty while it goes on

	touched []mechanism.NodeID // whose holders the last command has changed
}

// process is one of those that keep the world.
type process struct {
	number   uint32
	instance uint64
	name     string
	address  string // where other processes reach it
	gateway  string // where people do
	admin    string // where operators do
	ready    bool   // it runs, and can be given something
	draining bool   // it is given nothing more
}

// hold is who has a user's place.
type hold struct {
	node    mechanism.NodeID
	user    world.User
	epoch   uint32
	process uint32 // zero if the process is gone, and the person may come back through another one
	seat    seatID // of a person; zero for an artificial player
	name    string // of the person
	since   world.Time
}

// move is a place that goes from process to process. Zero is none.
type move struct {
	duty     hub.Duty
	from, to uint32
	claimed  bool // by the process that it goes to, which has it already
}

// errRefused is why a command came to nothing: the place is somebody else's by now.
var errRefused = errors.New("the place is held by another process")

// newDirectory is a world that begins with the processes of a founding, which have equal shares of its users.
func newDirectory(f founding, places []mechanism.Place) *directory {
	d := &directory{
		founding: f, places: places, processes: map[uint32]*process{}, holds: map[mechanism.NodeID]*hold{}, seats: map[seatID]mechanism.NodeID{}, left: map[uint32]bool{}, highest: map[uint32]world.User{},
	}
	for i := range f.processes {
		p := f.processes[i]
		p.ready = true // they all begin with their share
		d.processes[p.number] = &p
		d.last = max(d.last, p.number)
	}
	for i, p := range f.processes {
		for _, place := range share(places, i, len(f.processes)) {
			d.holds[place.ID] = &hold{node: place.ID, user: place.User, process: p.number}
		}
	}
	return d
}

// share is the part of the users' places that one of several processes begins with.
func share(places []mechanism.Place, i, of int) (part []mechanism.Place) {
	var users []mechanism.Place
	for _, p := range places {
		if p.User != 0 {
			users = append(users, p)
		}
	}
	return users[i*len(users)/of : (i+1)*len(users)/of]
}

// span is the users whom a process may admit: nobody else's.
func (d *directory) span(number uint32) (first, last world.User, err error) {
	users := world.User(0)
	for _, p := range d.places {
		users = max(users, p.User)
	}
	begin := uint64(users) + 1 + spanSize*uint64(number-1)
	// A user's node may have a greater number than the user.
	if begin+spanSize > hub.NodesMax-uint64(len(d.places)) {
		return 0, 0, fmt.Errorf("process %d: all numbers for users have been given out; the world has to begin anew for further processes", number)
	}
	first, last = world.User(begin), world.User(begin)+spanSize-1
	return max(first, d.highest[number]+1), last, nil
}

// original is the place of a node that the run began with, if it is one.
func (d *directory) original(id mechanism.NodeID) (mechanism.Place, bool) {
	at, found := slices.BinarySearchFunc(d.places, id, func(p mechanism.Place, id mechanism.NodeID) int { return cmp.Compare(p.ID, id) })
	if !found {
		return mechanism.Place{}, false
	}
	return d.places[at], true
}

// live are the processes in the order of their numbers.
func (d *directory) live() []*process {
	list := slices.Collect(maps.Values(d.processes))
	slices.SortFunc(list, func(a, b *process) int { return cmp.Compare(a.number, b.number) })
	return list
}

// join takes a process in. It is still to be sent everything, and is given nothing until it says that it runs: whoever waits for
// users would wait for those whom nobody plays for meanwhile.
func (d *directory) join(p process) (number uint32) {
	for _, known := range d.live() {
		if known.instance == p.instance {
			return known.number // it asks again
		}
	}
	d.last++
	p.number, p.ready = d.last, false
	d.processes[p.number] = &p
	if len(d.left) > 0 { // it comes in place of one that has left
		delete(d.left, slices.Min(slices.Collect(maps.Keys(d.left))))
	}
	return p.number
}

// begun gives a process that has joined, and runs by now, a fair share of the artificial players.
func (d *directory) begun(number uint32) (moves []move) {
	p := d.processes[number]
	if p == nil || p.ready {
		return nil // it says so again
	}
	p.ready = true
	return append(d.orphans(number), d.balance(number)...)
}

// orphans gives a process what was left when there was nobody to take it.
func (d *directory) orphans(to uint32) (moves []move) {
	for _, h := range d.held(0) {
		if h.seat == (seatID{}) {
			moves = append(moves, d.hand(h, to))
		}
	}
	return moves
}

// artificial lists the places of artificial players that a process holds, in order.
func (d *directory) artificial(number uint32) (list []*hold) {
	for _, p := range d.places {
		if h := d.holds[p.ID]; h != nil && h.process == number && h.seat == (seatID{}) {
			list = append(list, h)
		}
	}
	return list
}

// balance has others give artificial players to a process that has none until all have as many.
func (d *directory) balance(newcomer uint32) (moves []move) {
	total := 0
	for _, p := range d.live() {
		total += len(d.artificial(p.number))
	}
	ready := 0
	for _, p := range d.processes {
		if p.ready {
			ready++
		}
	}
	fair := total / max(1, ready)
	wanted := fair
	for _, p := range d.live() {
		list := d.artificial(p.number)
		for p.number != newcomer && wanted > 0 && len(list) > fair {
			last := len(list) - 1
			moves = append(moves, d.hand(list[last], newcomer))
			list = list[:last]
			wanted--
		}
	}
	return moves
}

// hand gives a place to a process, which begins a node of its own there.
func (d *directory) hand(h *hold, to uint32) move {
	h.epoch += epochSkip
	return d.pass(h, to)
}

// pass has a place be a process's.
func (d *directory) pass(h *hold, to uint32) move {
	d.touch(h.node)
	m := move{from: h.process, to: to, duty: hub.Duty{Node: h.node, User: h.user, Epoch: h.epoch}}
	h.process = to
	return m
}

func (d *directory) touch(id mechanism.NodeID) { d.touched = append(d.touched, id) }

// keep keeps the place of a person whose process is gone.
func (d *directory) keep(h *hold, now world.Time) {
	d.touch(h.node)
	h.process, h.since = 0, now
}

// back takes a process in again that has been away with all its memory but what was on its disk.
func (d *directory) back(p process, now world.Time) (moves []move, err error) {
	if p.number > d.last {
		return nil, errors.New("the world does not know this process")
	}
	before := d.processes[p.number]
	if before != nil && before.instance == p.instance {
		return nil, nil // it asks again
	}
	p.ready = true
	d.processes[p.number] = &p
	delete(d.left, p.number)
	d.ended = ""
	for _, h := range d.held(p.number) {
		if h.seat != (seatID{}) {
			d.keep(h, now)
			continue
		}
		m := d.hand(h, p.number)
		m.from = 0
		moves = append(moves, m)
	}
	moves = append(moves, d.orphans(p.number)...)
	if before == nil { // others have taken over what it had
		moves = append(moves, d.balance(p.number)...)
	}
	return moves, nil
}

// held lists what a process holds, in the order of nodes.
func (d *directory) held(number uint32) (list []*hold) {
	for _, h := range d.holds {
		if h.process == number {
			list = append(list, h)
		}
	}
	slices.SortFunc(list, func(a, b *hold) int { return cmp.Compare(a.node, b.node) })
	return list
}

// gone takes a process out, which has died or has left for good. Others play for its artificial players; people's places are kept,
// for them to come back.
func (d *directory) gone(number uint32, left bool, now world.Time) (moves []move) {
	p := d.processes[number]
	if p == nil {
		return nil
	}
	delete(d.processes, number)
	if p.gateway != "" && !slices.Contains(d.former, p.gateway) {
		d.former = append(d.former[max(0, len(d.former)-formerMax+1):], p.gateway)
	}
	if left {
		d.left[number] = true
	}
	for _, h := range d.held(number) {
		to := d.idlest()
		if h.seat != (seatID{}) || to == 0 {
			d.keep(h, now)
			continue
		}
		moves = append(moves, d.hand(h, to))
	}
	return moves
}

// idlest is the process that plays for the fewest, or zero if there is none.
func (d *directory) idlest() (number uint32) {
	fewest := 0
	for _, p := range d.live() {
		if n := len(d.artificial(p.number)); p.ready && !p.draining && (number == 0 || n < fewest) {
			number, fewest = p.number, n
		}
	}
	return number
}

// drain has a process be given nothing more, and others take over what it plays for.
func (d *directory) drain(number uint32) (moves []move) {
	p := d.processes[number]
	if p == nil || p.draining {
		return nil
	}
	p.draining = true
	if d.idlest() == 0 {
		return nil // there is nobody else
	}
	for _, h := range d.artificial(number) {
		moves = append(moves, d.hand(h, d.idlest()))
	}
	return moves
}
