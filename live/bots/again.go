package bots

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"throng/live/protocol"
	"throng/world"
)

// ways are where a bot can go when its connection is lost, for as long as it may be its seat's.
type ways struct {
	list    *gateways // at which its token is good
	next    int       // of them, the one to be tried next
	connect func(socket string) error

	back   bool          // it has lost a connection and comes back
	lost   time.Duration // when that was
	heard  time.Duration // when it last had an update; zero for never
	signed time.Duration // when it last heard anything at all
}

const (
	returnTime  = 20 * time.Second      // for how long a bot tries to come back: as long as seats are kept
	returnPause = 50 * time.Millisecond // after all gateways were tried in vain
)

// gateways are those of a world that has several; none are known of one that has not.
type gateways struct{ list atomic.Pointer[[]string] }

// all are their addresses.
func (g *gateways) all() []string {
	if list := g.list.Load(); list != nil {
		return *list
	}
	return nil
}

// several reports whether one who loses a gateway can go to another.
func (g *gateways) several() bool { return len(g.all()) > 1 }

// socket is where a WebSocket is opened at the n-th gateway.
func (g *gateways) socket(n int) string {
	list := g.all()
	return "ws" + strings.TrimPrefix(list[n%len(list)], "http") + "/ws"
}

const refreshEvery = time.Second

// follow keeps the list, as processes come and go, by asking one of them.
func (g *gateways) follow(ctx context.Context) {
	ticker := time.NewTicker(refreshEvery)
	defer ticker.Stop()
	client := http.Client{Timeout: refreshEvery}
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		for _, url := range g.all() {
			if g.refresh(ctx, &client, url) {
				break
			}
		}
	}
}

func (g *gateways) refresh(ctx context.Context, client *http.Client, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/info", nil)
	if err != nil {
		return false
	}
	answer, err := client.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	var reply struct {
		Gateways []string `json:"gateways"`
	}
	if json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&reply) != nil || len(reply.Gateways) == 0 {
		return false
	}
	g.list.Store(&reply.Gateways)
	return true
}

// comeBack has a bot whose connection is lost try the other gateways, one after the other, and reports whether there are any.
func (b *bot) comeBack(now time.Duration) bool {
	w := &b.ways
	if !w.list.several() || b.crew.staying {
		return false
	}
	if !w.back {
		w.back, w.lost = true, now
	}
	if now-w.lost > returnTime {
		return false
	}
	b.goodbye, b.conn = "", nil
	w.next++
	next := w.next + b.number // not all of them at the same one
	go func() {
		deadline := time.After(returnTime)
		for tried := 1; ; tried++ {
			if w.connect(w.list.socket(next+tried)) == nil {
				return
			}
			if tried%len(w.list.all()) == 0 {
				select {
				case <-time.After(returnPause):
				case <-deadline:
					return
				}
			}
		}
	}()
	return true
}

// resume goes on with the node that the bot has, if the seat was nobody else's meanwhile, and reports whether it could.
func (b *bot) resume(w *protocol.Welcome, now time.Duration) bool {
	if w.Epoch != b.epoch || w.User != b.entry.user {
		b.crew.renewed++
		b.machine = nil
		return false
	}
	b.crew.offset.Pong(world.Time(b.opened), w.Time, world.Time(now))
	b.turnTo(now)
	b.advance(b.crew.now(now))
	b.finish(now)
	return true
}

// hear notes that an update has come.
func (b *bot) hear(now time.Duration) {
	w := &b.ways
	if b.crew.measuring && w.heard != 0 {
		if w.back {
			b.crew.returns.Record(now - w.lost)
		} else {
			b.crew.gaps.Record(now - w.heard)
			if b.crew.config.Gap != nil {
				b.crew.config.Gap(now - w.heard)
			}
		}
	}
	w.heard, w.back = now, false
}

const (
	silenceMax = 2 * time.Second        // how long a bot that can go elsewhere waits for a word of its gateway,
	askEvery   = 500 * time.Millisecond // and how often it asks for one
)

// pingInterval is how often a bot asks for the time, and whether anybody is there.
func (b *bot) pingInterval() time.Duration {
	if b.ways.list.several() {
		return askEvery
	}
	return pingEvery
}

// deserted reports whether a bot's gateway has been silent for so long that another one is to be tried.
func (b *bot) deserted(now time.Duration) bool {
	w := &b.ways
	return w.list.several() && now-max(w.signed, b.opened) > silenceMax
}

// stay has nobody come back any more.
func (c *crew) stay() { c.staying = true }
