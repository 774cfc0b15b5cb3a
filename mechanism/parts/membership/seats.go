package membership

import (
	"throng/mechanism"
	"throng/world"
)

// Seats says who sits where: servers come first, and then a client for each user, in the order of users. So each user has one
// place, and each client's node one user.
type Seats struct {
	World   world.World
	Servers mechanism.NodeID // how many nodes come before the first client's
}

// Servers are some of the nodes that come first, and what they do.
type Servers struct {
	Role  string
	Count int
}

// Places lists the servers, and then a client for each user that the world begins with. Clients have a role as well.
func (s Seats) Places(client string, servers ...Servers) []mechanism.Place {
	var places []mechanism.Place
	for _, x := range servers {
		for range x.Count {
			places = append(places, mechanism.Place{ID: mechanism.NodeID(len(places) + 1), Role: x.Role})
		}
	}
	for u := world.User(1); u <= s.World.Users(); u++ {
		places = append(places, s.Place(u, client))
	}
	return places
}

// Place is the place of a user's client, whether in the session from the start or later.
func (s Seats) Place(u world.User, client string) mechanism.Place {
	return mechanism.Place{ID: s.Node(u), Role: client, User: u}
}

// usersMax is how many users there may be in a world that takes in more than it began with.
const usersMax = 1 << 20

// Users is the highest number that a user may have: beyond those that the world begins with only where it takes in more.
func (s Seats) Users() world.User {
	if _, inhabited := s.World.(world.Inhabited); inhabited {
		return max(s.World.Users(), usersMax)
	}
	return s.World.Users()
}

// Node is the node of a user's client.
func (s Seats) Node(u world.User) mechanism.NodeID { return s.Servers + mechanism.NodeID(u) }

// User is whose client may be at a node, or zero where nobody's may.
func (s Seats) User(id mechanism.NodeID) world.User {
	if id <= s.Servers || world.User(id-s.Servers) > s.Users() {
		return 0
	}
	return world.User(id - s.Servers)
}
