package gateway

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"

	"throng/live/protocol"
)

// fastLane serves WebTransport.
type fastLane struct {
	gate        *Gateway
	certificate Certificate
	listener    *quic.EarlyListener
	server      *webtransport.Server
	port        int
	visits      sync.WaitGroup
	visitors    sync.Map // visits by their connections
}

// datagramMax is how large a datagram we make: what fits into a packet on every path that QUIC works on. Larger data frames
// travel on the stream.
const datagramMax = 1150

// ServeWebTransport accepts WebTransport sessions from now on, until Close.
func (g *Gateway) ServeWebTransport(conn net.PacketConn) error {
	f := &fastLane{gate: g, certificate: g.config.Certificate, port: portOf(conn.LocalAddr())}
	if f.certificate == nil {
		f.certificate = &SelfSigned{}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("CONNECT /wt", func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, g) })
	mux.HandleFunc("CONNECT "+RoomPath("{name}")+"/wt", func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, g.roomOf(r.PathValue("name"))) })
	h3 := &http3.Server{
		Handler:         mux,
		EnableDatagrams: true,
		MaxHeaderBytes:  16 << 10,
		ConnContext: func(ctx context.Context, c *quic.Conn) context.Context {
			v, _ := f.visitors.Load(c)
			return context.WithValue(ctx, visitKey{}, v)
		},
	}
	webtransport.ConfigureHTTP3Server(h3)
	f.server = &webtransport.Server{H3: h3, CheckOrigin: g.fromPage, ReorderingTimeout: time.Duration(g.config.Limits.Handshake)}
	listener, err := quic.ListenEarly(conn, tlsConfig(f.certificate, http3.NextProtoH3), f.quicConfig())
	if err != nil {
		return err
	}
	f.listener = listener
	g.fast.Store(f)
	go f.accept()
	return nil
}

// quicConfig keeps what a connection can hold small: a client needs one stream, a few bytes on it, and datagrams.
func (f *fastLane) quicConfig() *quic.Config {
	l := &f.gate.config.Limits
	window := uint64(2 * max(l.FrameMax, 16<<10))
	return &quic.Config{
		HandshakeIdleTimeout:             time.Duration(l.Handshake),
		MaxIdleTimeout:                   time.Duration(l.Silence),
		KeepAlivePeriod:                  time.Duration(l.Silence) / 3,
		MaxIncomingStreams:               8,
		MaxIncomingUniStreams:            8,
		InitialStreamReceiveWindow:       window,
		MaxStreamReceiveWindow:           window,
		InitialConnectionReceiveWindow:   2 * window,
		MaxConnectionReceiveWindow:       2 * window,
		EnableDatagrams:                  true,
		EnableStreamResetPartialDelivery: true,
	}
}

// visit is a QUIC connection. It is counted for as long as it lasts, whether a session comes about on it or not.
type visit struct {
	conn *quic.Conn
	from source
	used atomic.Bool // it has, or has had, a session
}

// visitKey finds the visit that a request belongs to.
type visitKey struct{}

// accept takes in connections until the listener is closed.
func (f *fastLane) accept() {
	for {
		conn, err := f.listener.Accept(context.Background())
		if err != nil {
			return
		}
		v := &visit{conn: conn, from: source{addr: parseHost(conn.RemoteAddr().String())}}
		if f.gate.draining.Load() || !f.gate.admission.enter(v.from) {
			v.end(http3.ErrCodeExcessiveLoad)
			continue
		}
		f.visits.Go(func() { f.receiveVisit(v) })
	}
}

// receiveVisit serves a connection until it ends, or until it has been there for long enough without a session.
func (f *fastLane) receiveVisit(v *visit) {
	defer f.gate.admission.leave(v.from)
	timeout := time.AfterFunc(time.Duration(f.gate.config.Limits.Handshake), func() {
		if !v.used.Load() {
			v.end(http3.ErrCodeRequestIncomplete)
		}
	})
	defer timeout.Stop()
	f.visitors.Store(v.conn, v)
	defer f.visitors.Delete(v.conn)
	if err := f.server.ServeQUICConn(v.conn); err != nil {
		f.gate.log.Debug("WebTransport connection", "host", v.from.addr, "error", err)
		v.end(http3.ErrCodeInternalError)
	}
}

func (v *visit) end(code http3.ErrCode) { v.conn.CloseWithError(quic.ApplicationErrorCode(code), "") }

func (f *fastLane) close() error {
	err := errors.Join(f.listener.Close(), f.server.Close())
	f.visits.Wait()
	return err
}

