package cluster

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// ledger is every action that servers have carried out, and how often: for those who want to see that none was lost or done twice. It
// is part of what is replicated.
//
// Under mechanisms in which all actions have one order (mechanism.Ordered) it is what stands in that order, unless it is voided.
type ledger struct {
	mu    sync.Mutex
	users map[world.User]*account
	open  map[uint64]deed // what stands in the order and may still be voided, by position

	ordered bool // there is an order; what servers report beside that is the same again
}

// deed is an action by its number.
type deed struct {
	user world.User
	seq  uint32
}

var _ mechanism.Witness = (*ledger)(nil)

type account struct {
	done   []uint64 // a bit for each number of an action
	Done   int      // how many
	Twice  int      // actions that were carried out again
	Latest uint32
}

// seqMax bounds an account: numbers are a client's to choose.
const seqMax = 1 << 22

func newLedger() *ledger { return &ledger{users: map[world.User]*account{}, open: map[uint64]deed{}} }

// note writes down what a server reports.
func (l *ledger) note(e mechanism.Event) {
	if e.Name != mechanism.Executed || e.User == 0 || e.Seq >= seqMax {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ordered {
		l.add(deed{e.User, e.Seq})
	}
}

func (l *ledger) add(d deed) {
	a := l.users[d.user]
	if a == nil {
		a = &account{}
		l.users[d.user] = a
	}
	a.add(d.seq)
}

// Placed implements mechanism.Witness.
func (l *ledger) Placed(position uint64, e *mechanism.Entry) {
	d := deed{e.Action.User, e.Action.Seq}
	if e.Steps != 0 || d.user == 0 || d.seq == 0 || d.seq >= seqMax { // nobody has asked for it
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ordered = true
	l.open[position] = d
	l.add(d)
}

// Voided implements mechanism.Witness.
func (l *ledger) Voided(position uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d, ok := l.open[position]; ok {
		delete(l.open, position)
		l.users[d.user].remove(d.seq)
	}
}

// Settled implements mechanism.Witness.
func (l *ledger) Settled(position uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.open, func(p uint64, _ deed) bool { return p <= position })
}

// Renounced implements mechanism.Witness.
func (l *ledger) Renounced() {}

// Held implements mechanism.Witness.
func (l *ledger) Held(uint64, world.ID, *world.Object) {}

func (a *account) add(seq uint32) {
	for int(seq/64) >= len(a.done) {
		a.done = append(a.done, 0)
	}
	if bit := uint64(1) << (seq % 64); a.done[seq/64]&bit == 0 {
		a.done[seq/64] |= bit
		a.Done++
	} else {
		a.Twice++
	}
	a.Latest = max(a.Latest, seq)
}

func (a *account) remove(seq uint32) {
	if bit := uint64(1) << (seq % 64); a.done[seq/64]&bit != 0 {
		a.done[seq/64] &^= bit
		a.Done--
	}
}

// append writes the ledger, if there is one.
func (l *ledger) append(dst []byte) []byte {
	if l == nil {
		return dst
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	dst = wire.AppendUint(dst, uint64(len(l.open)))
	for _, position := range slices.Sorted(maps.Keys(l.open)) {
		d := l.open[position]
		dst = wire.AppendUint(wire.AppendUint(wire.AppendUint(dst, position), uint64(d.user)), uint64(d.seq))
	}
	for _, u := range slices.Sorted(maps.Keys(l.users)) {
		a := l.users[u]
		dst = wire.AppendUint(dst, uint64(u))
		dst = wire.AppendUint(dst, uint64(a.Twice))
		dst = wire.AppendUint(dst, uint64(len(a.done)))
		for _, word := range a.done {
			dst = wire.AppendUint64(dst, word)
		}
	}
	return dst
}

func (l *ledger) read(text []byte) error {
	if l == nil {
		return nil
	}
	users, open := map[world.User]*account{}, map[uint64]deed{}
	r := wire.NewReader(text)
	for range r.UintMax(uint64(len(text))) {
		position := r.Uint()
		open[position] = deed{world.User(readNumber(&r)), uint32(r.UintMax(seqMax))}
	}
	for r.Len() > 0 && !r.Failed() {
		u, a := world.User(readNumber(&r)), &account{}
		twice := int(r.UintMax(1 << 40))
		for i := range uint32(r.UintMax(seqMax / 64)) {
			word := r.Uint64()
			for bit := range uint32(64) {
				if word>>bit&1 == 1 {
					a.add(i*64 + bit)
				}
			}
		}
		a.Twice = twice
		users[u] = a
	}
	if err := r.Done(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users, l.open = users, open
	return nil
}

// Entry is what the ledger says of a user, as JSON.
type Entry struct {
	User  world.User `json:"user"`
	Done  []uint64   `json:"done"`  // a bit for each number of an action that was carried out
	Twice int        `json:"twice"` // actions that were carried out again
}

// Did reports whether an action was carried out.
func (e *Entry) Did(seq uint32) bool {
	return int(seq/64) < len(e.Done) && e.Done[seq/64]>>(seq%64)&1 == 1
}

// ServeHTTP shows the ledger.
func (l *ledger) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	list := []Entry{}
	if l != nil {
		l.mu.Lock()
		for _, u := range slices.Sorted(maps.Keys(l.users)) {
			list = append(list, Entry{u, slices.Clone(l.users[u].done), l.users[u].Twice})
		}
		l.mu.Unlock()
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(list)
}
