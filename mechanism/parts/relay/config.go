package relay

import (
	"fmt"

	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/world"
)

// Config is what the parameters of these mechanisms have in common.
type Config struct {
	star.Layout

	Link     link.Config `param:"link"`
	Patience world.Time  `param:"patience" default:"10s" range:"200ms..1h" help:"who is not heard of for this long has gone"`
	Actions  int         `param:"actions" default:"10" range:"1..1000" help:"actions that a user may take per tick; more are dropped"`
}

// NewNode builds the node for a place: the server, which may have a filter, or a client, which tells how its user's objects
// are at least every so often if tell is not zero.
func NewNode(c *Config, s *mechanism.Session, p mechanism.Place, f Filter, tell world.Time) (mechanism.Node, error) {
	switch {
	case p.ID == star.Server:
		if mechanism.ClientsOnly {
			return nil, mechanism.ErrClientsOnly
		}
		return newServer(c, s, f), nil
	case p.User == 0 || p.ID != star.NodeOf(p.User):
		return nil, fmt.Errorf("node %d: a client needs a user, whose number is one less", p.ID)
	}
	return newClient(c, s, p, tell), nil
}
