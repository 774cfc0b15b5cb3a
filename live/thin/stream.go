package thin

import (
	"cmp"
	"math/bits"
	"slices"

	"throng/world"
)

// Stream tells one program what its user sees: what has changed since it was told last.
type Stream struct {
	catalogue *Catalogue
	asked     []mask // by kind: the columns that are told
	unwanted  []bool // by kind: nothing is

	known, next []told // what the program knows, by ID; and what it will know after the next view
	entered     []row
	changed     []row
	left        []world.ID

	speech       world.KindID // of objects that hold what somebody says
	heard, hears []world.ID   // those that were in view, and are now
	said         []world.ID   // those that have come

	tables []table // as the program knows them; a table's number is its place, from one
	fresh  int     // of these, how many it does not know yet
}

// mask is a set of columns of a kind: bit i for the i-th.
type mask uint32

// told is an object as it was told.
type told struct {
	id     world.ID
	user   world.User
	kind   world.KindID
	values [valuesMax]int64 // by column
}

// valuesMax is how many columns a kind can have: one for every slot of an object.
const valuesMax = 6 + world.MaxAttributes

// table is a kind and some of its columns: what rows of numbers stand for.
type table struct {
	kind    world.KindID
	columns mask
	whole   bool // with the user, for objects that come into view
}

// row is an object to be told: its place in next, and in what table.
type row struct {
	at, table int
}

const (
	// entersMax is how many objects come into view with one message, and changesMax how many change. The rest comes with the next.
	entersMax, changesMax = 500, 2000

	// tablesMax is how many tables a program must remember. What there is no table for is told with all columns.
	tablesMax = 200
)

// NewStream returns a stream that tells everything.
func NewStream(c *Catalogue) *Stream {
	s := &Stream{catalogue: c, asked: make([]mask, len(c.kinds)), unwanted: make([]bool, len(c.kinds))}
	s.askAll()
	s.speech = world.KindID(len(c.kinds)) // none
	if c.spoken != nil {
		s.speech = c.spoken.Speech()
	}
	return s
}

func (s *Stream) askAll() {
	for i := range s.asked {
		s.asked[i], s.unwanted[i] = 1<<len(s.catalogue.kinds[i].columns)-1, false
	}
}

// Ask has only some fields of some kinds told from now on. Everything that is in view enters it again, and tables are numbered anew: else
// a program that goes on asking for something else would have us remember them all.
func (s *Stream) Ask(w *Wishes) {
	if w.Fields == nil && !w.All {
		return
	}
	s.askAll()
	for i := range s.asked {
		k := &s.catalogue.kinds[i]
		names, wanted := w.Fields[k.name]
		if w.All {
			continue
		}
		s.asked[i], s.unwanted[i] = 0, !wanted
		for _, name := range names {
			s.asked[i] |= 1 << k.column(name)
		}
	}
	for _, t := range s.known {
		s.left = append(s.left, t.id)
	}
	s.known = s.known[:0]
	s.tables, s.fresh = s.tables[:0], 0
}

// Look compares a view with what the program knows. It reports whether there is anything to tell; Write then tells it.
func (s *Stream) Look(view *world.State) bool {
	s.next, s.entered, s.changed = s.next[:0], s.entered[:0], s.changed[:0]
	s.hears, s.said = s.hears[:0], s.said[:0]
	at := 0
	for o := range view.All() {
		for at < len(s.known) && s.known[at].id < o.ID {
			s.left = append(s.left, s.known[at].id)
			at++
		}
		if o.Kind == s.speech {
			s.listen(o.ID)
		}
		if s.unwanted[o.Kind] {
			continue
		}
		var before *told
		if at < len(s.known) && s.known[at].id == o.ID {
			before = &s.known[at]
			at++
		}
		s.look(o, before)
	}
	for ; at < len(s.known); at++ {
		s.left = append(s.left, s.known[at].id)
	}
	s.heard, s.hears = s.hears, s.heard
	return len(s.left)+len(s.entered)+len(s.changed) > 0
}

// listen takes note of something that is being said.
func (s *Stream) listen(id world.ID) {
	s.hears = append(s.hears, id)
	if _, before := slices.BinarySearch(s.heard, id); !before {
		s.said = append(s.said, id)
	}
}

// Said are the objects that hold what somebody has said since the Look before the last one, whether their kind is asked for or not.
func (s *Stream) Said() []world.ID { return s.said }

// look compares one object with what is known of it, if anything.
func (s *Stream) look(o *world.Object, before *told) {
	if before != nil && (before.kind != o.Kind || before.user != o.User) {
		s.left = append(s.left, o.ID) // and comes as another
		before = nil
	}
	if before == nil && len(s.entered) >= entersMax {
		return // next time
	}
	if before != nil && len(s.changed) >= changesMax {
		s.next = append(s.next, *before)
		return
	}
	s.next = append(s.next, told{id: o.ID, user: o.User, kind: o.Kind})
	now := &s.next[len(s.next)-1]
	columns := s.catalogue.kinds[o.Kind].columns
	asked := s.asked[o.Kind]
	var differ mask
	for rest := asked; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(uint32(rest))
		now.values[i] = columns[i].told(o)
		if before != nil && before.values[i] != now.values[i] {
			differ |= 1 << i
		}
	}
	switch {
	case before == nil:
		s.entered = append(s.entered, row{len(s.next) - 1, s.table(table{o.Kind, asked, true})})
	case differ != 0:
		s.changed = append(s.changed, row{len(s.next) - 1, s.table(table{o.Kind, differ, false})})
	}
}

