package relay

import (
	"throng/world"
	"throng/world/wire"
)

// What a message is says its first byte.
const (
	// From a client to the server.
	kindJoin byte = iota // Control: a newcomer's epoch and user
	kindAct              // Command: an action, and what has changed as in kindTell
	kindTell             // Update: objects as they are, and the IDs of those that are gone

	kindWelcome // Control, from the server to a newcomer: its epoch

	// From the server to a client. Each begins with a moment.
	kindDo   // Command: an action
	kindTick // Command: nothing; the tick has come
	kindShow // Update: as kindTell; it stands nowhere in the order, but before what stands at the position

	kindAsk // Control, from a newcomer: what it wants to be told (package latejoin)

	kindHere  // Control, from a client: nothing; it is there
	kindLeave // Control, from a client: goodbye, with its epoch
	kindGone  // Control, from the server to somebody whom it does not know, or no longer: nothing

	kindGuide // Control, from the server to a client: a newcomer's node, and what it asks
	kindPart  // Snapshot, from a client: a newcomer's node, and what it is told. That goes on to the newcomer without both
	kindKnows // Control, from a client: nothing; it knows the world
	kindBegin // Control, from the server to a newcomer: its epoch; nobody knows the world any more, it is to begin again
)

const (
	tickMax   = 1 << 40
	epochMax  = 1<<32 - 1
	tellBytes = 1000 // how long a message with objects grows before another one is begun
	tellMax   = 1 << 10
)

// moment is a place in the order, and the tick at which what stands there is carried out.
type moment struct {
	position uint64 // from one
	tick     world.Tick
}

func (m moment) append(dst []byte, kind byte) []byte {
	dst = append(dst, kind)
	dst = wire.AppendUint(dst, m.position)
	return wire.AppendUint(dst, uint64(m.tick))
}

func readMoment(r *wire.Reader) moment {
	return moment{r.Uint(), world.Tick(r.UintMax(tickMax))}
}

// appendEpoch appends a message that says nothing but an epoch.
func appendEpoch(dst []byte, kind byte, epoch uint32) []byte {
	return wire.AppendUint(append(dst, kind), uint64(epoch))
}

func readEpoch(r *wire.Reader) uint32 { return uint32(r.UintMax(epochMax)) }

func appendJoin(dst []byte, epoch uint32, u world.User) []byte {
	return wire.AppendUint(appendEpoch(dst, kindJoin, epoch), uint64(u))
}

func readJoin(r *wire.Reader) (epoch uint32, u world.User) {
	return readEpoch(r), world.User(r.UintMax(1<<32 - 1))
}

// News is how an object is, or that it is gone.
type News struct {
	Object world.Object // of one that is gone, only the ID
	Gone   bool
}

func (n *News) append(dst []byte, s *world.Schema) []byte {
	dst = wire.AppendUint(dst, uint64(n.Object.ID))
	if n.Gone {
		return append(dst, 1)
	}
	return s.AppendObject(append(dst, 0), &n.Object, nil, world.Exact)
}

// readNews reads objects to the end of a message and appends them to dst.
func readNews(r *wire.Reader, s *world.Schema, dst []News) []News {
	for r.Len() > 0 && !r.Failed() {
		var n News
		id := world.ID(r.Uint())
		switch r.Byte() {
		case 0:
			if n.Object = s.ReadObject(r, nil, world.Exact); s.CheckObject(&n.Object) != nil {
				r.Fail()
			}
		case 1:
			n.Gone = true
		default:
			r.Fail()
		}
		if n.Object.ID = id; id == 0 || len(dst) == tellMax {
			r.Fail()
		}
		dst = append(dst, n)
	}
	return dst
}

// apply makes a state agree with news.
func apply(s *world.State, news []News) {
	for i := range news {
		if n := &news[i]; n.Gone {
			s.Remove(n.Object.ID)
		} else {
			s.Put(n.Object)
		}
	}
}
