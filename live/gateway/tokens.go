package gateway

import (
	"crypto/rand"
	"sync"
	"time"

	"throng/live/account"
	"throng/live/hub"
	"throng/world"
)

// tokens knows who has which seat. A token is 128 random bits: whoever has it has the seat. It is taken with the first hello, so
// that asking for tokens, however many, takes nothing from anybody.
type tokens struct {
	mu       sync.Mutex
	tickets  map[string]*ticket
	unused   []*ticket             // in the order in which they were given; some may be used by now
	names    *names                // those of all rooms
	accounts map[string]*ticket    // whose account has which
	before   map[string]world.User // who accounts were when they were last here
}

// ticket is what a token stands for.
type ticket struct {
	token   string
	name    string    // of whoever asked for it; once it has a seat, of nobody else
	account string    // whose it is; empty for a guest's
	given   time.Time // when that was
	seat    *hub.Seat // nil until the first hello
	open    int       // connections that have shown it
}

const (
	// tokenLife is how long after a client has asked for a token it may say hello.
	tokenLife = 30 * time.Second

	// unusedMax is how many tokens nobody has used yet may be about; the oldest are forgotten.
	unusedMax = 1 << 14

	// rememberedMax is of how many accounts it is remembered who they were.
	rememberedMax = 1 << 16
)

func newTokens(n *names) *tokens {
	return &tokens{tickets: map[string]*ticket{}, names: n, accounts: map[string]*ticket{}, before: map[string]world.User{}}
}

// issue returns a token: a new one, unless the account has one already.
func (t *tokens) issue(who account.Account, now time.Time) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.accounts[who.ID]; k != nil && !k.gone() {
		k.given = now
		return k.token
	}
	k := &ticket{token: rand.Text(), name: who.Name, account: who.ID, given: now}
	if len(t.unused) >= unusedMax {
		t.forgetOldest()
	}
	t.unused = append(t.unused, k)
	t.tickets[k.token] = k
	if who.ID != "" {
		t.accounts[who.ID] = k
	}
	return k.token
}

func (k *ticket) gone() bool { return k.seat != nil && k.seat.Gone() }

// forgetOldest forgets the token that was given first, unless it is in use. The caller holds the lock.
func (t *tokens) forgetOldest() {
	k := t.unused[0]
	t.unused[0] = nil
	if t.unused = t.unused[1:]; k.seat == nil {
		t.forget(k)
	}
}

// forget forgets a token, and what is its owner's alone. The caller holds the lock.
func (t *tokens) forget(k *ticket) {
	delete(t.tickets, k.token)
	if t.accounts[k.account] == k {
		delete(t.accounts, k.account)
	}
	if k.seat != nil {
		t.names.release(k.name, k.seat)
	}
}

// close forgets all tokens, and gives their names back: rooms beside this one go on.
func (t *tokens) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.tickets {
		t.forget(k)
	}
}

// show returns what a token stands for, for a connection that gives it back by hide; nil if it is not known. At the first time
// join takes the seat.
func (t *tokens) show(token []byte, join func(who hub.Visitor) (*hub.Seat, error)) (*ticket, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.tickets[string(token)]
	if k == nil {
		return nil, nil
	}
	if k.seat == nil {
		name := t.names.take(k.name, k.account)
		seat, err := join(hub.Visitor{Name: name, Account: k.account, Before: t.before[k.account]})
		if err != nil {
			t.names.settle(name, nil)
			return nil, err
		}
		k.seat, k.name = seat, name
		t.names.settle(name, seat)
		if _, known := t.before[k.account]; k.account != "" && (known || len(t.before) < rememberedMax) {
			t.before[k.account] = seat.User()
		}
	}
	k.open++
	return k, nil
}

// revoke forgets the token of an account that nobody has used yet.
func (t *tokens) revoke(account string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.accounts[account]; k != nil && k.seat == nil {
		t.forget(k)
	}
}

func (t *tokens) hide(k *ticket) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k.open--
}

// sweep forgets tokens that nobody has used in time, and those whose seats are gone.
func (t *tokens) sweep(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.unused) > 0 && (t.unused[0].seat != nil || now.Sub(t.unused[0].given) >= tokenLife) {
		t.forgetOldest()
	}
	for _, k := range t.tickets {
		if k.open == 0 && k.gone() {
			t.forget(k)
		}
	}
}
