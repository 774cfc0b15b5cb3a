package bare

import (
	"context"
	"time"

	"github.com/lxzan/gws"

	"throng/live/socket"
)

// plate is what the users of one slot are served.
type plate struct {
	sockets []*gws.Conn
	ends    []int // of each one's frame in buf
	buf     []byte
	shared  []byte // what all get, where all get the same
}

// run serves one slot after the other.
func (s *server) run(ctx context.Context) {
	next := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var p plate
	for slot := 0; ; slot = (slot + 1) % slots {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		p.sockets, p.ends, p.buf = p.sockets[:0], p.ends[:0], p.buf[:0]
		if s.field.dense() {
			s.fillDense(&p, slot)
			p.serveOne()
		} else {
			s.fillSpread(&p, slot)
			p.serveEach()
		}
		// A slot that comes late is followed by the next a little sooner, but what is missed is not made up for: when there is
		// too much to do, that would leave no time to read.
		next = next.Add(Interval / slots)
		if earliest := time.Now(); next.Before(earliest) {
			next = earliest
		}
		timer.Reset(time.Until(next))
	}
}

// fillSpread puts together a frame for each user of a slot, from the records of those in sight.
func (s *server) fillSpread(p *plate, slot int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := slot; i < len(s.members); i += slots {
		m := s.members[i]
		if m.cell < 0 {
			continue
		}
		p.buf = s.appendSeen(p.buf, m)
		p.sockets = append(p.sockets, m.socket)
		p.ends = append(p.ends, len(p.buf))
	}
}

func (s *server) appendSeen(dst []byte, m *member) []byte {
	sight := int64(s.field.Sight)
	column, row := int32(m.cell)%s.columns, int32(m.cell)/s.columns
	for r := max(0, row-1); r <= min(row+1, s.columns-1); r++ {
		for c := max(0, column-1); c <= min(column+1, s.columns-1); c++ {
			for _, other := range s.cells[r*s.columns+c] {
				dx, dy := int64(other.x-m.x), int64(other.y-m.y)
				if dx*dx+dy*dy <= sight*sight && other != m {
					dst = append(dst, other.record[:]...)
				}
			}
		}
	}
	return dst
}

func (p *plate) serveEach() {
	start := 0
	for i, socket := range p.sockets {
		_ = socket.WriteMessage(gws.OpcodeBinary, p.buf[start:p.ends[i]])
		start = p.ends[i]
	}
}

// fillDense puts together one frame for all users of a slot: everybody's record, behind the header of a WebSocket message.
func (s *server) fillDense(p *plate, slot int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.buf = append(p.buf, make([]byte, socket.HeadMax)...)
	for i, m := range s.members {
		if m.cell < 0 {
			continue
		}
		p.buf = append(p.buf, m.record[:]...)
		if i%slots == slot {
			p.sockets = append(p.sockets, m.socket)
		}
	}
	start := socket.PutHead((*[socket.HeadMax]byte)(p.buf), socket.Final|socket.Binary, len(p.buf)-socket.HeadMax)
	p.shared = p.buf[start:]
}

// serveOne writes the same bytes to everybody. The library would copy them for each.
func (p *plate) serveOne() {
	for _, socket := range p.sockets {
		if _, err := socket.NetConn().Write(p.shared); err != nil {
			_ = socket.NetConn().Close()
		}
	}
}
