package fleet

import (
	"bufio"
	"context"
	"net"

	"throng/live/socket"
)

// dialer dials until its context is done. For the WebSocket library it is the one way to the connection itself.
type dialer struct {
	ctx    context.Context
	dial   Dial
	plain  bool // without TLS, so that what comes through a socket is the WebSocket's
	worker *worker
	tcp    *net.TCPConn  // if the worker can hear the connection
	early  *bufio.Reader // what comes from there before it does
}

func (d *dialer) Dial(network, address string) (net.Conn, error) {
	conn, err := d.dial(d.ctx, network, address)
	if err != nil {
		return nil, err
	}
	tcp, ok := conn.(*net.TCPConn)
	if !ok || !d.plain || !d.worker.hasPoller() {
		return conn, nil
	}
	d.tcp, d.early = tcp, bufio.NewReader(tcp)
	return handshake{tcp, d.early}, nil
}

// handshake is a connection of which the library reads the answer to its request and nothing more: byte by byte, or what the
// server says right after that would be lost in the library's buffer.
type handshake struct {
	net.Conn
	in *bufio.Reader
}

func (h handshake) Read(b []byte) (int, error) { return h.in.Read(b[:min(len(b), 1)]) }

// hasPoller says whether the worker has one.
func (w *worker) hasPoller() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.poller == nil {
		if w.poller = socket.NewPoller[*direct](batch); w.poller == nil {
			return false
		}
		w.in = make([]byte, inSize)
		w.fleet.all.Go(w.listen)
	}
	return true
}

// adopt has the worker hear a connection from now on, of which something may have been read already.
func (w *worker) adopt(c *Conn, tcp *net.TCPConn, early *bufio.Reader) error {
	defer tcp.Close()
	own, err := socket.Detach(tcp)
	if err != nil {
		return err
	}
	d := &direct{conn: c, socket: own}
	c.way = d
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.poller.Add(&own.Socket, d); err != nil {
		own.Close()
		return err
	}
	w.enter(c)
	c.open()
	said, _ := early.Peek(early.Buffered())
	if err := d.take(said); err != nil {
		d.fail(err)
	}
	return nil
}
