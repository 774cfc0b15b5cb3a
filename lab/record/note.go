package record

import (
	"iter"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Note is something that happened between nodes or inside one, for readers to show.
type Note struct {
	Time world.Time
	Kind NoteKind
	Node mechanism.NodeID // who sent, got or reported it
	User world.User       // of an event: with Seq, the action concerned, if any

	// Of a datagram: whom it was sent to, the class and its size on the wire. Ref counts datagrams in the order in which they were
	// sent, from zero; a datagram that arrives has that of the one sent.
	To    mechanism.NodeID
	Class mechanism.Class
	Size  int
	Ref   uint64

	Text  string // what is in a datagram, as far as the mechanism says; the name of an event; what happened
	Seq   uint32
	Value int64
}

// NoteKind says what a note is about.
type NoteKind byte

// What notes are about.
const (
	Sent     NoteKind = iota // a datagram was sent
	Got                      // one arrived; those that never do were lost
	Reported                 // a node reported an event
	Happened                 // somebody came or went, in a live world
	kinds
)

const (
	// notesMax is how many bytes of notes a recording has, before compression: more than anybody can look at. Notes of what happens
	// after that are left out.
	notesMax = 24 << 20

	// textMax is how many bytes of a text are kept.
	textMax = 400
)

// notes are those of the group being filled.
type notes struct {
	list  []byte
	last  world.Time // when the last of them was
	sent  uint64     // datagrams noted so far
	total int        // bytes of the groups before
}

// full reports whether there is no room for more, in any group.
func (n *notes) full() bool { return n.total+len(n.list) > notesMax }

// next begins another group.
func (n *notes) next() {
	n.total += len(n.list)
	n.list, n.last = n.list[:0], 0
}

// Note takes a note. Those of one writer come in the order of their times; a datagram that is sent gets its Ref.
func (w *Writer) Note(n Note) (ref uint64) {
	if w.err != nil || w.closed || w.notes.full() || n.Kind == Got && n.Ref >= w.notes.sent {
		return w.notes.sent
	}
	x := &w.notes
	if len(x.list) == 0 {
		x.list = wire.AppendUint(x.list, x.sent)
	}
	n.Time = max(n.Time, x.last)
	x.list = append(wire.AppendUint(x.list, uint64(n.Time-x.last)), byte(n.Kind))
	x.last = n.Time
	ref = n.Ref
	switch n.Kind {
	case Sent:
		ref = x.sent
		x.sent++
		x.list = wire.AppendUint(wire.AppendUint(x.list, uint64(n.Node)), uint64(n.To))
		x.list = wire.AppendUint(append(x.list, byte(n.Class)), uint64(n.Size))
		x.text(n.Text)
	case Got:
		x.list = wire.AppendUint(x.list, x.sent-1-n.Ref)
	default:
		x.list = wire.AppendUint(wire.AppendUint(x.list, uint64(n.Node)), uint64(n.User))
		x.list = wire.AppendInt(wire.AppendUint(x.list, uint64(n.Seq)), n.Value)
		x.text(n.Text)
	}
	return ref
}

func (n *notes) text(s string) { n.list = wire.AppendBytes(n.list, []byte(s[:min(len(s), textMax)])) }

// AllNotes runs through the notes of the whole recording. It moves the reader to before the first frame, and ends with the first error.
func (r *Reader) AllNotes() iter.Seq2[Note, error] {
	return func(yield func(Note, error) bool) {
		for g := range r.groups {
			err := r.load(g)
			r.frame = -1
			if err != nil {
				yield(Note{}, err)
				return
			}
			if !r.readNotes(g, yield) {
				return
			}
		}
	}
}

// readNotes runs through the notes of the group that is loaded, and reports whether that is to go on.
func (r *Reader) readNotes(g int, yield func(Note, error) bool) bool {
	if len(r.noted) == 0 {
		return true
	}
	in := wire.NewReader(r.noted)
	sent, last := in.Uint(), world.Time(0)
	for in.Len() > 0 && !in.Failed() {
		last += world.Time(in.UintMax(uint64(world.Never - last)))
		n := Note{Time: last, Kind: NoteKind(in.Byte())}
		n.read(&in, &sent)
		if in.Failed() {
			break
		}
		if !yield(n, nil) {
			return false
		}
	}
	if in.Failed() {
		return yield(Note{}, r.errorf(r.groups[g].offset, "the list of notes is malformed")) && false
	}
	return true
}

// read reads all but the time and the kind, after so many datagrams were sent.
func (n *Note) read(in *wire.Reader, sent *uint64) {
	const word = 1<<32 - 1
	switch {
	case n.Kind == Sent:
		n.Node, n.To = mechanism.NodeID(in.UintMax(word)), mechanism.NodeID(in.UintMax(word))
		n.Class, n.Size, n.Text = mechanism.Class(in.Byte()), int(in.UintMax(word)), string(in.Bytes())
		n.Ref = *sent
		*sent++
	case n.Kind == Got:
		back := in.Uint()
		if back >= *sent {
			in.Fail()
			return
		}
		n.Ref = *sent - 1 - back
	case n.Kind < kinds:
		n.Node, n.User = mechanism.NodeID(in.UintMax(word)), world.User(in.UintMax(word))
		n.Seq, n.Value, n.Text = uint32(in.UintMax(word)), in.Int(), string(in.Bytes())
	default:
		in.Fail()
	}
}
