// Package trouble makes a good connection worse, on purpose: by the lab's network models, so that somebody at a screen feels
// what a row in a table of measures means.
//
// A [Emulator] stands between a client and its socket. What is sent and what has come waits there for as long as the model says,
// overtakes and is overtaken, or is lost. One without trouble holds nothing up.
package trouble

import (
	"errors"

	"throng/lab/network"
	"throng/lab/queue"
	"throng/world"
	"throng/world/fixed"
)

// Setting is how bad a connection is. The zero Setting is no trouble at all.
type Setting struct {
	Delay  world.Time // one way, for every datagram
	Jitter world.Time // mean of what comes on top, different for each
	Shape  string     // the model that jitter is drawn from: "exponential", "pareto" or "spike"
	Loss   fixed.F    // share of the datagrams that are lost
}

// Direction is which way a datagram goes.
type Direction uint8

// The directions.
const (
	Out Direction = iota
	In
)

// Emulator is a connection with trouble. The zero Emulator has none.
type Emulator struct {
	base   network.Model // delay and loss; nil without trouble
	jitter network.Model // nil for none
	seed   uint64

	waiting queue.Queue[int32] // places in parcels
	parcels []Parcel
	free    []int32

	// Lost counts what was lost, by direction.
	Lost [2]int64
}

// Parcel is something on its way. Tag is the owner's.
type Parcel struct {
	Direction Direction
	Tag       Tag
	Payload   []byte
}

// Tag is what the owner of an emulator needs to know about a parcel.
type Tag struct {
	What uint8
	Kind uint8
	Peer uint32
}

// Set changes how bad the connection is for what is sent from now on. What is under way stays so.
func (e *Emulator) Set(s Setting) error {
	e.base, e.jitter = nil, nil
	e.seed++
	if s == (Setting{}) || s == (Setting{Shape: s.Shape}) {
		return nil
	}
	base, err := network.Constant{Delay: s.Delay, Faults: network.Faults{Loss: s.Loss}}.New(e.seed, 2)
	if err != nil {
		return err
	}
	e.base = base
	if s.Jitter > 0 {
		e.jitter, err = newJitter(s, e.seed)
	}
	return err
}

// newJitter names the models one by one: by way of the catalog's table the page would have to carry all of them.
func newJitter(s Setting, seed uint64) (network.Model, error) {
	switch s.Shape {
	case "exponential":
		return network.Exponential{Delay: s.Jitter}.New(seed, 2)
	case "pareto":
		return network.Pareto{Delay: s.Jitter, Cutoff: max(paretoCutoff, 2*s.Jitter), Shape: paretoShape}.New(seed, 2)
	case "spike":
		return network.Spike{Delay: max(s.Jitter, world.Millisecond)}.New(seed, 2)
	}
	return nil, errors.New("there is no such model of jitter: " + s.Shape)
}

// The pareto model's own defaults.
const (
	paretoCutoff = 5 * world.Second
	paretoShape  = 3 * fixed.One / 2
)

// Send takes a datagram. It reports whether it did: without trouble it leaves it to the caller. The
// payload is copied.
func (e *Emulator) Send(now world.Time, d Direction, tag Tag, payload []byte) bool {
	if e.base == nil {
		return false
	}
	from, to := uint32(1), uint32(2)
	if d == In {
		from, to = to, from
	}
	fate := e.base.Fate(now, from, to, len(payload))
	if fate.N == 0 {
		e.Lost[d]++
		return true
	}
	delay := fate.Delays[0]
	if e.jitter != nil {
		delay += e.jitter.Fate(now, from, to, len(payload)).Delays[0]
	}
	at := e.place()
	p := &e.parcels[at]
	p.Direction, p.Tag, p.Payload = d, tag, append(p.Payload[:0], payload...)
	e.waiting.Push(int64(now+delay), 0, at)
	return true
}

func (e *Emulator) place() int32 {
	if n := len(e.free); n > 0 {
		at := e.free[n-1]
		e.free = e.free[:n-1]
		return at
	}
	e.parcels = append(e.parcels, Parcel{})
	return int32(len(e.parcels) - 1)
}

// Next returns a parcel that has arrived by now, or nil. It holds until the next call of Send or Next.
func (e *Emulator) Next(now world.Time) *Parcel {
	at, which, ok := e.waiting.Peek()
	if !ok || world.Time(at) > now {
		return nil
	}
	e.waiting.Pop()
	e.free = append(e.free, which)
	return &e.parcels[which]
}

// Due is when the next parcel arrives, or world.Never.
func (e *Emulator) Due() world.Time {
	if at, _, ok := e.waiting.Peek(); ok {
		return world.Time(at)
	}
	return world.Never
}

// Clear loses everything that is under way.
func (e *Emulator) Clear() {
	for {
		_, which, ok := e.waiting.Pop()
		if !ok {
			return
		}
		e.free = append(e.free, which)
	}
}
