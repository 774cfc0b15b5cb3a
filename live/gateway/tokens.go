package gateway

import (
	"crypto/rand"
	"sync"
	"time"

	"throng/live/hub"
)

// tokens knows who has which seat. A token is 128 random bits: whoever has it has the seat.
type tokens struct {
	mu      sync.Mutex
	tickets map[string]*ticket
}

// ticket is what a token stands for.
type ticket struct {
	seat *hub.Seat
	open int       // connections that have shown it
	used time.Time // when one last came or went
}

// tokenLife is how long a token that nobody uses is remembered: longer than any seat is kept.
const tokenLife = time.Hour

func newTokens() *tokens { return &tokens{tickets: map[string]*ticket{}} }

// issue returns a new token for a seat.
func (t *tokens) issue(s *hub.Seat, now time.Time) string {
	token := rand.Text()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tickets[token] = &ticket{seat: s, used: now}
	return token
}

// show returns what a token stands for, for a connection that gives it back by hide; nil if it is not known.
func (t *tokens) show(token []byte) *ticket {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.tickets[string(token)]
	if k != nil {
		k.open++
	}
	return k
}

func (t *tokens) hide(k *ticket, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k.open--
	k.used = now
}

// sweep forgets tokens that nobody has used for long.
func (t *tokens) sweep(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for token, k := range t.tickets {
		if k.open == 0 && now.Sub(k.used) > tokenLife {
			delete(t.tickets, token)
		}
	}
}
