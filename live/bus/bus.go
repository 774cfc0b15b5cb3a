package bus

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"throng/catalog"
	"throng/live/driver"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
	"throng/world/wire"
)

// Why a member's part in a world may end.
var (
	ErrEnded    = errors.New("the world has ended")
	ErrGone     = errors.New("the first process of the world is gone")
	ErrExpelled = errors.New("the first process of the world has heard nothing from this one for too long and has given its places to others")
)

// DefaultPatience is for how long nothing need be heard of a process before it is taken to be dead.
const DefaultPatience = 5 * time.Second

// DefaultQueue are the limits of what may wait for the bus: what ten thousand users are sent in a few ticks.
var DefaultQueue = driver.Limits{Datagrams: 1 << 16, Bytes: 16 << 20}

// Config is how a process takes part.
type Config struct {
	Catalog catalog.Catalog
	Log     *slog.Logger  // nil for none
	Queue   driver.Limits // of datagrams that wait for the bus; zero for DefaultQueue

	// For the first process only:
	Server   string        // the URL of a NATS server; empty for an embedded one
	Listen   string        // where the embedded one listens, as 127.0.0.1:0
	Patience time.Duration // of all processes; 0 for DefaultPatience
	Wait     int           // how many further processes the world begins with
}

func (c *Config) complete() {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Queue == (driver.Limits{}) {
		c.Queue = DefaultQueue
	}
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
}

// Bus is a process's way to the others of its world.
type Bus struct {
	config    Config
	address   address
	server    *embedded // nil if it is elsewhere
	nc        *nats.Conn
	carrier   *carrier
	clock     *clock
	placement *placement
	number    uint32 // of this process; zero for the first
	role      role
	log       *slog.Logger

	losing sync.Mutex
	hub    atomic.Pointer[hub.Hub] // nil until it runs; written under the lock

	end   sync.Once
	ended chan struct{}
	err   error // why, once ended is closed
}

// role is what differs between the first process and members.
type role interface {
	gather(ctx context.Context) error
	configure(c *hub.Config)
	run(ctx context.Context, h *hub.Hub) error
	leave(ctx context.Context, reason string) error
	members() int
	close() // ends its goroutines
}

// Begin makes this process the first of a world. If the world is to begin with others they can join from now on, else when it runs.
func Begin(d session.Description, c Config) (*Bus, error) {
	c.complete()
	if c.Wait >= foundersMax {
		return nil, fmt.Errorf("a world can begin with %d processes at most", foundersMax)
	}
	b := &Bus{config: c, clock: newClock()}
	f, err := newFirst(d, b)
	if err != nil {
		return nil, err
	}
	b.role = f
	if c.Server != "" {
		if b.address, err = parseAddress(c.Server); err != nil {
			return nil, err
		}
		if b.address.world != "" {
			return nil, addressErrorf("a world that begins has no name yet: /%s is too much", b.address.world)
		}
	} else {
		if b.server, err = listen(c.Listen, c.Log); err != nil {
			return nil, err
		}
		b.address.server = b.server.url()
	}
	b.address.world = strings.ToLower(rand.Text())[:10]
	if err := b.connect(); err != nil {
		return nil, err
	}
	if c.Wait > 0 {
		if err := f.open(); err != nil {
			b.Close()
			return nil, err
		}
	}
	return b, nil
}

// Join makes this process a member of a world, whose first process is asked. The URL is as JoinURL has it.
func Join(ctx context.Context, url string, c Config) (*Bus, error) {
	c.complete()
	a, err := parseAddress(url)
	if err != nil {
		return nil, err
	}
	if a.world == "" {
		return nil, addressErrorf("the world is missing; %s", form)
	}
	b := &Bus{config: c, address: a, clock: newClock()}
	if err := b.connect(); err != nil {
		return nil, err
	}
	m, err := joinFirst(ctx, b)
	if err != nil {
		b.Close()
		return nil, err
	}
	b.role = m
	return b, nil
}

func (b *Bus) connect() error {
	b.log = b.config.Log
	b.ended = make(chan struct{})
	nc, err := connect(b.address.server, b.server, b.log)
	if err != nil {
		if b.server != nil {
			b.server.close()
		}
		return err
	}
	b.nc = nc
	b.carrier = newCarrier(nc, b.subject("node."), b.config.Queue)
	return nil
}

// subject is what something is called on the bus.
func (b *Bus) subject(name string) string { return "throng." + b.address.world + "." + name }

// Gather waits until it is known which processes the world begins with. What Processes says and Configure does holds from then
// on. One that joins a world under way need not wait.
func (b *Bus) Gather(ctx context.Context) error { return b.role.gather(ctx) }

