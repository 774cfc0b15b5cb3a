package input

import (
	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/pace"
	"throng/world"
	"throng/world/wire"
)

// Refused is the event of a client that wants to join but may not: Value is its node.
const Refused = "refused"

// entry is what a server knows of a client: a pointer to a struct that embeds a Member.
type entry interface {
	membership.Entry
	Again()
	Slow(p *pace.Pace, now, before, interval world.Time)
}

// ReceiveJoin takes a client's request to be let in. It returns who is welcome, if anybody is, and what is known of an earlier life of
// that client, which is over. A server that is full tells those that were not there before that there is no room for them.
func ReceiveJoin[M entry](all *membership.Members[M], full bool, now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (who membership.Member, was M, welcome, sound bool) {
	identity, u := ReadJoin(r)
	if r.Done() != nil {
		return who, was, false, false
	}
	was, verdict := all.Judge(now, from, u, identity)
	switch verdict {
	case membership.Known:
		was.Again()
	case membership.Refused:
		out.Report(mechanism.Event{Name: Refused, User: u, Value: int64(from)})
	}
	who = membership.Member{Node: from, User: u, Identity: identity, Heard: now}
	welcome = verdict == membership.Welcome
	if none := *new(M); welcome && full && was == none {
		refuse(&who, out)
		welcome = false
	}
	return who, was, welcome, true
}

// Mind takes note of how late a server has come to something that is due once in an interval, and has it and its clients slow down or
// speed up where that is called for, which it reports.
func Mind[M entry](all *membership.Members[M], p *pace.Pace, now, late, interval world.Time, out *mechanism.Outbox) (changed bool) {
	before := p.Stretch(interval)
	if !p.Note(now, late, interval, all.Len()) {
		return false
	}
	for _, m := range all.All() {
		m.Slow(p, now, before, interval)
	}
	out.Report(mechanism.Event{Name: mechanism.Slowed, Value: int64(p.Slowed())})
	return true
}

// refuse tells a client that would be welcome that there is no room for it.
func refuse(who *membership.Member, out *mechanism.Outbox) {
	var buf [8]byte
	out.Report(mechanism.Event{Name: Refused, User: who.User, Value: int64(who.Node)})
	out.Send(who.Node, mechanism.Control, AppendFull(buf[:0], who.Identity.Tag()))
}
