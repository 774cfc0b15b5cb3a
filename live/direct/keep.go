package direct

import "time"

// sweep gives up attempts that take too long, and closes and forgets what is of no use any more.
func (s *Switch) sweep(now time.Duration) {
	if now-s.swept < tickEvery {
		return
	}
	slept := now-s.swept > silence/2 // what was sent meanwhile has yet to be taken
	s.swept = now
	for id, p := range s.peers {
		if slept {
			p.heard = now
		}
		switch {
		case p.state == open && now-p.used > idle:
			s.counts.Open--
			s.close(p)
		case p.state == open:
			s.keep(now, p)
		case p.state != apart && now-p.began > patience:
			s.fail(p)
		case p.state == apart && now-p.since > idle && now > max(p.after, p.admits, p.refuses):
			delete(s.peers, id)
		}
	}
	s.tally(now)
}

// keep gives up a connection by which nothing comes any more: what goes by it is lost, and systems take half a minute to say so. It also has both ends of a connection know that the gateway still takes the other for who it was: a place that somebody leaves is given
// to somebody else, in whose name who left could go on speaking.
func (s *Switch) keep(now time.Duration, p *peer) {
	if now-p.vouched > vouchMax || now-p.heard > silence {
		s.fail(p)
		return
	}
	if now-p.sent >= beatTime {
		p.sent = now
		s.buf = append(s.buf[:0], beat)
		p.conn.Send(s.buf)
	}
	if now-p.said >= vouchTime {
		p.said = now
		s.say(p.id, signal{kind: vouch, number: p.number})
	}
}

// tally tells the gateway what went which way.
func (s *Switch) tally(now time.Duration) {
	if now-s.told < tallyTime || s.counts == s.tallied {
		return
	}
	t := Tally{uint64(s.counts.Direct - s.tallied.Direct), uint64(s.counts.Relayed - s.tallied.Relayed), uint64(s.counts.Open)}
	s.told, s.tallied = now, s.counts
	s.config.Signal(s.config.Self, t.append(nil))
}
