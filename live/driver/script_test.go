package driver

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/random"
)

const ms = world.Millisecond

// town is a world with users who come and go, and a tick of 50 ms. Its players act once a tick.
type town struct{ mechanismtest.Town }

func newTown() town { return town{mechanismtest.NewTown()} }

func (town) Player(world.User, random.Stream) world.Player { return restless{} }

type restless struct{}

func (restless) Play(_ world.View, act func(world.Action)) {
	act(world.Action{Verb: mechanismtest.Drop})
}

// outgoing keeps what is sent.
type outgoing struct{ sent []string }

func (o *outgoing) Route(m mechanism.Message) bool {
	o.sent = append(o.sent, fmt.Sprintf("%d>%d %v %s", m.From, m.To, m.Class, m.Payload))
	return true
}

// setup is a ready client with the place of user 5.
func setup() (*mechanismtest.Puppet, *outgoing, Config) {
	w := newTown()
	n := &mechanismtest.Puppet{Joined: true, Shown: world.NewState(w.Schema(), 1)}
	o := &outgoing{}
	s := &mechanism.Session{World: w, Start: n.Shown}
	return n, o, Config{MachineConfig: mechanism.MachineConfig{Node: n, Place: mechanism.Place{ID: 7, User: 5}, Session: s}, Router: o}
}
