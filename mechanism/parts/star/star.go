// Package star lays out mechanisms with one server, which comes first, and a client for each user, in the order of users.
package star

import (
	"throng/mechanism"
	"throng/mechanism/parts/membership"
	"throng/world"
)

// Server is the ID of the server's node.
const Server mechanism.NodeID = 1

// Layout is to be embedded in a mechanism's configuration, which has its methods then.
type Layout struct{}

// Places implements mechanism.Mechanism.
func (Layout) Places(w world.World) []mechanism.Place {
	return Seats(w).Places("client", membership.Servers{Role: "server", Count: int(Server)})
}

// Admit implements mechanism.Admitting: the place of a user, whether there from the start or later.
func (Layout) Admit(u world.User) mechanism.Place {
	return Seats(nil).Place(u, "client")
}

// IsServer reports whether a node is the server's: the one that a client's links expect.
func IsServer(id mechanism.NodeID) bool { return id == Server }

// Seats says who sits where.
func Seats(w world.World) membership.Seats { return membership.Seats{World: w, Servers: Server} }

// NodeOf is the node of a user's client.
func NodeOf(u world.User) mechanism.NodeID { return Seats(nil).Node(u) }

// Users is the highest number that a user of a world may have.
func Users(w world.World) world.User { return Seats(w).Users() }

// UserOf is whose client may be at a node, or zero where nobody's may.
func UserOf(w world.World, id mechanism.NodeID) world.User { return Seats(w).User(id) }
