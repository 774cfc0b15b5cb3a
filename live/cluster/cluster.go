package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"throng/catalog"
	"throng/live/hub"
	"throng/live/replica"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// Why a process's part in a world may end.
var (
	ErrEnded    = errors.New("the world has ended")
	ErrExpelled = errors.New("the other processes have heard nothing from this one for too long and go on without it")
)

// DefaultPatience is for how long nothing need be heard of a process before it is taken to be dead. One whose connections end is
// taken to be dead at once.
const DefaultPatience = 5 * time.Second

// Config is how a process takes part.
type Config struct {
	Catalog  catalog.Catalog
	Log      *slog.Logger  // nil for none
	Listen   string        // where other processes are listened to, as 127.0.0.1:0
	Patience time.Duration // 0 for DefaultPatience
	Gateway  string        // where people come in, as https://example.org
	Admin    string        // where operators do
	Data     string        // a folder in which the world outlives its processes; empty for memory only

	// For who begins a world:
	Wait  int           // how many further processes it begins with
	Token string        // that others have to have; empty for a random one
	Grace time.Duration // for which a seat is kept for somebody who is away; 0 for hub.DefaultGrace
	// Ledger has every action that servers carry out be written down, to be looked for afterwards (GET /admin/ledger).
	Ledger bool

	// Spawn starts a further process, in place of one that has died; nil where that is others' to see to.
	Spawn func(join string) error
}

func (c *Config) complete() {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	if c.Grace == 0 {
		c.Grace = hub.DefaultGrace
	}
}

// Cluster is a process's part in a world that lives on several.
type Cluster struct {
	config  Config
	log     *slog.Logger
	mesh    *mesh
	clock   *clock
	self    process
	seeds   []string // where other processes may be found
	scene   *scene
	group   *group
	machine *machine
	inbox   *inbox
	recent  *recent
	routes  atomic.Pointer[table]
	servers map[mechanism.NodeID]bool
	running atomic.Bool
	hub     atomic.Pointer[hub.Hub] // nil until it runs
	seats   *Seats
	report  func(p mechanism.Place, e mechanism.Event)
	failed  func(f hub.Failure)
	woken   func(p mechanism.Place, late, took world.Time)

	slot      *slot      // nil without data
	founded   bool       // the world begins with this process
	gathering *gathering // of who begins the world; nil for others

	agreement prometheus.Histogram
	load      hub.Load // of servers, wherever they are led

	requests requests
	errands  chan func() // what is to be done aside, in order
	chores   chores

	leaving atomic.Bool
	askOnce sync.Once
	asked   chan struct{} // closed when an operator wants this process to leave
	end     sync.Once
	ended   chan struct{}
	err     error // why, once ended is closed
	quit    chan struct{}
	work    sync.WaitGroup
}

// errandsMax is how much may wait to be done aside.
const errandsMax = 1 << 12

func newCluster(c Config, token string) (*Cluster, error) {
	c.complete()
	m, err := newMesh(c.Listen, token, c.Patience, c.Log)
	if err != nil {
		return nil, err
	}
	k := &Cluster{
		config: c, log: c.Log, mesh: m, clock: newClock(), inbox: newInbox(hub.DefaultServers), recent: newRecent(),
		errands: make(chan func(), errandsMax), asked: make(chan struct{}), ended: make(chan struct{}), quit: make(chan struct{}),
	}
	k.self = process{instance: m.instance, name: ownName(), address: m.address, gateway: c.Gateway, admin: c.Admin}
	k.agreement = newAgreement()
	k.requests.waiting = map[uint64]chan answer{}
	k.routes.Store(new(table))
	k.seats = newSeats(k)
	k.chores.init()
	k.work.Go(k.runErrands)
	return k, nil
}

// Begin makes this process the first of a world, which begins when as many others have joined as are waited for.
func Begin(d session.Description, c Config) (*Cluster, error) {
	if c.Wait >= processesMax {
		return nil, fmt.Errorf("a world can live on %d processes at most", processesMax)
	}
	own, err := takeSlot(c.Data)
	if err != nil {
		return nil, err
	}
	if own != nil && own.identity != nil {
		return resume(own, c, nil)
	}
	if own != nil && own.shared { // a second world beside it would be taken for the first
		own.close()
		return nil, fmt.Errorf("%s: %w", c.Data, errRuns)
	}
	text, err := json.Marshal(&d)
	if err != nil {
		own.close()
		return nil, err
	}
	s, _, err := d.Build(c.Catalog)
	if err != nil {
		own.close()
		return nil, err
	}
	k, err := newCluster(c, cmp.Or(c.Token, rand.Text()))
	if err != nil {
		own.close()
		return nil, err
	}
	k.slot = own
	f := founding{
		description: text, hash: s.Start.Hash(), key: []byte(rand.Text() + rand.Text()), grace: world.Time(k.config.Grace), wanted: c.Wait + 1, ledger: c.Ledger,
	}
	if k.scene, err = f.build(c.Catalog); err == nil {
		err = k.scene.check()
	}
	if err != nil {
		k.mesh.listener.Close()
		own.close()
		return nil, err
	}
	k.self.number = 1
	k.gathering = newGathering(f, k.self)
	k.mesh.called(1)
	k.mesh.start(k)
	return k, nil
}

var errRuns = errors.New("the world that is kept there runs already, or has not quite ended. Join it (--join), end it first, or take another folder")

