package cluster

import (
	"throng/mechanism"
	"throng/world"
)

// take notes that a process has somebody's place: of a person who has come, or come back through another process than before.
func (d *directory) take(want hold) (moves []move, err error) {
	p, h := d.processes[want.process], d.holds[want.node]
	if at, seated := d.seats[want.seat]; p == nil || seated && at != want.node {
		return nil, errRefused
	}
	place, original := d.original(want.node)
	switch {
	case original && place.User != want.user:
		return nil, errRefused
	case h == nil && original:
		return nil, errRefused // every place that the run began with has a holder
	case h == nil:
		d.highest[p.number] = max(d.highest[p.number], want.user)
		h = &want
		d.holds[want.node] = h
	case h.process != want.process && (h.seat != want.seat || want.seat == (seatID{})):
		return nil, errRefused
	case h.user != want.user:
		return nil, errRefused
	}
	if h.process != want.process {
		m := d.pass(h, want.process)
		m.claimed = true
		moves = append(moves, m)
	}
	d.touch(h.node)
	if h.seat != want.seat {
		delete(d.seats, h.seat)
	}
	h.epoch, h.seat, h.name = want.epoch, want.seat, want.name
	d.seats[h.seat] = h.node
	return moves, nil
}

// leave notes that a person has left a place for good: it is an artificial player's again, or nobody's.
func (d *directory) leave(process uint32, node mechanism.NodeID, seat seatID) {
	h := d.holds[node]
	if h == nil || h.process != process || h.seat != seat || seat == (seatID{}) {
		return
	}
	d.touch(node)
	delete(d.seats, seat)
	if _, original := d.original(node); original {
		h.seat, h.name = seatID{}, ""
		return
	}
	delete(d.holds, node)
}

// expired lists the seats of people who have not come back.
func (d *directory) expired(before world.Time) (list []seatID) {
	for _, h := range d.holds {
		if h.process == 0 && h.since <= before {
			list = append(list, h.seat)
		}
	}
	return list
}

// expire gives the place of a person who has not come back to a process, which sees to what becomes of it.
func (d *directory) expire(seat seatID) (moves []move) {
	h := d.holds[d.seats[seat]]
	to := d.idlest()
	if h == nil || h.process != 0 || to == 0 {
		return nil
	}
	delete(d.seats, seat)
	h.seat, h.name = seatID{}, ""
	m := d.hand(h, to)
	if _, original := d.original(h.node); !original {
		delete(d.holds, h.node) // whoever takes it over takes its user out of the world
	}
	return append(moves, m)
}
