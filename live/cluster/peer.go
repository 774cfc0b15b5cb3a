package cluster

import (
	"context"
	"maps"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"throng/mechanism"
	"throng/world/wire"
)

const (
	datagramsMax = 16 << 20 // bytes that may wait for a peer before datagrams are dropped,
	anythingMax  = 1 << 30  // and before everything is
)

// peer is another process.
type peer struct {
	mesh     *mesh
	instance uint64
	address  string
	number   atomic.Uint32 // zero until it has said
	silent   atomic.Int32  // pings since something was last heard of it
	applied  atomic.Uint64 // entries of the log, when it was last asked

	ring chan struct{} // holds a token when there is something to be written
	done chan struct{} // closed at the end

	mu     sync.Mutex
	conn   net.Conn
	in     []byte // frames to be written
	out    []byte // frames being written
	closed bool
}

// dial connects to a process and makes it a peer, unless it is one already.
func (m *mesh) dial(address string, limit time.Duration) (*peer, error) {
	conn, h, err := m.reach(address, limit)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	if p := m.peers[h.instance]; p != nil || m.closing() {
		m.mu.Unlock()
		conn.Close()
		return p, nil
	}
	p := &peer{mesh: m, instance: h.instance, address: h.address, conn: conn, ring: make(chan struct{}, 1), done: make(chan struct{})}
	m.peers[h.instance] = p
	m.mu.Unlock()
	m.name(p, h.number)
	m.work.Go(p.write)
	m.work.Go(p.watch)
	for _, other := range h.others {
		m.meet(other)
	}
	m.log.Debug("cluster: connected", "address", h.address, "process", h.number)
	return p, nil
}

// reach opens a connection and exchanges hellos.
func (m *mesh) reach(address string, limit time.Duration) (net.Conn, hello, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, hello{}, err
	}
	if m.secure != nil {
		conn = m.secure.client(conn)
	}
	h, err := m.greet(conn, true, limit)
	if err != nil {
		conn.Close()
	}
	return conn, h, err
}

// meet connects to a process at an address, if it is news.
func (m *mesh) meet(address string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if address == m.address || m.dialing[address] || m.closing() {
		return
	}
	for _, p := range m.peers {
		if p.address == address {
			return
		}
	}
	m.dialing[address] = true
	m.work.Go(func() {
		if _, err := m.dial(address, dialTime); err != nil {
			m.log.Debug("cluster: cannot connect", "address", address, "error", err)
		}
		m.mu.Lock()
		delete(m.dialing, address)
		m.mu.Unlock()
	})
}

// name notes which of the world's processes a peer is.
func (m *mesh) name(p *peer, number uint32) {
	if number == 0 || p.number.Swap(number) == number {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	next := maps.Clone(*m.numbers.Load())
	next[number] = p
	m.numbers.Store(&next)
}

// called says which of the world's processes this one is.
func (m *mesh) called(number uint32) {
	m.number.Store(number)
	for _, p := range m.all() {
		p.send(kindName, wire.AppendUint(nil, uint64(number)))
	}
}

// send has a frame be written. It may be dropped.
func (p *peer) send(kind byte, body ...[]byte) {
	p.put(anythingMax, func(dst []byte) []byte { return appendFrame(dst, kind, body...) })
}

// carry has a datagram be written, unless too much waits. It reports whether there was room.
func (p *peer) carry(m *mechanism.Message) bool {
	p.mu.Lock()
	if p.closed || len(p.in)+len(p.out) > datagramsMax {
		p.mu.Unlock()
		p.mesh.dropped.Add(1)
		return false
	}
	p.in = appendDatagram(p.in, m)
	p.mu.Unlock()
	p.wake()
	return true
}

func (p *peer) put(most int, add func(dst []byte) []byte) {
	p.mu.Lock()
	if p.closed || len(p.in)+len(p.out) > most {
		p.mu.Unlock()
		p.mesh.dropped.Add(1)
		return
	}
	p.in = add(p.in)
	p.mu.Unlock()
	p.wake()
}

func (p *peer) wake() {
	select {
	case p.ring <- struct{}{}:
	default:
	}
}

// write writes what waits, as long as there is a connection.
func (p *peer) write() {
	for {
		select {
		case <-p.ring:
		case <-p.done:
			return
		}
		p.mu.Lock()
		p.in, p.out = p.out[:0], p.in
		conn, out := p.conn, p.out
		p.mu.Unlock()
		if len(out) > 0 {
			conn.SetWriteDeadline(time.Now().Add(p.mesh.patience))
			if _, err := conn.Write(out); err != nil {
				conn.Close() // whoever watches it sees to what follows
			}
		}
		p.mu.Lock()
		if p.out = p.out[:0]; cap(p.out) > datagramsMax {
			p.out = nil
		}
		p.mu.Unlock()
	}
}

// watch waits for the end of the connection. If the process cannot be reached again at once it is taken to be dead.
func (p *peer) watch() {
	for {
		var one [1]byte
		p.mu.Lock()
		conn := p.conn
		p.mu.Unlock()
		for {
			if _, err := conn.Read(one[:]); err != nil {
				break
			}
		}
		conn.Close()
		if p.mesh.closing() {
			p.shut()
			return
		}
		again, h, err := p.mesh.reach(p.address, redialTime)
		if err == nil && h.instance == p.instance {
			p.mu.Lock()
			p.conn = again
			p.mu.Unlock()
			p.silent.Store(0)
			continue
		}
		if err == nil {
			again.Close()
		}
		break
	}
	p.mesh.forget(p)
	p.shut()
	p.mesh.handler.lost(p)
}

// shut ends the connection and who writes to it.
func (p *peer) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		p.conn.Close()
		close(p.done)
	}
}

func (m *mesh) forget(p *peer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.peers, p.instance)
	next := maps.Clone(*m.numbers.Load())
	if number := p.number.Load(); next[number] == p {
		delete(next, number)
	}
	m.numbers.Store(&next)
}

// gossip tells everybody whom this process knows, and looks for those that have fallen silent. Silence is counted in pings of our own: one
// who was asleep itself judges nobody.
func (m *mesh) gossip() {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for round := 0; ; round++ {
		select {
		case <-ticker.C:
		case <-m.ctx.Done():
			return
		}
		if round%int(meetEvery/pingEvery) == 0 {
			for _, address := range m.seeds {
				m.meet(address)
			}
		}
		all := m.all()
		addresses := appendTexts(nil, m.addresses())
		for _, p := range all {
			if time.Duration(p.silent.Add(1))*pingEvery > m.patience {
				p.mu.Lock()
				p.conn.Close()
				p.mu.Unlock()
				continue
			}
			m.handler.beat(p)
			if round%int(meetEvery/pingEvery) == 0 {
				p.send(kindMeet, addresses)
			}
		}
	}
}
