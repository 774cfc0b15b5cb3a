package cluster

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// The commands that the directory is changed by. All can be repeated without harm: whoever has had no answer asks again.
const (
	commandJoin   = 1 + iota // process → its number
	commandBegun             // number: it runs
	commandBack              // process
	commandGone              // number, whether it has left for good
	commandDrain             // number
	commandTake              // hold
	commandLeave             // process, node, seat
	commandExpire            // seat
	commandEnd               // reason

	// These are no commands, but for whoever leads.
	commandOut  // number: answered once the process is no member any more
	commandLead // number: it wants to lead
)

func appendProcess(dst []byte, p *process) []byte {
	dst = wire.AppendUint(dst, uint64(p.number))
	dst = wire.AppendUint64(dst, p.instance)
	dst = appendText(dst, p.name)
	dst = appendText(dst, p.address)
	dst = appendText(dst, p.gateway)
	dst = appendText(dst, p.admin)
	return append(dst, flag(p.ready), flag(p.draining))
}

func readProcess(r *wire.Reader) process {
	return process{
		number: readNumber(r), instance: r.Uint64(), name: readText(r), address: readText(r), gateway: readText(r), admin: readText(r),
		ready: r.Byte() != 0, draining: r.Byte() != 0,
	}
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func readNumber(r *wire.Reader) uint32 { return uint32(r.UintMax(1<<32 - 1)) }

func appendHold(dst []byte, h *hold) []byte {
	dst = wire.AppendUint(dst, uint64(h.node))
	dst = wire.AppendUint(dst, uint64(h.user))
	dst = wire.AppendUint(dst, uint64(h.epoch))
	dst = wire.AppendUint(dst, uint64(h.process))
	dst = append(dst, h.seat[:]...)
	dst = appendText(dst, h.name)
	return wire.AppendInt(dst, int64(h.since))
}

func readHold(r *wire.Reader) hold {
	return hold{
		node: mechanism.NodeID(readNumber(r)), user: world.User(readNumber(r)), epoch: readNumber(r), process: readNumber(r),
		seat: readSeat(r), name: readText(r), since: world.Time(r.Int()),
	}
}

func readSeat(r *wire.Reader) (id seatID) {
	copy(id[:], r.Next(len(id)))
	return id
}

// apply carries a command out and returns the answer to whoever has given it.
func (d *directory) apply(command []byte, now world.Time) (reply []byte, moves []move, err error) {
	d.touched = d.touched[:0]
	r := wire.NewReader(command)
	switch r.Byte() {
	case commandJoin:
		p := readProcess(&r)
		if err := r.Done(); err != nil {
			return nil, nil, err
		}
		if d.ended != "" {
			return nil, nil, errors.New("the world has ended: " + d.ended)
		}
		return wire.AppendUint(nil, uint64(d.join(p))), nil, nil
	case commandBegun:
		moves = d.begun(readNumber(&r))
	case commandBack:
		moves, err = d.back(readProcess(&r), now)
	case commandGone:
		moves = d.gone(readNumber(&r), r.Byte() != 0, now)
	case commandDrain:
		moves = d.drain(readNumber(&r))
	case commandTake:
		moves, err = d.take(readHold(&r))
	case commandLeave:
		d.leave(readNumber(&r), mechanism.NodeID(readNumber(&r)), readSeat(&r))
	case commandExpire:
		moves = d.expire(readSeat(&r))
	case commandEnd:
		d.ended = cmp.Or(d.ended, readText(&r), "it was told to")
	default:
		err = wire.ErrMalformed
	}
	if e := r.Done(); e != nil {
		err = e
	}
	return nil, moves, err
}

// append writes the whole directory.
func (d *directory) append(dst []byte) []byte {
	dst = wire.AppendBytes(dst, d.founding.append(nil))
	dst = wire.AppendUint(dst, uint64(d.last))
	dst = appendText(dst, d.ended)
	dst = appendTexts(dst, d.former)
	live := d.live()
	dst = wire.AppendUint(dst, uint64(len(live)))
	for _, p := range live {
		dst = appendProcess(dst, p)
	}
	dst = wire.AppendUint(dst, uint64(len(d.left)))
	for _, number := range slices.Sorted(maps.Keys(d.left)) {
		dst = wire.AppendUint(dst, uint64(number))
	}
	dst = wire.AppendUint(dst, uint64(len(d.highest)))
	for _, number := range slices.Sorted(maps.Keys(d.highest)) {
		dst = wire.AppendUint(wire.AppendUint(dst, uint64(number)), uint64(d.highest[number]))
	}
	holds := make([]*hold, 0, len(d.holds))
	for _, h := range d.holds {
		holds = append(holds, h)
	}
	slices.SortFunc(holds, func(a, b *hold) int { return cmp.Compare(a.node, b.node) })
	dst = wire.AppendUint(dst, uint64(len(holds)))
	for _, h := range holds {
		dst = appendHold(dst, h)
	}
	return dst
}

// readDirectory reads what append has written.
func readDirectory(r *wire.Reader, places []mechanism.Place) (*directory, error) {
	head := wire.NewReader(r.Bytes())
	f, err := readFounding(&head)
	if err != nil {
		return nil, err
	}
	d := newDirectory(f, places)
	clear(d.processes)
	clear(d.holds)
	d.last, d.ended, d.former = readNumber(r), readText(r), readTexts(r)
	for range r.UintMax(uint64(r.Len())) {
		p := readProcess(r)
		d.processes[p.number] = &p
	}
	for range r.UintMax(uint64(r.Len())) {
		d.left[readNumber(r)] = true
	}
	for range r.UintMax(uint64(r.Len())) {
		number := readNumber(r)
		d.highest[number] = world.User(readNumber(r))
	}
	for range r.UintMax(uint64(r.Len())) {
		h := readHold(r)
		d.holds[h.node] = &h
		if h.seat != (seatID{}) {
			d.seats[h.seat] = h.node
		}
	}
	if r.Failed() {
		return nil, wire.ErrMalformed
	}
	return d, nil
}
