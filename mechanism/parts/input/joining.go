package input

import (
	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/world"
	"throng/world/wire"
)

// Refused is the event of a client that wants to join but may not: Value is its node.
const Refused = "refused"

// entry is what a server knows of a client: a pointer to a struct that embeds a Member.
type entry interface {
	membership.Entry
	Again()
}

// ReceiveJoin takes a client's request to be let in. It returns who is welcome, if anybody is, and what is known of an earlier life of
// that client, which is over.
func ReceiveJoin[M entry](all *membership.Members[M], now world.Time, from mechanism.NodeID, r *wire.Reader, out *mechanism.Outbox) (who membership.Member, was M, welcome, sound bool) {
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
	return membership.Member{Node: from, User: u, Identity: identity, Heard: now}, was, verdict == membership.Welcome, true
}

// Refuse tells a client that would be welcome that there is no room for it.
func Refuse(who *membership.Member, out *mechanism.Outbox) {
	var buf [8]byte
	out.Report(mechanism.Event{Name: Refused, User: who.User, Value: int64(who.Node)})
	out.Send(who.Node, mechanism.Control, AppendFull(buf[:0], who.Identity.Tag()))
}