// Join makes this process a further one of a world that begins, or that runs. The URL is as JoinURL has it.
func Join(ctx context.Context, url string, c Config) (*Cluster, error) {
	token, seeds, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	own, err := takeSlot(c.Data)
	if err != nil {
		return nil, err
	}
	if own != nil && own.identity != nil {
		if own.identity.Token == token {
			return resume(own, c, seeds)
		}
		own.close()
		return nil, fmt.Errorf("%s holds another world's data", own.dir)
	}
	k, err := newCluster(c, token)
	if err != nil {
		own.close()
		return nil, err
	}
	k.seeds, k.slot = seeds, own
	k.mesh.start(k)
	if err := k.reachSeeds(ctx); err != nil {
		k.Close()
		return nil, err
	}
	return k, nil
}

// takeSlot takes a process's own part of the data, if there is to be any.
func takeSlot(data string) (*slot, error) {
	if data == "" {
		return nil, nil
	}
	return openSlot(data)
}

// resume makes this process the one again that has left its data in a folder.
func resume(own *slot, c Config, seeds []string) (*Cluster, error) {
	k, err := newCluster(c, own.identity.Token)
	if err != nil {
		own.close()
		return nil, err
	}
	k.slot, k.seeds, k.self.number = own, seeds, own.identity.Number
	f, err := own.identity.world()
	if err == nil {
		k.scene, err = f.build(c.Catalog)
	}
	if err != nil {
		k.mesh.listener.Close()
		own.close()
		return nil, fmt.Errorf("%s: %w", own.dir, err)
	}
	k.mesh.called(k.self.number)
	k.mesh.seeds = seeds
	k.mesh.start(k)
	return k, nil
}

// reachSeeds connects to one of the processes that the URL names.
func (k *Cluster) reachSeeds(ctx context.Context) (err error) {
	for ctx.Err() == nil {
		for _, address := range k.seeds {
			if _, err = k.mesh.dial(address, dialTime); err == nil {
				return nil
			}
			if errors.Is(err, errVersion) || errors.Is(err, errToken) {
				return AddressError(fmt.Sprintf("%s: %v", address, err))
			}
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return AddressError(fmt.Sprintf("no process of the world answers at %v: %v", k.seeds, err))
}

// Gather waits until it is known what the world is and which process this is.
func (k *Cluster) Gather(ctx context.Context) error {
	if k.slot != nil && k.slot.identity != nil {
		f, err := k.slot.identity.world()
		if err != nil {
			return err
		}
		return k.prepare(f, k.slot.identity.Number, nil)
	}
	if k.gathering != nil {
		select {
		case <-k.gathering.complete:
		case <-ctx.Done():
			return ctx.Err()
		}
		return k.found(k.gathering.founding, 1)
	}
	number, f, founded, err := k.askToJoin(ctx)
	if err != nil {
		return err
	}
	if k.scene, err = f.build(k.config.Catalog); err != nil {
		return err
	}
	if founded {
		return k.found(f, number)
	}
	f.processes = nil
	return k.prepare(f, number, nil)
}

// found makes this process one of those that a world begins with.
func (k *Cluster) found(f founding, number uint32) error {
	k.founded = true
	var all []replica.Member
	for _, p := range f.processes {
		all = append(all, replica.NewMember(p.number, 0))
	}
	return k.prepare(f, number, all)
}

// prepare makes the replica.
func (k *Cluster) prepare(f founding, number uint32, members []replica.Member) error {
	k.self.number = number
	k.mesh.called(number)
	k.servers = map[mechanism.NodeID]bool{}
	for _, p := range k.scene.servers {
		k.servers[p.ID] = true
	}
	nodes, err := replica.NewNodes(k.scene.mechanism, k.scene.session, k.scene.servers, k.emit, k.reported)
	if err != nil {
		return err
	}
	m := &machine{scene: k.scene, directory: newDirectory(f, k.scene.session.Places), nodes: nodes, carriedOut: k.carriedOut, restored: k.restored}
	if f.ledger {
		m.keepLedger()
	}
	nodes.OnPanic(k.panicked)
	nodes.KeepUnsaid()
	k.machine = m
	g := &group{
		machine: m, inbox: k.inbox, clock: k.clock, mesh: k.mesh, woken: k.wokenAt, agreed: k.agreed, tick: k.tick, led: k.led, follow: k.follow,
		load: &k.load, step: k.scene.session.World.Schema().Tick, durable: k.slot != nil,
		messages: make(chan []byte, 1<<12), calls: make(chan func()), commands: make(chan func(), commandsMost), quit: make(chan struct{}), ended: make(chan struct{}),
	}
	disk, err := k.slot.open()
	if err != nil {
		return err
	}
	g.core, err = replica.New(replica.Config{
		Self: replica.NewMember(number, 0), Group: members, Election: electionTicks, Heartbeat: heartbeatTicks, Seed: k.mesh.instance,
	}, disk, watched{m, g})
	if err != nil {
		return fmt.Errorf("the world cannot be taken up again: %w", err)
	}
	if k.slot != nil && k.slot.identity == nil {
		if err := k.slot.settle(number, k.mesh.token, &f); err != nil {
			return err
		}
	}
	k.group = g
	k.routeAll()
	return nil
}

// ownName tells an operator which process this is.
func ownName() string {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Sprintf("pid %d", os.Getpid())
	}
	return fmt.Sprintf("pid %d on %s", os.Getpid(), host)
}
