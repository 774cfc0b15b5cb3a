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
	return turn.Number(n.config.Turns)
}

// serverDelay is how many turns what a server tells waits for its effect.
func (l *latencies) serverDelay(c *Config, i int) turn.Number {
	if d, ok := l.between[i]; ok {
		return d
	}
	return turn.Number(c.Turns)
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
			l.delays = append(l.delays, 1+turn.Delay(x.latency.OneWay(), n.pace.Length()))
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
			l.between[i] = 1 + turn.Between(farthest, s.OneWay(), n.pace.Length())
			n.turns.advances.SetDelay(n.servers.Of(i), l.between[i])
		}
	}
}