// table finds the number of a table, which may be a new one.
func (s *Stream) table(t table) int {
	if at := slices.Index(s.tables, t); at >= 0 {
		return at + 1
	}
	if len(s.tables) >= tablesMax && !t.whole && t.columns != s.asked[t.kind] {
		return s.table(table{t.kind, s.asked[t.kind], false})
	}
	s.tables = append(s.tables, t)
	s.fresh++
	return len(s.tables)
}

// Write tells what Look has found, as a message, and takes it for known.
func (s *Stream) Write(w *Writer, now world.Time) {
	if w.Format == MessagePack {
		s.writePacked(w, now)
	} else {
		s.writeNamed(w, now)
	}
	s.left = s.left[:0]
	s.known, s.next = s.next, s.known
}

// writePacked writes an array: hardly anything else is sent, and names would be much of it. What is missing at its end is empty.
func (s *Stream) writePacked(w *Writer, now world.Time) {
	parts := 1
	for i, n := range [...]int{len(s.changed), len(s.entered), len(s.left), s.fresh} {
		if n > 0 {
			parts = 2 + i
		}
	}
	w.Array(parts)
	w.Int(int64(now / world.Millisecond))
	for i, write := range [...]func(){
		func() { s.writeRows(w, s.changed) }, func() { s.writeRows(w, s.entered) }, func() { s.writeLeft(w) }, func() { s.writeTables(w) },
	} {
		if i+1 < parts {
			write()
		}
	}
	w.EndArray()
}

// writeNamed writes a map.
func (s *Stream) writeNamed(w *Writer, now world.Time) {
	entries := 1
	for _, some := range []bool{s.fresh > 0, len(s.left) > 0, len(s.entered) > 0, len(s.changed) > 0} {
		if some {
			entries++
		}
	}
	w.Map(entries)
	w.Key("view") // instead of a type and a time: hardly anything else is sent
	w.Int(int64(now / world.Millisecond))
	if s.fresh > 0 {
		w.Key("tables")
		s.writeTables(w)
	}
	if len(s.left) > 0 {
		w.Key("leave")
		s.writeLeft(w)
	}
	if len(s.entered) > 0 {
		w.Key("enter")
		s.writeRows(w, s.entered)
	}
	if len(s.changed) > 0 {
		w.Key("change")
		s.writeRows(w, s.changed)
	}
	w.EndMap()
}

func (s *Stream) writeLeft(w *Writer) {
	w.Array(len(s.left))
	for _, id := range s.left {
		w.ID(uint64(id))
	}
	w.EndArray()
}

func (s *Stream) writeTables(w *Writer) {
	w.Array(s.fresh)
	for i := len(s.tables) - s.fresh; i < len(s.tables); i++ {
		t := &s.tables[i]
		k := &s.catalogue.kinds[t.kind]
		w.Array(3)
		w.Int(int64(i + 1))
		w.String(k.name)
		w.Array(t.width())
		w.String("id")
		if t.whole {
			w.String("user")
		}
		for rest := t.columns; rest != 0; rest &= rest - 1 {
			w.String(k.columns[bits.TrailingZeros32(uint32(rest))].variable.Name)
		}
		w.EndArray()
		w.EndArray()
	}
	w.EndArray()
	s.fresh = 0
}

// width is how many values a row has.
func (t *table) width() int {
	n := 1 + bits.OnesCount32(uint32(t.columns))
	if t.whole {
		n++
	}
	return n
}

// writeRows writes rows by their tables: for each its number, and then the values of all rows.
func (s *Stream) writeRows(w *Writer, rows []row) {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.table, b.table) })
	tables := 0
	for i := range rows {
		if i == 0 || rows[i].table != rows[i-1].table {
			tables++
		}
	}
	w.Array(tables)
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].table == rows[0].table {
			n++
		}
		t := &s.tables[rows[0].table-1]
		w.Array(1 + n*t.width())
		w.Int(int64(rows[0].table))
		for _, r := range rows[:n] {
			s.writeRow(w, t, &s.next[r.at])
		}
		w.EndArray()
		rows = rows[n:]
	}
	w.EndArray()
}

func (s *Stream) writeRow(w *Writer, t *table, o *told) {
	w.ID(uint64(o.id))
	if t.whole {
		w.Int(int64(o.user))
	}
	columns := s.catalogue.kinds[t.kind].columns
	for rest := t.columns; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(uint32(rest))
		columns[i].write(w, o.values[i])
	}
}
