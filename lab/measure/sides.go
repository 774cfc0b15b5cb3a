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

// over is a sum per each of so many, NaN where there is none.
func over[N int | float64](sum float64, n N) float64 {
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// lived is how many of some hosts there were on average, within a span: people come and go.
func lived(hosts []*sim.Host, span world.Time) float64 {
	var absent world.Time
	for _, h := range hosts {
		absent += h.Absent()
	}
	return float64(len(hosts)) - seconds(absent)/seconds(span)
}

// Every figure of a side comes three times: of all its hosts together, of one on average, and of the one that has most. Of
// servers the plain name is that of all together, of clients that of one on average.
const (
	each = ".each" // one server on average
	all  = ".all"  // all clients together
	most = ".most" // the one that has most
)

func sideNamesOf(name string, s side) []string {
	if s == serverSide {
		return []string{name, name + each, name + most}
	}
	return []string{name, name + all, name + most}
}

// counted are the hosts of a side that its figures are about. Of servers these are the ones that decide about part of the world, where
// there are such: a register that is asked once would halve what the others are said to do.
func counted(r *sim.Run, s side) []*sim.Host {
	var hosts, deciding []*sim.Host
	for _, h := range r.Hosts() {
		if sideOf(h) != s {
			continue
		}
		hosts = append(hosts, h)
		if _, ok := h.Node.(mechanism.Authority); ok {
			deciding = append(deciding, h)
		}
	}
	if s == serverSide && len(deciding) > 0 {
		return deciding
	}
	return hosts
}

// emitSide reports a figure of a side, from what it is for each host.
func emitSide(r *sim.Run, s side, span world.Time, name, unit string, emit Emit, of func(h *sim.Host) float64) {
	sum, greatest := math.NaN(), math.NaN()
	for _, h := range r.Hosts() {
		if sideOf(h) != s {
			continue
		}
		v := of(h)
		if math.IsNaN(sum) {
			sum, greatest = 0, v
		}
		sum += v
		greatest = max(greatest, v)
	}
	among := 0.0
	hosts := counted(r, s)
	for _, h := range hosts {
		among += of(h)
	}
	mean := over(among, lived(hosts, span))
	names := sideNamesOf(name, s)
	if s == serverSide {
		emit(names[0], unit, sum)
		emit(names[1], unit, mean)
	} else {
		emit(names[0], unit, mean)
		emit(names[1], unit, sum)
	}
	emit(names[2], unit, greatest)
}

// Sides counts the traffic of servers and of clients by class: in packets, in bytes, and in items, which are commands and states of
// objects however they are packed. What is sent again because it got lost is not counted again among the items.
type Sides struct {
	run   *sim.Run
	hosts []exchange
}

// exchange is what one host has sent and received.
type exchange struct {
	sent     [mechanism.Classes]load
	received load
	items    [mechanism.Classes]int64
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
		add := func(figure string) { names = append(names, sideNamesOf(figure, s)...) }
		for _, way := range [...]string{"sent", "received", "tick"} {
			add("packets." + way + "." + s.String())
			add("bytes." + way + "." + s.String())
		}
		for c := range mechanism.Classes {
			add("packets.sent." + s.String() + "." + c.String())
			add("bytes.sent." + s.String() + "." + c.String())
		}
		add("items.tick." + s.String())
		for _, c := range itemClasses {
			add("items.tick." + s.String() + "." + c.String())
		}
	}
	return names
}

// NewSides watches r.
func NewSides(r *sim.Run) *Sides { return &Sides{run: r} }

// Begin implements sim.Beginner.
func (t *Sides) Begin(world.Time) { clear(t.hosts) }

// of is what a host has exchanged.
func (t *Sides) of(h *sim.Host) *exchange {
	for int(h.Place.ID) > len(t.hosts) {
		t.hosts = append(t.hosts, exchange{})
	}
	return &t.hosts[h.Place.ID-1]
}

// Sent implements sim.PacketObserver.
func (t *Sides) Sent(h *sim.Host, m mechanism.Message, size int) { t.of(h).sent[m.Class].add(size) }

// Received implements sim.PacketObserver.
func (t *Sides) Received(h *sim.Host, _ mechanism.Message, size int) { t.of(h).received.add(size) }

// Told implements sim.ItemObserver.
func (t *Sides) Told(h *sim.Host, c mechanism.Class, items int) { t.of(h).items[c] += int64(items) }

// Report implements Probe.
func (t *Sides) Report(span world.Time, emit Emit) {
	ticks := float64(span) / float64(t.run.Start().Schema().Tick)
	for s := range sides {
		report := func(name, unit string, time float64, of func(*exchange) load) {
			emitSide(t.run, s, span, "packets."+name, "1/"+unit, emit, func(h *sim.Host) float64 { return float64(of(t.of(h)).packets) / time })
			emitSide(t.run, s, span, "bytes."+name, "B/"+unit, emit, func(h *sim.Host) float64 { return float64(of(t.of(h)).bytes) / time })
		}
		report("sent."+s.String(), "s", seconds(span), (*exchange).sentInAll)
		report("received."+s.String(), "s", seconds(span), func(x *exchange) load { return x.received })
		report("tick."+s.String(), "tick", ticks, (*exchange).sentInAll)
		for c := range mechanism.Classes {
			report("sent."+s.String()+"."+c.String(), "s", seconds(span), func(x *exchange) load { return x.sent[c] })
		}
		items := func(name string, of func(*exchange) int64) {
			emitSide(t.run, s, span, "items.tick."+name, "1/tick", emit, func(h *sim.Host) float64 { return float64(of(t.of(h))) / ticks })
		}
		items(s.String(), (*exchange).itemsInAll)
		for _, c := range itemClasses {
			items(s.String()+"."+c.String(), func(x *exchange) int64 { return x.items[c] })
		}
	}
}

func (x *exchange) sentInAll() (sum load) {
	for _, l := range x.sent {
		sum.packets += l.packets
		sum.bytes += l.bytes
	}
	return sum
}

func (x *exchange) itemsInAll() (sum int64) {
	for _, n := range x.items {
		sum += n
	}
	return sum
}
