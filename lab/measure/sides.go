package measure

import (
	"math"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// side tells hosts with a user from those without, whatever a mechanism calls their roles.
type side uint8

const (
	serverSide side = iota
	clientSide
	sides
)

var sideNames = [sides]string{"server", "client"}

func (s side) String() string { return sideNames[s] }

func sideOf(h *sim.Host) side {
	if h.Place.User == 0 {
		return serverSide
	}
	return clientSide
}

// census counts the hosts of each side.
func census(r *sim.Run) (n [sides]int) {
	for _, h := range r.Hosts() {
		n[sideOf(h)]++
	}
	return n
}

// over is a sum per host, NaN where there is no host.
func over(sum float64, hosts int) float64 {
	if hosts == 0 {
		return math.NaN()
	}
	return sum / float64(hosts)
}

// Sides counts the traffic of all servers together and of a client on average, by class: in packets, in bytes, and in items,
// which are commands and states of objects however they are packed. What is sent again because it got lost is not counted
// again among the items.
type Sides struct {
	run      *sim.Run
	sent     [sides][mechanism.Classes]load
	received [sides]load
	items    [sides][mechanism.Classes]int64
}

// itemClasses are the classes of messages that hold commands or states.
var itemClasses = [...]mechanism.Class{mechanism.Command, mechanism.Update, mechanism.Border, mechanism.Snapshot}

type load struct{ packets, bytes int64 }

func (l *load) add(size int) {
	l.packets++
	l.bytes += int64(size)
}

func sidesFigures() []string {
	var names []string
	for s := range sides {
		for _, way := range [...]string{"sent", "received", "tick"} {
			names = append(names, "packets."+way+"."+s.String(), "bytes."+way+"."+s.String())
		}
		for c := range mechanism.Classes {
			names = append(names, "packets.sent."+s.String()+"."+c.String(), "bytes.sent."+s.String()+"."+c.String())
		}
		names = append(names, "items.tick."+s.String())
		for _, c := range itemClasses {
			names = append(names, "items.tick."+s.String()+"."+c.String())
		}
	}
	return names
}

// NewSides watches r.
func NewSides(r *sim.Run) *Sides { return &Sides{run: r} }

// Begin implements sim.Beginner.
func (t *Sides) Begin(world.Time) { *t = Sides{run: t.run} }

// Sent implements sim.PacketObserver.
func (t *Sides) Sent(h *sim.Host, m mechanism.Message, size int) {
	t.sent[sideOf(h)][m.Class].add(size)
}

// Received implements sim.PacketObserver.
func (t *Sides) Received(h *sim.Host, _ mechanism.Message, size int) {
	t.received[sideOf(h)].add(size)
}

// Told implements sim.ItemObserver.
func (t *Sides) Told(h *sim.Host, c mechanism.Class, items int) {
	t.items[sideOf(h)][c] += int64(items)
}

// Report implements Probe.
func (t *Sides) Report(span world.Time, emit Emit) {
	hosts := census(t.run)
	ticks := float64(span) / float64(t.run.Start().Schema().Tick)
	for s := range sides {
		among := hosts[s]
		if s == serverSide {
			among = min(among, 1) // servers are counted together
		}
		report := func(name, unit string, l load, time float64) {
			emit("packets."+name, "1/"+unit, over(float64(l.packets)/time, among))
			emit("bytes."+name, "B/"+unit, over(float64(l.bytes)/time, among))
		}
		var all load
		for _, l := range t.sent[s] {
			all.packets += l.packets
			all.bytes += l.bytes
		}
		report("sent."+s.String(), "s", all, seconds(span))
		report("received."+s.String(), "s", t.received[s], seconds(span))
		report("tick."+s.String(), "tick", all, ticks)
		for c := range mechanism.Classes {
			report("sent."+s.String()+"."+c.String(), "s", t.sent[s][c], seconds(span))
		}
		var items int64
		for _, n := range t.items[s] {
			items += n
		}
		emit("items.tick."+s.String(), "1/tick", over(float64(items)/ticks, among))
		for _, c := range itemClasses {
			emit("items.tick."+s.String()+"."+c.String(), "1/tick", over(float64(t.items[s][c])/ticks, among))
		}
	}
}
