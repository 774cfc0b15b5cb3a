package measure

import (
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

// Traffic counts what hosts send and receive.
type Traffic struct {
	run            *sim.Run
	sent, received []flow // by host
	packets, bytes [mechanism.Classes]int64
}

// flow counts one host's datagrams in one direction, in all and within the current second.
type flow struct {
	packets, bytes       int64
	second               world.Time
	nowPackets, nowBytes int64
	maxPackets, maxBytes int64
}

func (f *flow) add(now world.Time, size int) {
	if second := now / world.Second; second != f.second {
		f.close()
		f.second = second
	}
	f.packets++
	f.nowPackets++
	f.bytes += int64(size)
	f.nowBytes += int64(size)
}

// close ends the current second.
func (f *flow) close() {
	f.maxPackets, f.maxBytes = max(f.maxPackets, f.nowPackets), max(f.maxBytes, f.nowBytes)
	f.nowPackets, f.nowBytes = 0, 0
}

func trafficFigures() []string {
	var names []string
	for _, way := range []string{"sent", "received"} {
		names = append(names, "packets."+way, "packets."+way+".max", "bytes."+way, "bytes."+way+".max")
	}
	for c := range mechanism.Classes {
		names = append(names, "packets.sent."+c.String(), "bytes.sent."+c.String())
	}
	return names
}

// NewTraffic watches r.
func NewTraffic(r *sim.Run) *Traffic {
	t := &Traffic{run: r}
	t.Begin(0)
	return t
}

// Begin implements sim.Beginner.
func (t *Traffic) Begin(world.Time) {
	*t = Traffic{run: t.run, sent: make([]flow, len(t.run.Hosts())), received: make([]flow, len(t.run.Hosts()))}
}

// Sent implements sim.PacketObserver.
func (t *Traffic) Sent(h *sim.Host, m mechanism.Message, size int) {
	t.sent[h.Place.ID-1].add(t.run.Now(), size)
	t.packets[m.Class]++
	t.bytes[m.Class] += int64(size)
}

// Received implements sim.PacketObserver.
func (t *Traffic) Received(h *sim.Host, _ mechanism.Message, size int) {
	t.received[h.Place.ID-1].add(t.run.Now(), size)
}

// Report implements Probe.
func (t *Traffic) Report(span world.Time, emit Emit) {
	per := lived(t.run.Hosts(), span) * seconds(span)
	report(t.sent, "sent", per, emit)
	report(t.received, "received", per, emit)
	for c := range mechanism.Classes {
		emit("packets.sent."+c.String(), "1/s", float64(t.packets[c])/per)
		emit("bytes.sent."+c.String(), "B/s", float64(t.bytes[c])/per)
	}
}

func report(flows []flow, way string, per float64, emit Emit) {
	var all flow
	for i := range flows {
		f := &flows[i]
		f.close()
		all.packets += f.packets
		all.bytes += f.bytes
		all.maxPackets = max(all.maxPackets, f.maxPackets)
		all.maxBytes = max(all.maxBytes, f.maxBytes)
	}
	emit("packets."+way, "1/s", float64(all.packets)/per)
	emit("packets."+way+".max", "1/s", float64(all.maxPackets))
	emit("bytes."+way, "B/s", float64(all.bytes)/per)
	emit("bytes."+way+".max", "B/s", float64(all.maxBytes))
}
