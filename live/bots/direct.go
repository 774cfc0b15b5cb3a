package bots

import (
	"throng/live/bots/fleet"
	"throng/live/direct"
	"throng/live/protocol"
	"throng/mechanism"
)

// meeting is how the bots of a crew connect to others; nil if they do not.
type meeting struct {
	local  bool // the server is on this machine
	fleet  *fleet.Fleet
	worker int
}

// levelsMost is how many times passed on are told apart.
const levelsMost = 8

// meet has a bot connect to those whom its node keeps talking to.
func (b *bot) meet() {
	b.part()
	m := b.crew.meeting
	if m == nil {
		return
	}
	servers := map[mechanism.NodeID]bool{}
	for _, p := range b.crew.scene.session.Places {
		servers[p.ID] = p.User == 0
	}
	b.direct = direct.New(direct.Config{
		Self: b.machine.Place().ID,
		Way:  direct.NewPion(b.finders),
		Most: direct.Usual, Local: m.local,
		Peer: func(id mechanism.NodeID) bool { return !servers[id] },
		Signal: func(to mechanism.NodeID, payload []byte) {
			b.conn.Send(protocol.AppendItem(protocol.AppendData(nil), to, mechanism.Signal, payload))
		},
		Take: b.take,
		Post: func(f func()) { m.fleet.Do(m.worker, f) },
		Now:  m.fleet.Now,
	})
}

// part closes a bot's direct connections.
func (b *bot) part() {
	if b.direct != nil {
		b.direct.Close()
	}
}

// signalled takes what somebody says who wants to connect.
func (b *bot) signalled(item protocol.Item) {
	if b.direct != nil {
		b.direct.Signal(item.Peer, item.Payload)
	}
}

// take hands the node what came directly.
func (b *bot) take(m mechanism.Message) {
	if b.leaving {
		return
	}
	now := b.crew.meeting.fleet.Now()
	b.turnTo(now)
	b.machine.Receive(b.crew.now(now), m, &b.crew.out)
	b.heed()
	if m.Class != mechanism.Receipt && m.Class != mechanism.Control {
		b.pulse.Beat(now, b.crew.scene.interval)
		b.hear(now)
	}
	b.finish(now)
}
