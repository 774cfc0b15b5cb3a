// Package linktest forges the datagrams of links, for tests of what nodes make of hostile ones.
package linktest

import (
	"bytes"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/link"
)

// Forger makes datagrams for nodes whose links are configured so. The way says in which mode a message is sent, and in which
// epoch its sender claims to be. Messages of one sender and epoch are numbered one after the other, as an honest node's are.
func Forger(cfg link.Config) mechanismtest.Forger {
	single := cfg
	single.Batching = 0
	return mechanismtest.Forger{
		Begin: func() func(m mechanism.Message, way byte) []byte {
			forger := forger{cfg: single, layers: map[hand]*link.Layer{}}
			return forger.forge
		},
		Open: func(datagram []byte) (messages [][]byte) {
			for p := range link.Parts(cfg, datagram) {
				messages = append(messages, p.Payload)
			}
			return messages
		},
		Known: [][]byte{
			{0x05, 0, 0, 1, 'x', 0x03, 0xff, 0xff, 0xff, 0xff, 0x03},          // opens a link, and acknowledges what was never sent
			{0x06, 0, 0, 1, 'x', 0x0a, 0x80, 0x80, 0x80, 0x80, 0x02, 'x'},     // opens a link, and goes on half a billion messages later
			{0x00, 1, 3, 0x06, 0, 0, 1, 'x', 0x0a, 0x80, 0x80, 0x80, 0x80, 2}, // the same after something unreliable
		},
	}
}

type forger struct {
	cfg    link.Config
	layers map[hand]*link.Layer
}

// hand is in whose name datagrams are forged.
type hand struct {
	from, to mechanism.NodeID
	epoch    uint32
}

func (f *forger) forge(m mechanism.Message, way byte) []byte {
	h := hand{m.From, m.To, uint32(way / 3 % 3)}
	if f.layers[h] == nil {
		f.layers[h] = link.New(f.cfg, m.From, h.epoch)
	}
	var out mechanism.Outbox
	f.layers[h].Send(0, m.To, m.Class%mechanism.Classes, m.Payload, link.Mode(way%3), &out)
	if out.Sends() == 0 {
		return nil // a thousand are under way, since nobody acknowledges them here
	}
	return bytes.Clone(out.Message(0, m.From).Payload)
}
