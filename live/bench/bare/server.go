// Package bare is the yardstick of the live benchmark: a WebSocket server that does nothing for its users but tell them where
// the others are. It has no rules, no interest beyond distance, no differences, no budget, no acknowledgements, no joining and
// trusts everybody. What a server with all of these reaches is measured against it.
//
// A user sends a record of 16 bytes ten times a second: who, where, and a number that counts. Each user gets, ten times a
// second, the records of all others in sight in one frame. Users are served in slots, a tenth of them every ten milliseconds:
// serving all of them at once would make the last of them wait for the others.
//
// In a spread crowd every frame is put together from records found by a uniform grid. In a dense one all see all, and each
// slot's users are written the same frame.
package bare

import (
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/lxzan/gws"
)

const (
	// Interval is how often users send, and are sent to.
	Interval = 100 * time.Millisecond

	// RecordSize is the size of a record: user, x and y in centimetres, and a number that counts, each in four bytes.
	RecordSize = 16

	slots      = 10
	readBuffer = 256
)

// Field is where users are: a square in which each sees so far. With a sight beyond the diagonal all see all.
type Field struct {
	Side, Sight int32 // in centimetres
}

// dense says whether all see all.
func (f Field) dense() bool { return f.Sight >= 2*f.Side }

// record is where a user is, as it crosses the wire.
type record [RecordSize]byte

func (r *record) user() uint32 { return binary.LittleEndian.Uint32(r[0:]) }
func (r *record) x() int32     { return int32(binary.LittleEndian.Uint32(r[4:])) }
func (r *record) y() int32     { return int32(binary.LittleEndian.Uint32(r[8:])) }
func (r *record) seq() uint32  { return binary.LittleEndian.Uint32(r[12:]) }

func (r *record) set(user uint32, x, y int32, seq uint32) {
	binary.LittleEndian.PutUint32(r[0:], user)
	binary.LittleEndian.PutUint32(r[4:], uint32(x))
	binary.LittleEndian.PutUint32(r[8:], uint32(y))
	binary.LittleEndian.PutUint32(r[12:], seq)
}

// server is everybody who is there.
type server struct {
	field   Field
	columns int32 // of the grid, whose cells are as wide as users see

	mu      sync.Mutex
	members []*member
	cells   [][]*member
}

// member is a user.
type member struct {
	gws.BuiltinEventHandler
	server *server
	socket *gws.Conn

	// Under the server's lock:
	record record
	x, y   int32
	cell   int // -1 before the first record
	at     int // among the members
	in     int // within the cell
}

// Serve accepts users until ctx is done.
func Serve(ctx context.Context, l net.Listener, field Field) error {
	s := &server{field: field, columns: field.Side/field.Sight + 1}
	s.cells = make([][]*member, s.columns*s.columns)
	mux := http.NewServeMux()
	mux.HandleFunc("/ws", s.join)
	web := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { web.Close() })
	go s.run(ctx)
	err := web.Serve(l)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (s *server) join(w http.ResponseWriter, r *http.Request) {
	m := &member{server: s, cell: -1}
	socket, err := gws.NewUpgrader(m, &gws.ServerOption{ReadBufferSize: readBuffer, ReadMaxPayloadSize: 1 << 10}).Upgrade(w, r)
	if err != nil {
		return
	}
	m.socket = socket
	go socket.ReadLoop()
}

// OnOpen, OnMessage and OnClose are called by the goroutine that reads from the user.

func (m *member) OnOpen(*gws.Conn) {
	s := m.server
	s.mu.Lock()
	defer s.mu.Unlock()
	m.at = len(s.members)
	s.members = append(s.members, m)
}

func (m *member) OnMessage(_ *gws.Conn, message *gws.Message) {
	defer message.Close()
	if len(message.Bytes()) != RecordSize {
		return
	}
	s := m.server
	s.mu.Lock()
	defer s.mu.Unlock()
	m.record = record(message.Bytes())
	m.x, m.y = m.record.x(), m.record.y()
	s.settle(m, s.cellOf(m.x, m.y))
}

func (m *member) OnClose(*gws.Conn, error) {
	s := m.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(m, -1)
	last := s.members[len(s.members)-1]
	s.members[m.at], last.at = last, m.at
	s.members = s.members[:len(s.members)-1]
}

func (s *server) cellOf(x, y int32) int {
	column := min(max(0, x/s.field.Sight), s.columns-1)
	row := min(max(0, y/s.field.Sight), s.columns-1)
	return int(row*s.columns + column)
}

// settle moves a member to another cell; -1 for none.
func (s *server) settle(m *member, cell int) {
	if m.cell == cell {
		return
	}
	if m.cell >= 0 {
		list := s.cells[m.cell]
		last := list[len(list)-1]
		list[m.in], last.in = last, m.in
		s.cells[m.cell] = list[:len(list)-1]
	}
	m.cell = cell
	if cell >= 0 {
		m.in = len(s.cells[cell])
		s.cells[cell] = append(s.cells[cell], m)
	}
}
