package bus

import (
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// version is that of everything below. Processes of different versions cannot share a world.
const version = 2

const (
	// headerSize is what stands before a datagram's payload: its class and the sender. The receiver is in the subject.
	headerSize = 1 + 4

	// messageMax is the largest message, as NATS has it by default.
	messageMax = 1 << 20
)

func appendHeader(dst []byte, m *mechanism.Message) []byte {
	return binary.LittleEndian.AppendUint32(append(dst, byte(m.Class)), uint32(m.From))
}

// readDatagram reads a datagram for a node, from another or, where it is a notice, from nobody. The payload points into data.
func readDatagram(to mechanism.NodeID, data []byte) (m mechanism.Message, ok bool) {
	if len(data) < headerSize || len(data) > messageMax {
		return m, false
	}
	m = mechanism.Message{
		From:    mechanism.NodeID(binary.LittleEndian.Uint32(data[1:])),
		To:      to,
		Class:   mechanism.Class(data[0]),
		Payload: data[headerSize:],
	}
	return m, m.Class <= mechanism.Signal && (known(m.From) || hub.IsNotice(m)) && known(to)
}

// known reports whether there can be a node of that ID.
func known(id mechanism.NodeID) bool { return id != 0 && id <= hub.NodesMax }

// The kinds of requests: the first byte of each.
const (
	kindJoin  = 1 // to the first process
	kindClock = 2
	kindTake  = 3
	kindBeat  = 4
	kindLeave = 5
	kindReady = 6
	kindCede  = 7 // to a member
	kindEnd   = 8
	kindFound = 9
	kindBegin = 10
)

// The first byte of an answer.
const (
	statusOK      = 0
	statusRefused = 1 // a text follows
	statusUnknown = 2 // the sender is no member, or no more
)

// textMax bounds reasons and refusals.
const textMax = 1 << 10

func appendText(dst []byte, s string) []byte {
	return wire.AppendBytes(dst, []byte(s[:min(len(s), textMax)]))
}

func readText(r *wire.Reader) string {
	b := r.Bytes()
	if len(b) > textMax {
		r.Fail()
	}
	return string(b)
}

// welcome is the answer to a process that joins.
type welcome struct {
	member      uint32
	users       span
	patience    time.Duration
	hash        uint64 // of the world at tick zero
	description []byte

	// Those that the world began with, and when it did. None if it has not begun: whoever is welcomed is one of them.
	founders []founder
	zero     world.Time
}

func (w *welcome) append(dst []byte) []byte {
	dst = wire.AppendUint(dst, uint64(w.member))
	dst = wire.AppendUint(dst, uint64(w.users.first))
	dst = wire.AppendUint(dst, uint64(w.users.last))
	dst = wire.AppendUint(dst, uint64(w.patience))
	dst = wire.AppendUint64(dst, w.hash)
	dst = wire.AppendBytes(dst, w.description)
	dst = appendFounders(dst, w.founders)
	return wire.AppendInt(dst, int64(w.zero))
}

func readWelcome(r *wire.Reader) welcome {
	w := welcome{
		member:      uint32(r.UintMax(1<<32 - 1)),
		users:       span{first: world.User(r.UintMax(hub.NodesMax)), last: world.User(r.UintMax(hub.NodesMax))},
		patience:    time.Duration(r.UintMax(uint64(time.Hour))),
		hash:        r.Uint64(),
		description: r.Bytes(),
		founders:    readFounders(r),
		zero:        world.Time(r.Int()),
	}
	if w.users.first == 0 || w.users.first > w.users.last || w.patience < time.Millisecond {
		r.Fail()
	}
	return w
}

func appendFounders(dst []byte, founders []founder) []byte {
	dst = wire.AppendUint(dst, uint64(len(founders)))
	for _, f := range founders {
		dst = wire.AppendUint(dst, uint64(f.number))
		dst = appendText(dst, f.name)
		gone := byte(0)
		if f.gone {
			gone = 1
		}
		dst = append(dst, gone)
	}
	return dst
}

func readFounders(r *wire.Reader) []founder {
	founders := make([]founder, 0, r.UintMax(foundersMax))
	for range cap(founders) {
		founders = append(founders, founder{number: uint32(r.UintMax(1<<32 - 1)), name: readText(r), gone: r.Byte() != 0})
		if r.Failed() {
			return nil
		}
	}
	return founders
}

// status is what the first process answers to beats: its time, and which founders are gone.
type status struct {
	now  world.Time
	gone []uint32
}

func (s *status) append(dst []byte) []byte {
	dst = wire.AppendInt(dst, int64(s.now))
	dst = wire.AppendUint(dst, uint64(len(s.gone)))
	for _, number := range s.gone {
		dst = wire.AppendUint(dst, uint64(number))
	}
	return dst
}

func readStatus(r *wire.Reader) status {
	s := status{now: world.Time(r.Int())}
	for range r.UintMax(foundersMax) {
		s.gone = append(s.gone, uint32(r.UintMax(1<<32-1)))
		if r.Failed() {
			break
		}
	}
	return s
}

// appendDuties sorts duties by their nodes and appends them, each with the difference to the node before.
func appendDuties(dst []byte, duties []hub.Duty) []byte {
	slices.SortFunc(duties, func(a, b hub.Duty) int { return cmp.Compare(a.Node, b.Node) })
	dst = wire.AppendUint(dst, uint64(len(duties)))
	before := mechanism.NodeID(0)
	for _, d := range duties {
		dst = wire.AppendUint(dst, uint64(d.Node-before))
		dst = wire.AppendUint(dst, uint64(d.User))
		dst = wire.AppendUint(dst, uint64(d.Epoch))
		before = d.Node
	}
	return dst
}

// readDuties reads what appendDuties wrote: nodes that can be, each once.
func readDuties(r *wire.Reader) []hub.Duty {
	const least = 3 // bytes that a duty takes
	n := r.UintMax(uint64(r.Len()/least + 1))
	duties := make([]hub.Duty, 0, n)
	before := uint64(0)
	for range n {
		step := r.UintMax(hub.NodesMax)
		d := hub.Duty{
			Node:  mechanism.NodeID(before + step),
			User:  world.User(r.UintMax(hub.NodesMax)),
			Epoch: uint32(r.UintMax(1<<32 - 1)),
		}
		if step == 0 || !known(d.Node) || d.User == 0 {
			r.Fail()
		}
		if r.Failed() {
			return nil
		}
		duties = append(duties, d)
		before = uint64(d.Node)
	}
	return duties
}
