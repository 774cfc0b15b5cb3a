package gateway

import (
	"crypto/rand"
	"sync"
	"time"

	"throng/live/hub"
)

// tokens knows who has which seat. A token is 128 random bits: whoever has it has the seat. It is taken with the first hello, so
// that asking for tokens, however many, takes nothing from anybody.
type tokens struct {
	mu      sync.Mutex
	tickets map[string]*ticket
	unused  []*ticket // in the order in which they were given; some may be used by now
}

// ticket is what a token stands for.
type ticket struct {
	token string
	name  string    // of whoever asked for it
	given time.Time // when that was
	seat  *hub.Seat // nil until the first hello
	open  int       // connections that have shown it
}

const (
	// tokenLife is how long after a client has asked for a token it may say hello.
	tokenLife = 30 * time.Second

	// unusedMax is how many tokens nobody has used yet may be about; the oldest are forgotten.
	unusedMax = 1 << 14
)

func newTokens() *tokens { return &tokens{tickets: map[string]*ticket{}} }

// issue returns a new token.
func (t *tokens) issue(name string, now time.Time) string {
	k := &ticket{token: rand.Text(), name: name, given: now}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.unused) >= unusedMax {
		t.forgetOldest()
	}
	t.unused = append(t.unused, k)
	t.tickets[k.token] = k
	return k.token
}

// forgetOldest forgets the token that was given first, unless it is in use. The caller holds the lock.
func (t *tokens) forgetOldest() {
	k := t.unused[0]
	t.unused[0] = nil
	if t.unused = t.unused[1:]; k.seat == nil {
		delete(t.tickets, k.token)
	}
}

// show returns what a token stands for, for a connection that gives it back by hide; nil if it is not known. At the first time
// join takes the seat.
func (t *tokens) show(token []byte, join func(name string) (*hub.Seat, error)) (*ticket, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.tickets[string(token)]
	if k == nil {
		return nil, nil
	}
	if k.seat == nil {
		seat, err := join(k.name)
		if err != nil {
			return nil, err
		}
		k.seat = seat
	}
	k.open++
	return k, nil
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
	for token, k := range t.tickets {
		if k.seat != nil && k.open == 0 && k.seat.Gone() {
			delete(t.tickets, token)
		}
	}
}
