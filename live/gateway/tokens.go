package gateway

import (
	"crypto/rand"
	"sync"
	"time"

	"throng/live/hub"
)

// tokens knows who has which seat. A token is 128 random bits: whoever has it has the seat.
type tokens struct {
	mu    sync.Mutex
	seats map[string]*ticket
	swept time.Time
}

// ticket is what a token stands for.
type ticket struct {
	seat *hub.Seat
	used time.Time // when a connection last came or went
	open int       // connections that are open
}

// tokenLife is how long a token that nobody uses is remembered: longer than any seat is kept.
const tokenLife = 10 * time.Minute

func newTokens() *tokens { return &tokens{seats: map[string]*ticket{}} }

// issue returns a new token for a seat.
func (t *tokens) issue(s *hub.Seat, now time.Time) string {
	token := rand.Text()
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.swept) > tokenLife {
		t.swept = now
		for k, v := range t.seats {
			if v.open == 0 && now.Sub(v.used) > tokenLife {
				delete(t.seats, k)
			}
		}
	}
	t.seats[token] = &ticket{seat: s, used: now}
	return token
}

// open returns the seat of a token for a connection, which gives it back by close.
func (t *tokens) open(token []byte) *ticket {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.seats[string(token)]
	if k != nil {
		k.open++
	}
	return k
}

func (t *tokens) close(k *ticket, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k.open--
	k.used = now
}
