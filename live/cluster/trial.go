package cluster

import (
	"encoding/binary"
	"hash"
	"hash/fnv"

	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

const (
	trialTicks   = 20     // of a trial,
	trialObjects = 20_000 // in a world of up to so many objects; fewer in a larger one
	trialUsers   = 8      // at most, who take part
	trialDelay   = 5 * world.Millisecond
)

// trial tells programs apart that have other rules: it has the world's servers and some of its users live through its first moments
// over a network that delays everything by the same time, and sums up all that they say to one another. Programs that agree
// on that may still differ in what comes later; two that do not agree would soon have different worlds.
func (s *scene) trial() (uint64, error) {
	t := trial{sum: fnv.New64a(), machines: map[mechanism.NodeID]*mechanism.Machine{}}
	users := 0
	for _, p := range s.session.Places {
		if p.User != 0 {
			if users++; users > trialUsers {
				continue
			}
		}
		config, err := mechanism.Build(s.mechanism, s.session, p)
		if err != nil {
			return 0, err
		}
		if p.User != 0 {
			config.Player = s.session.World.Player(p.User, random.New(1, "trial", uint64(p.User)))
		}
		t.order = append(t.order, p.ID)
		t.machines[p.ID] = mechanism.NewMachine(config)
	}
	ticks := max(1, trialTicks*trialObjects/max(trialObjects, s.session.Start.Len()))
	t.run(world.Time(ticks) * s.session.World.Schema().Tick)
	return t.sum.Sum64(), nil
}

// trial is a run of a world's first moments.
type trial struct {
	sum      hash.Hash64
	machines map[mechanism.NodeID]*mechanism.Machine
	order    []mechanism.NodeID
	queue    []parcel // in the order of time, since all take as long
	out      mechanism.Outbox
}

// parcel is a datagram on its way.
type parcel struct {
	at world.Time
	m  mechanism.Message
}

func (t *trial) run(until world.Time) {
	for {
		now := world.Never
		if len(t.queue) > 0 {
			now = t.queue[0].at
		}
		for _, id := range t.order {
			now = min(now, t.machines[id].Due())
		}
		if now > until {
			return
		}
		for len(t.queue) > 0 && t.queue[0].at <= now {
			m := t.queue[0].m
			t.queue = t.queue[1:]
			if to := t.machines[m.To]; to != nil {
				to.Receive(now, m, &t.out)
				t.finish(now, m.To)
			}
		}
		for _, id := range t.order {
			if m := t.machines[id]; m.Due() <= now {
				for _, a := range m.Advance(now, &t.out) {
					m.Act(now, a, &t.out)
				}
				t.finish(now, id)
			}
		}
	}
}

// finish sees to what a node has to say.
func (t *trial) finish(now world.Time, from mechanism.NodeID) {
	for i := range t.out.Sends() {
		m := t.out.Message(i, from)
		m.Payload = append([]byte(nil), m.Payload...)
		head := binary.LittleEndian.AppendUint64(nil, uint64(now))
		head = binary.LittleEndian.AppendUint32(head, uint32(m.From))
		head = binary.LittleEndian.AppendUint32(head, uint32(m.To))
		t.sum.Write(append(head, byte(m.Class)))
		t.sum.Write(m.Payload)
		t.queue = append(t.queue, parcel{now + trialDelay, m})
	}
	t.out.Reset()
}
