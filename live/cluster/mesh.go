package cluster

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"throng/world/wire"
)

const (
	dialTime   = time.Second            // how long it may take to reach a process and be greeted
	redialTime = 300 * time.Millisecond // the same, for one whose connection has just been lost
	meetEvery  = time.Second            // how often processes tell each other whom they know
	pingEvery  = 250 * time.Millisecond
	helloMax   = 1 << 16 // bytes
)

// mesh is the connections between processes: each dials every other and sends on the connection that it has dialled. What is
// sent may get lost; when a connection ends, and the process cannot be reached again at once, it is taken to be dead.
type mesh struct {
	log      *slog.Logger
	token    string
	instance uint64 // of this process; another one each time that it begins
	address  string // where others reach it
	number   atomic.Uint32
	listener net.Listener
	secure   *secure // nil where everybody is on this machine
	patience time.Duration
	handler  handler
	seeds    []string // where others may be found, whoever they are by now
	door     door

	mu      sync.Mutex
	peers   map[uint64]*peer
	dialing map[string]bool
	numbers atomic.Pointer[map[uint32]*peer] // those that have said which process they are; replaced as a whole

	dropped atomic.Int64
	ctx     context.Context // done when the mesh closes
	cancel  context.CancelFunc
	work    sync.WaitGroup
}

// handler is who is told of what comes. All are called from many goroutines at once.
type handler interface {
	frame(from *peer, kind byte, body []byte) // the body holds during the call
	lost(p *peer)
	beat(p *peer) // is called now and then for each peer
}

// newMesh listens. It is still to be started.
func newMesh(listen, token string, patience time.Duration, log *slog.Logger) (*mesh, error) {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s for other processes: %w", listen, err)
	}
	m := &mesh{
		log: log, token: token, listener: l, address: advertised(l.Addr()), patience: patience,
		peers: map[uint64]*peer{}, dialing: map[string]bool{},
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	var id [8]byte
	rand.Read(id[:])
	m.instance = binary.LittleEndian.Uint64(id[:]) | 1
	m.numbers.Store(&map[uint32]*peer{})
	if !onThisMachine(m.address) {
		m.secure = newSecure(token)
	}
	return m, nil
}

// start begins to let others in.
func (m *mesh) start(h handler) {
	m.handler = h
	m.work.Go(m.accept)
	m.work.Go(m.gossip)
}

func (m *mesh) close() {
	m.cancel()
	m.listener.Close()
	m.mu.Lock()
	for _, p := range m.peers {
		p.shut()
	}
	m.mu.Unlock()
	m.work.Wait()
}

func (m *mesh) closing() bool { return m.ctx.Err() != nil }

// hello is what both sides of a connection say first.
type hello struct {
	token    string
	instance uint64
	number   uint32
	address  string
	others   []string // addresses
}

func (h *hello) append(dst []byte) []byte {
	dst = wire.AppendUint(dst, version)
	dst = appendText(dst, h.token)
	dst = wire.AppendUint64(dst, h.instance)
	dst = wire.AppendUint(dst, uint64(h.number))
	dst = appendText(dst, h.address)
	return appendTexts(dst, h.others)
}

var (
	errVersion = errors.New("the processes are of different versions")
	errToken   = errors.New("the token is wrong")
	errSelf    = errors.New("this is the process itself")
)

func (m *mesh) readHello(body []byte) (h hello, err error) {
	r := wire.NewReader(body)
	if v := r.Uint(); v != version && !r.Failed() {
		return h, errVersion
	}
	h = hello{token: readText(&r), instance: r.Uint64(), number: uint32(r.UintMax(1<<32 - 1)), address: readText(&r), others: readTexts(&r)}
	switch {
	case r.Done() != nil:
		err = wire.ErrMalformed
	case subtle.ConstantTimeCompare([]byte(h.token), []byte(m.token)) != 1:
		err = errToken
	case h.instance == m.instance:
		err = errSelf
	}
	return h, err
}

func (m *mesh) ownHello() []byte {
	h := hello{token: m.token, instance: m.instance, number: m.number.Load(), address: m.address, others: m.addresses()}
	return appendFrame(nil, kindName, h.append(nil))
}

// addresses are those of all processes that are known.
func (m *mesh) addresses() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := []string{m.address}
	for _, p := range m.peers {
		list = append(list, p.address)
	}
	return list
}

// greet exchanges hellos. Whoever dials speaks first: a stranger learns nothing from who listens.
func (m *mesh) greet(conn net.Conn, dialled bool, limit time.Duration) (h hello, err error) {
	conn.SetDeadline(time.Now().Add(limit))
	defer conn.SetDeadline(time.Time{})
	if dialled {
		if _, err := conn.Write(m.ownHello()); err != nil {
			return h, err
		}
	}
	var buf []byte
	_, body, err := readFrame(conn, &buf, helloMax)
	if err != nil {
		return h, err
	}
	if h, err = m.readHello(body); err != nil {
		return h, err
	}
	if !dialled {
		_, err = conn.Write(m.ownHello())
	}
	return h, err
}

func (m *mesh) accept() {
	for {
		conn, err := m.listener.Accept()
		if err != nil {
			if m.closing() {
				return
			}
			m.log.Warn("cluster: cannot take a connection", "error", err)
			select {
			case <-time.After(meetEvery / 10): // such as for want of descriptors
			case <-m.ctx.Done():
			}
			continue
		}
		if !m.door.enter(conn) {
			conn.Close()
			continue
		}
		m.work.Go(func() { m.receive(conn) })
	}
}

// receive reads what a process that has dialled says until it ends.
func (m *mesh) receive(accepted net.Conn) {
	defer accepted.Close()
	stop := context.AfterFunc(m.ctx, func() { accepted.Close() })
	defer stop()
	conn := accepted
	if m.secure != nil {
		conn = m.secure.server(accepted)
	}
	h, err := m.greet(conn, false, dialTime)
	m.door.leave(conn)
	if err != nil {
		m.log.Debug("cluster: a connection was refused", "from", conn.RemoteAddr(), "error", err)
		return
	}
	p := m.find(h.instance)
	if p == nil {
		if p, err = m.dial(h.address, dialTime); err != nil {
			m.log.Debug("cluster: a process cannot be reached back", "address", h.address, "error", err)
			return
		}
	}
	m.name(p, h.number)
	r := bufio.NewReaderSize(conn, 64<<10)
	var buf []byte
	for {
		kind, body, err := readFrame(r, &buf, frameMax)
		if err != nil {
			return
		}
		p.silent.Store(0)
		m.handler.frame(p, kind, body)
	}
}

func (m *mesh) find(instance uint64) *peer {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.peers[instance]
}

// of returns the process of a number, or nil.
func (m *mesh) of(number uint32) *peer { return (*m.numbers.Load())[number] }

// all returns all processes that can be reached.
func (m *mesh) all() []*peer {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]*peer, 0, len(m.peers))
	for _, p := range m.peers {
		list = append(list, p)
	}
	return list
}