// Configure has a hub be part of the world: it is given its share of the places if the world begins with this process.
func (b *Bus) Configure(c *hub.Config) error {
	c.Fallback, c.Present, c.Clock = b.carrier, b.carrier.Present, b.clock
	mine := map[mechanism.NodeID]bool{}
	for _, p := range b.placement.share(b.number) {
		mine[p.ID] = true
	}
	c.Local = func(p mechanism.Place) bool { return mine[p.ID] }
	b.role.configure(c)
	return nil
}

// Run has a hub, which was configured and started, take part. The processes that a world begins with wait for one another; then
// its time begins to run. The first lets others join from now on; one that joins takes its share of the artificial players.
func (b *Bus) Run(ctx context.Context, h *hub.Hub) error {
	b.losing.Lock()
	b.hub.Store(h)
	for _, p := range b.Processes() {
		if p.Gone && len(p.Sites) > 0 {
			h.Lose(p)
		}
	}
	b.losing.Unlock()
	return b.role.run(ctx, h)
}

// JoinURL is what further processes need. It has the token of an embedded server; the credentials of another one are left
// out, for those who have them to add.
func (b *Bus) JoinURL() string {
	a := b.address
	if b.server == nil {
		bare := *a.server
		bare.User = nil
		a.server = &bare
	}
	return a.String()
}

// SecretURL is JoinURL with all credentials, for processes that this one starts itself.
func (b *Bus) SecretURL() string { return b.address.String() }

// Processes are those that the world began with: which of its servers each runs, and whether it is gone.
func (b *Bus) Processes() []hub.Process { return b.placement.processes(b.number) }

// lose notes that a founder is gone. It reports whether a part of the world is gone with its servers, and logs it then.
func (b *Bus) lose(number uint32, how string) (part bool) {
	b.losing.Lock()
	defer b.losing.Unlock()
	if !b.placement.lose(number) {
		return false
	}
	for _, p := range b.Processes() {
		if p.Number != number || len(p.Sites) == 0 {
			continue
		}
		b.log.Error("bus: a process "+how+", and with it a part of the world", "process", p.Number, "name", p.Name, "nodes", p.Nodes())
		if h := b.hub.Load(); h != nil {
			h.Lose(p)
		}
		part = true
	}
	return part
}

// Ended is closed when the world has ended for this process, other than by its own doing. Err says why.
func (b *Bus) Ended() <-chan struct{} { return b.ended }

// Err is why the world has ended for this process, or nil.
func (b *Bus) Err() error {
	select {
	case <-b.ended:
		return b.err
	default:
		return nil
	}
}

func (b *Bus) fail(err error) {
	b.end.Do(func() {
		b.err = err
		close(b.ended)
	})
}

// Leave says goodbye: the first process tells all others that the world ends; a member hands its places back. What the hub
// still has to say to others afterwards is carried until Close.
func (b *Bus) Leave(ctx context.Context, reason string) error { return b.role.leave(ctx, reason) }

// Close ends everything. The hub must have been closed.
func (b *Bus) Close() {
	if b.role != nil {
		b.role.close()
	}
	b.carrier.close()
	b.nc.Close()
	if b.server != nil {
		b.server.close()
	}
}

// Counters is what the bus has done so far.
func (b *Bus) Counters() Counters {
	c := b.carrier.counters()
	c.Members = b.role.members()
	for _, p := range b.Processes() {
		if p.Gone {
			c.Lost++
			c.LostServers += len(p.Sites)
		}
	}
	return c
}

// errUnknown is the answer to somebody who is no member.
var errUnknown = errors.New("not a member")

// request asks somebody and returns the answer.
func (b *Bus) request(ctx context.Context, subject string, body []byte) (wire.Reader, error) {
	msg, err := b.nc.RequestWithContext(ctx, subject, body)
	if err != nil {
		return wire.Reader{}, err
	}
	r := wire.NewReader(msg.Data)
	switch status := r.Byte(); {
	case r.Failed():
		err = wire.ErrMalformed
	case status == statusOK:
		return r, nil
	case status == statusUnknown:
		err = errUnknown
	case status == statusRefused:
		err = refusal(readText(&r))
	default:
		err = wire.ErrMalformed
	}
	return wire.Reader{}, err
}

// refusal is what another process answered instead of doing what it was asked.
type refusal string

func (r refusal) Error() string { return string(r) }

// respond answers a request: with what was read to reply, or with why not.
func (b *Bus) respond(msg *nats.Msg, reply []byte, err error) {
	switch {
	case err == nil:
		reply = append([]byte{statusOK}, reply...)
	case errors.Is(err, errUnknown):
		reply = []byte{statusUnknown}
	default:
		if errors.Is(err, wire.ErrMalformed) {
			b.carrier.malformed.Add(1)
		}
		reply = appendText([]byte{statusRefused}, err.Error())
	}
	if err := msg.Respond(reply); err != nil {
		b.log.Debug("bus: could not answer", "error", err)
	}
}
