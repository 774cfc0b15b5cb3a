package gateway

import (
	"testing"
	"time"

	"throng/live/account"
	"throng/live/protocol"
	"throng/mechanism"
)

// listener is a connection in a seat that counts what it is sent.
type listener struct{ heard int }

func (l *listener) Send(mechanism.Message) bool { l.heard++; return true }
func (l *listener) Close(string)                {}

// Whatever a client sends, it ends at worst with the client's own connection: nothing panics, nothing reaches another user,
// and the next frame of a client that was not shown out is taken as ever.
func FuzzFramesOfAClient(f *testing.F) {
	f.Add(dataFrame(officeID, "hello"), dataFrame(4, "psst"))
	f.Add(protocol.AppendPing(nil, 1), protocol.AppendBye(nil))
	f.Add(helloFrame("token", true), []byte{})
	f.Add(protocol.AppendItem(dataFrame(officeID, "a"), officeID, mechanism.Bundle, nil), []byte{byte(protocol.KindData), 0xff})
	f.Add(protocol.AppendGoodbye(nil, "bye"), []byte{byte(protocol.KindHello), 1})
	s := open(f, nil)
	other := &listener{}
	neighbour, err := s.hub.Join("neighbour")
	if err != nil {
		f.Fatal(err)
	}
	if _, err := s.hub.Attach(neighbour, other, true); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		now := time.Now()
		token := s.tokens.issue(account.Account{}, now)
		stranger := s.newClient("websocket", source{}, now)
		stranger.pipe = deadEnd{}
		if stranger.take(first, now) == nil {
			t.Fatalf("%x passes for a hello", first)
		}
		c := s.newClient("websocket", source{}, now)
		c.pipe = deadEnd{}
		if e := c.take(helloFrame(token, true), now); e != nil {
			t.Fatal(e.text)
		}
		for _, frame := range [][]byte{first, second} {
			if e := c.take(frame, now); e != nil {
				if e != endMalformed && e != endLeft {
					t.Errorf("%x: %s", frame, e.text)
				}
				c.dismiss(e, now)
			}
		}
		if e := c.take(protocol.AppendPing(nil, 1), now); e != nil {
			t.Errorf("the next frame: %s", e.text)
		}
		c.ended(now)
		s.hub.Leave(c.ticket.seat, "")
		if other.heard > 0 {
			t.Fatalf("%x, %x: somebody else heard of it", first, second)
		}
	})
}
