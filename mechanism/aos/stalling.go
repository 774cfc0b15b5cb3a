package aos

import (
	"throng/mechanism"
	"throng/mechanism/parts/stall"
	"throng/world"
)

// stalling keeps account of the clients for which the area stands still. Patience with them is a stock (package stall): who has
// used it up is relieved of the area at once, and is not given it again before some of it has come back.
type stalling struct {
	server *server
	budget stall.Budget
	until  world.Time // up to when it has been reckoned
	grace  world.Time // how long the area may stand still before anybody is blamed
	late   []mechanism.NodeID
}

// graceShare is the grace, as a part of the patience.
const graceShare = 8

func (s *stalling) begin(n *server) {
	most := n.config.Patience
	s.server, s.grace = n, most/graceShare
	s.budget = stall.New(most-s.grace, n.config.Stalling)
}

// blame charges those who are missing for the turn that should have begun.
func (s *stalling) blame(now world.Time, late []mechanism.NodeID) {
	s.late = s.late[:0]
	for _, id := range late {
		if s.server.members.At(id) != nil { // else it is a server
			s.late = append(s.late, id)
		}
	}
	since := max(s.server.still()+s.grace, s.until)
	s.until = now
	if now > since && len(s.late) > 0 {
		s.budget.Charge(now, s.late, now-since)
	}
}

// exhausted reports whether a client has used up the patience with it.
func (s *stalling) exhausted(now world.Time, id mechanism.NodeID) bool {
	return s.budget.Exhausted(now, id)
}

// spent reports whether a client is not to be waited for any more, for its own sake or since the patience with all is used up.
func (s *stalling) spent(now world.Time, id mechanism.NodeID) bool {
	return s.budget.Left(now, id) <= 0
}

// slowest is who of the late clients has kept the area waiting for longest, or nobody if none of them may be at fault.
func (s *stalling) slowest(now world.Time, late []mechanism.NodeID) (slowest mechanism.NodeID) {
	most := world.Time(-1)
	for _, id := range late {
		if spent := s.budget.Spent(now, id); spent > most && s.server.members.At(id) != nil && s.budget.Suspect(now, id) {
			slowest, most = id, spent
		}
	}
	return slowest
}

// dismiss notes that a client was not waited for any longer.
func (s *stalling) dismiss(now world.Time, id mechanism.NodeID) { s.budget.Dismiss(now, id) }

// trusts reports whether a client may begin to simulate the area. One that was not there from the start has less to spend.
func (s *stalling) trusts(now world.Time, id mechanism.NodeID) bool {
	if u := s.server.members.Seats().User(id); u > s.server.session.World.Users() {
		s.budget.Welcome(now, id)
	}
	return s.budget.Left(now, id) > s.grace
}