// serve takes in a client of a room.
func (f *fastLane) serve(w http.ResponseWriter, r *http.Request, g *Gateway) {
	if g == nil || g.draining.Load() {
		http.NotFound(w, r)
		return
	}
	v := r.Context().Value(visitKey{}).(*visit)
	session, err := f.server.Upgrade(w, r)
	if err != nil {
		f.gate.log.Debug("WebTransport refused", "host", v.from.addr, "error", err)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	v.used.Store(true)
	c := g.newClient("webtransport", v.from, time.Now())
	p := &fastPipe{visit: v, session: session}
	c.pipe = p
	if !g.add(c) {
		p.shut()
		return
	}
	f.receive(c, p)
	c.ended(time.Now())
}

// receive reads what the client sends until it ends.
func (f *fastLane) receive(c *client, p *fastPipe) {
	ctx, cancel := context.WithCancel(p.session.Context())
	stream, err := p.session.AcceptStream(ctx) // the watch ends sessions that do not open one
	var datagrams sync.WaitGroup
	if err == nil {
		p.stream.Store(stream)
		datagrams.Go(func() { f.receiveDatagrams(ctx, c, p) })
		f.receiveFrames(c, stream)
	}
	cancel()
	datagrams.Wait()
}

// receiveDatagrams reads data frames that come as datagrams. They may overtake the hello, and then are lost.
func (f *fastLane) receiveDatagrams(ctx context.Context, c *client, p *fastPipe) {
	for {
		frame, err := p.session.ReceiveDatagram(ctx)
		if err != nil {
			return
		}
		f.take(c, frame, c.known() && protocol.KindOf(frame) == protocol.KindData && len(frame) <= f.gate.config.Limits.FrameMax)
	}
}

// receiveFrames reads what comes on the stream.
func (f *fastLane) receiveFrames(c *client, stream io.Reader) {
	splitter := protocol.NewSplitter(f.gate.config.Limits.FrameMax)
	buf := make([]byte, readBuffer)
	for {
		n, err := stream.Read(buf)
		splitter.Write(buf[:n])
		for {
			frame, long := splitter.Next()
			if long != nil {
				c.dismiss(c.malformed(), time.Now())
			}
			if frame == nil {
				break
			}
			f.take(c, frame, true)
		}
		if err != nil {
			return
		}
	}
}

// take takes a frame, or only counts it where it is of no use.
func (f *fastLane) take(c *client, frame []byte, useful bool) {
	now := time.Now()
	allowed, e := c.admit(len(frame), now)
	if allowed && useful {
		e = c.take(frame, now)
	}
	if e != nil {
		c.dismiss(e, now)
	}
}

// fastPipe writes to a WebTransport session.
type fastPipe struct {
	visit   *visit
	session *webtransport.Session
	stream  atomic.Pointer[webtransport.Stream]
	once    sync.Once

	control, data *buffer
	packet        []byte
}

func (p *fastPipe) wrap(dst, frame []byte) []byte {
	return append(protocol.AppendLength(dst, len(frame)), frame...)
}

func (p *fastPipe) farewell(dst []byte, _ *ending) []byte { return dst }

func (p *fastPipe) probe() string { return "" }

// begin sends nothing: streams and datagrams may both have to wait.
func (p *fastPipe) begin(control, data *buffer) (bool, error) {
	p.control, p.data = control, data
	return false, nil
}

func (p *fastPipe) later() bool { return false }

func (p *fastPipe) resume() (bool, error) { return false, nil }

func (p *fastPipe) wait() error {
	if p.control != nil {
		if err := p.write(p.control.b[headMax:]); err != nil {
			return err
		}
	}
	if p.data == nil {
		return nil
	}
	return p.sendData(p.data.b[headMax:])
}

func (p *fastPipe) write(b []byte) error {
	stream := p.stream.Load()
	if stream == nil {
		return net.ErrClosed
	}
	_, err := stream.Write(b)
	return err
}

// sendData cuts a data frame into datagrams.
func (p *fastPipe) sendData(frame []byte) error {
	p.packet = protocol.AppendData(p.packet[:0])
	items := protocol.ReadData(frame)
	for item, ok := items.Next(); ok; item, ok = items.Next() {
		if len(p.packet)+protocol.ItemOverhead+len(item.Payload) > datagramMax {
			if err := p.sendPacket(); err != nil {
				return err
			}
		}
		p.packet = protocol.AppendItem(p.packet, item.Peer, item.Class, item.Payload)
	}
	return p.sendPacket()
}

// sendPacket sends the datagrams gathered so far: as one, or on the stream if it is too large for that.
func (p *fastPipe) sendPacket() error {
	if len(p.packet) <= 1 {
		return nil
	}
	defer func() { p.packet = protocol.AppendData(p.packet[:0]) }()
	if len(p.packet) <= datagramMax {
		err := p.session.SendDatagram(p.packet)
		var large *quic.DatagramTooLargeError
		if !errors.As(err, &large) {
			return err
		}
	}
	return p.write(p.wrap(nil, p.packet))
}

// finish ends the stream: the client reads what is on it and closes the session.
func (p *fastPipe) finish() {
	if stream := p.stream.Load(); stream != nil {
		stream.Close()
	}
}

func (p *fastPipe) shut() {
	p.once.Do(func() {
		go func() { // the session's end is sent, or given up, within moments
			p.session.CloseWithError(0, "")
			p.visit.end(http3.ErrCodeNoError)
		}()
	})
}

func (p *fastPipe) end() {}

// fastURL is where a client opens a WebTransport session, as seen from where it asked; nil if there is none.
func (g *Gateway) fastURL(r *http.Request) *WebTransport {
	fast := cmp.Or(g.config.Beside, g).fast.Load()
	if fast == nil {
		return nil
	}
	fingerprint, err := fast.certificate.Fingerprint(time.Now())
	if err != nil {
		g.log.Error("no certificate for WebTransport", "error", err)
		return nil
	}
	host := strings.Trim(r.Host, "[]")
	if h, _, err := net.SplitHostPort(r.Host); err == nil {
		host = h
	}
	return &WebTransport{URL: "https://" + net.JoinHostPort(host, strconv.Itoa(fast.port)) + RoomPath(g.config.Room) + "/wt", Certificate: fingerprint}
}

func portOf(a net.Addr) int {
	ap, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return 0
	}
	return int(ap.Port())
}
