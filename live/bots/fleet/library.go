package fleet

import "github.com/lxzan/gws"

// readBuffer is what a connection at rest keeps for reading. Larger messages are read past it.
const readBuffer = 512

// library is the way of a connection that the WebSocket library reads from, on a goroutine of its own: one that is no plain TCP
// connection, or on a system without a poller.
type library struct {
	gws.BuiltinEventHandler
	conn   *Conn
	socket *gws.Conn
}

func (l *library) send(message []byte) bool {
	return l.socket.WriteMessage(gws.OpcodeBinary, message) == nil
}

func (l *library) close() { _ = l.socket.WriteClose(1000, nil) }

func (l *library) OnOpen(*gws.Conn) {
	l.conn.worker.mu.Lock()
	defer l.conn.worker.mu.Unlock()
	l.conn.open()
}

func (l *library) OnPing(_ *gws.Conn, payload []byte) { _ = l.socket.WritePong(payload) }

func (l *library) OnMessage(_ *gws.Conn, m *gws.Message) {
	defer m.Close()
	l.conn.worker.mu.Lock()
	defer l.conn.worker.mu.Unlock()
	l.conn.take(m.Bytes())
}

func (l *library) OnClose(_ *gws.Conn, err error) {
	l.conn.worker.mu.Lock()
	defer l.conn.worker.mu.Unlock()
	l.conn.end(err)
}
