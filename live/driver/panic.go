package driver

import (
	"bytes"
	"runtime/debug"

	"throng/mechanism"
	"throng/world"
)

// Panic is a call that a node did not survive unharmed. It is a bug of ours; what brought it about is kept, so that it can be
// found and replayed.
type Panic struct {
	Value   any
	Stack   []byte
	Message *mechanism.Message // that the node was given; nil if it was woken
	InARow  int                // how many times in a row it could not be woken, this one included
}

// hand gives the node a datagram.
func (r *Runner) hand(m mechanism.Message) {
	defer r.rescue(&m)
	r.machine.Receive(r.clock.Now(), m, &r.out)
	r.finish()
}

// start begins the node.
func (r *Runner) start(now world.Time) {
	defer r.rescue(nil)
	r.machine.Wake(now, &r.out)
	r.finish()
}

// advance wakes the node and its user.
func (r *Runner) advance(now world.Time) {
	defer r.rescue(nil)
	actions := r.machine.Advance(now, &r.out)
	for i := range actions {
		r.act(now, &actions[i])
	}
	r.finish()
	r.panics = 0
}

// rescue keeps a node's panic from others, if there is somebody to decide what becomes of the node.
func (r *Runner) rescue(m *mechanism.Message) {
	panicked := r.config.Panicked
	if panicked == nil {
		return
	}
	value := recover()
	if value == nil {
		return
	}
	p := Panic{Value: value, Stack: debug.Stack()}
	if m != nil {
		copied := *m
		copied.Payload = bytes.Clone(m.Payload)
		p.Message = &copied
	} else {
		r.panics++
		p.InARow = r.panics
	}
	r.out.Reset() // what the node wanted done is lost
	r.machine.Recover(r.clock.Now())
	r.dead = !panicked(p)
}
