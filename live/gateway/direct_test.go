package gateway

import (
	"testing"
	"time"

	"throng/live/direct"
	"throng/live/protocol"
	"throng/mechanism"
)

func signalFrame(to mechanism.NodeID, payload []byte) []byte {
	return protocol.AppendItem(protocol.AppendData(nil), to, mechanism.Signal, payload)
}

func meeting(c *Config) { c.Direct = &Direct{Servers: []string{"stun:a", "turn:b"}, Secret: "s3cret"} }

// invitation is a signal that asks for a connection.
var invitation = []byte{1, 0}

// Clients are told how they may connect to each other, with a password for TURN servers that ends.
func TestDirectIsOffered(t *testing.T) {
	s := open(t, meeting, &office{peers: true})
	r := s.directReply(time.Unix(1_000_000, 0))
	if r == nil || len(r.Servers) != 2 || r.Servers[0].Username != "" {
		t.Fatalf("told %+v", r)
	}
	if turn := r.Servers[1]; turn.Username != "1043200" || turn.Credential != "Q72gQ4oPcRUMBIHof4jajwwTQ0Q=" {
		t.Errorf("told %+v", turn)
	}
	if s.join(t, "Ada").Direct == nil {
		t.Error("who joins is not told")
	}
	if open(t, nil, &office{peers: true}).join(t, "Ada").Direct != nil {
		t.Error("it is offered although nobody wants that")
	}
	if open(t, meeting).join(t, "Ada").Direct != nil {
		t.Error("it is offered to those who speak to a server only")
	}
}

// Signals go from client to client, with the name of who sent them; whose node runs here refuses, and servers hear none.
func TestSignals(t *testing.T) {
	s := open(t, meeting, &office{peers: true})
	ada, a := s.seat(t, "Ada")
	ben, b := s.seat(t, "Ben")
	ada.send(t, signalFrame(b.Node, []byte("anything")))
	if item := ben.datagram(t); item.Peer != a.Node || item.Class != mechanism.Signal || string(item.Payload) != "anything" {
		t.Errorf("Ben heard %+v", item)
	}
	ada.send(t, signalFrame(2, invitation))
	want, _ := direct.Refusal(invitation)
	if item := ada.datagram(t); item.Peer != 2 || item.Class != mechanism.Signal || string(item.Payload) != string(want) {
		t.Errorf("Ada heard %+v", item)
	}
	ada.send(t, signalFrame(b.Node, make([]byte, direct.SignalMax+1)))
	ada.send(t, signalFrame(a.Node, []byte("no tally")))
	ada.send(t, signalFrame(a.Node, []byte{6, 40, 7, 200, 1}))
	until(t, "the tally is counted", func() bool { return s.meeting.direct.Load() == 40 })
	if n := s.drops.malformed.Load(); n != 2 {
		t.Errorf("%d malformed", n)
	}
	if n := s.totals().partners; n != direct.Usual {
		t.Errorf("%d partners are believed", n)
	}
	for range 3 * signalsPerSecond {
		ada.send(t, signalFrame(b.Node, invitation))
	}
	until(t, "too many are dropped", func() bool { return s.drops.rate.Load() > 0 })
}

// Where they are not offered nobody's signals are passed on, nor to servers.
func TestNoSignals(t *testing.T) {
	for name, s := range map[string]*site{"not offered": open(t, nil, &office{peers: true}), "servers": open(t, meeting)} {
		ada, _ := s.seat(t, "Ada")
		_, b := s.seat(t, "Ben")
		ada.send(t, signalFrame(b.Node, invitation))
		ada.send(t, signalFrame(officeID, invitation))
		until(t, name, func() bool { return s.drops.stray.Load() == 2 })
		if s.meeting.signals.Load() != 0 {
			t.Errorf("%s: signals were passed on", name)
		}
	}
}
