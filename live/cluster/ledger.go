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
type ledger struct {
	mu    sync.Mutex
	users map[world.User]*account
}

type account struct {
	done   []uint64 // a bit for each number of an action
	Done   int      // how many
	Twice  int      // actions that were carried out again
	Latest uint32
}

// seqMax bounds an account: numbers are a client's to choose.
const seqMax = 1 << 22

func newLedger() *ledger { return &ledger{users: map[world.User]*account{}} }

// note writes down what a server reports.
func (l *ledger) note(e mechanism.Event) {
	if e.Name != mechanism.Executed || e.User == 0 || e.Seq >= seqMax {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.users[e.User]
	if a == nil {
		a = &account{}
		l.users[e.User] = a
	}
	a.add(e.Seq)
}

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

// append writes the ledger, if there is one.
func (l *ledger) append(dst []byte) []byte {
	if l == nil {
		return dst
	}
	l.mu.Lock()
	defer l.mu.Unlock()
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
	users := map[world.User]*account{}
	r := wire.NewReader(text)
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
	l.users = users
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
