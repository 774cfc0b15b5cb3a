package gateway

import (
	"testing"
	"time"

	"throng/live/protocol"
	"throng/live/socket"
)

// Whatever a client sends too much of, it is shown out, others are not disturbed, and what it sends takes no memory.
func TestFloodsOfAnyKind(t *testing.T) {
	s := open(t, nil)
	other, _ := s.seat(t, "Ben")
	continuation := append(clientFrame(socket.Binary, nil), clientFrame(socket.Continuation, nil)...)
	for _, c := range []struct {
		name  string
		first []byte
		flood []byte
	}{
		{"pings", nil, clientFrame(opPing, []byte("hello?"))},
		{"pongs", nil, clientFrame(opPong, nil)},
		{"empty fragments", clientFrame(socket.Binary, nil), clientFrame(socket.Continuation, nil)},
		{"messages in pieces", nil, append(continuation, clientFrame(socket.Final|socket.Continuation, dataFrame(officeID, "?"))...)},
		{"the protocol's pings", nil, clientFrame(opBinary, protocol.AppendPing(nil, 1))},
		{"datagrams to nobody", nil, clientFrame(opBinary, dataFrame(999, "?"))},
		{"empty data frames", nil, clientFrame(opBinary, protocol.AppendData(nil))},
	} {
		t.Run(c.name, func(t *testing.T) {
			token := s.join(t, "Ada").Token
			conn, in := s.raw(t, nil)
			if _, err := conn.Write(append(clientFrame(opBinary, helloFrame(token, true)), c.first...)); err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					if _, err := conn.Write(c.flood); err != nil {
						return
					}
				}
			}()
			reason := ""
			for {
				_, payload, err := in.next()
				if err != nil {
					break
				}
				if protocol.KindOf(payload) == protocol.KindGoodbye {
					text, _ := protocol.ReadGoodbye(payload)
					reason = string(text)
				}
			}
			<-done
			if reason != endFlood.text {
				t.Errorf("goodbye: %q", reason)
			}
			other.send(t, dataFrame(officeID, "echo"))
			other.datagram(t)
		})
	}
}

// A frame that is allowed now and then does not make up for all that are not.
func TestExcessIsNotForgiven(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.FramesPerSecond = 10 })
	s.seat(t, "Ada")
	c := s.all()[0]
	now := time.Now()
	for second := range 60 {
		for range 100 {
			if _, e := c.admit(10, now.Add(time.Duration(second)*time.Second)); e == endFlood {
				if second < 5 {
					t.Errorf("shown out after %d s", second)
				}
				return
			}
		}
	}
	t.Error("a client that sends ten times what it may was not shown out")
}

// A client within its limits is never shown out, however long it stays.
func TestNobodyIsShownOutForALittle(t *testing.T) {
	s := open(t, func(c *Config) { c.Limits.FramesPerSecond = 10 })
	s.seat(t, "Ada")
	c := s.all()[0]
	now := time.Now()
	for second := range 1000 {
		for range 11 {
			if _, e := c.admit(10, now.Add(time.Duration(second)*time.Second)); e != nil {
				t.Fatalf("shown out after %d s", second)
			}
		}
	}
}
