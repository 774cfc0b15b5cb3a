package aos

import (
	"slices"

	"throng/mechanism"
	"throng/mechanism/parts/turn"
	"throng/world"
)

// latencies is how far away others are, and the delays that follow from that.
type latencies struct {
	servers map[int]*turn.Latency
	between map[int]turn.Number // the delays of what other servers tell, where they have been chosen
	chosen  world.Time          // when delays were last chosen, or zero
	longest turn.Number
	extra   turn.Number // by which all delays are longer, since messages get lost
	changed world.Time  // when that last changed
	delays  []turn.Number
	who     []*member
}

// settling is after how long delays are chosen for the first time, known or not.
const settling = 2 * world.Second

// hearServer notes a round trip to another server and back, the time that the other side took to answer left out.
func (l *latencies) hearServer(i int, now, held, sent world.Time) {
	if l.servers == nil {
		l.servers, l.between = map[int]*turn.Latency{}, map[int]turn.Number{}
	}
	if l.servers[i] == nil {
		l.servers[i] = &turn.Latency{}
	}
	l.servers[i].Add(max(now-sent-held, 0))
}

// clientDelay is how many turns what a user does waits for its effect, where nothing is known of the client.
func (l *latencies) clientDelay(n *server) turn.Number {
	if n.config.Delay == Dynamic && l.longest > 0 {
		return l.longest
	}
	return turn.Number(n.config.Turns) + l.extra
}

// serverDelay is how many turns what a server tells waits for its effect.
func (l *latencies) serverDelay(c *Config, i int) turn.Number {
	if d, ok := l.between[i]; ok {
		return d
	}
	return turn.Number(c.Turns) + l.extra
}

// known reports whether there is an estimate for everybody who is waited for.
func (l *latencies) known(n *server) bool {
	return !slices.ContainsFunc(n.members.simulating, func(id mechanism.NodeID) bool { return !n.members.At(id).latency.Known() }) &&
		!slices.ContainsFunc(n.borders.near, func(i int) bool { return l.servers[i] == nil || !l.servers[i].Known() })
}

// choose chooses all delays anew, if it is time to: for each client as long as a message takes to it and back, but nobody's
// shorter than the longest by more than fairness allows; for what a neighbour tells, as long as it takes from the farthest
// client by that server to here.
func (n *server) choose(now world.Time) {
	l := &n.latencies
	if n.config.Delay != Dynamic || l.chosen > 0 && now < l.chosen+n.config.Window {
		return
	}
	if l.chosen == 0 && now < settling && !l.known(n) {
		return
	}
	l.chosen = now
	l.delays, l.who = l.delays[:0], l.who[:0]
	var farthest world.Time
	for _, id := range n.members.simulating {
		x := n.members.At(id)
		if x.latency.Known() {
			farthest = max(farthest, x.latency.OneWay())
			l.delays = append(l.delays, 1+l.extra+turn.Delay(x.latency.OneWay(), n.pace.Length()))
			l.who = append(l.who, x)
		}
	}
	turn.Fair(l.delays, turn.Number(n.config.Fairness))
	l.longest = 0
	for i, x := range l.who {
		n.turns.advances.SetDelay(x.Node, l.delays[i])
		l.longest = max(l.longest, l.delays[i])
	}
	for _, i := range n.borders.near {
		if s := l.servers[i]; s != nil && s.Known() {
			l.between[i] = 1 + l.extra + turn.Between(farthest, s.OneWay(), n.pace.Length())
			n.turns.advances.SetDelay(n.servers.Of(i), l.between[i])
		}
	}
}

// stretch has everything wait a turn longer for its effect. An area whose delays leave no time for a message to be sent again
// falls behind with every one that is lost, and cannot catch up, although nobody is to blame.
func (n *server) stretch(now world.Time, out *mechanism.Outbox) {
	if l := &n.latencies; l.extra < extraMax && now >= l.changed+2*n.config.Patience {
		n.lengthen(now, 1)
		out.Report(mechanism.Event{Name: stretched, Value: int64(l.extra)})
	}
}

// relax takes that back, a turn at a time, when all has been well for long.
func (n *server) relax(now world.Time) {
	if l := &n.latencies; l.extra > 0 && now >= l.changed+relaxAfter*n.config.Window {
		n.lengthen(now, -1)
	}
}

// lengthen changes all delays by a turn.
func (n *server) lengthen(now world.Time, by turn.Number) {
	l, a := &n.latencies, &n.turns.advances
	l.extra, l.changed = l.extra+by, now
	l.longest = max(l.longest+by, 0)
	for _, id := range n.members.simulating {
		a.SetDelay(id, a.Delay(id)+by)
	}
	for _, i := range n.borders.near {
		if _, chosen := l.between[i]; chosen {
			l.between[i] += by
		}
		a.SetDelay(n.servers.Of(i), a.Delay(n.servers.Of(i))+by)
	}
}

const (
	stretched  = "stretched" // the event; its value is how many turns longer everything waits
	extraMax   = 4           // turns
	relaxAfter = 4           // windows
)
