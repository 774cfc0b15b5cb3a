// Package hub keeps a world alive in one process: it runs the servers' nodes and those of artificial players, gives people
// their seats, and carries datagrams between all of them.
//
// A person joins and gets a [Seat]: a user and a node's place. Where users may come and go ([world.Inhabited] under a mechanism
// that is [mechanism.Admitting]) it is a new one, else it was an artificial player's, who steps back and returns afterwards.
// The person's node does not run here but at the other end of a connection ([Conn]), in a browser or a bot. When a connection
// is lost the seat is kept for a while; a client that comes back in time goes on as if nothing had happened, since its node
// lives with it. One that has lost its node too joins the run again, in the same seat with a higher epoch.
//
// # Datagrams
//
// Route finds the receiver by its ID, in a table that is read without locks: a node that runs here, the connection of
// somebody who sits here, or else the fallback, such as a bus to other processes. Nothing waits: what the receiver has no
// room for is dropped and counted, and so is what is for somebody who is away. A client speaks for itself only: Deliver
// writes the sender.
//
// # Several processes
//
// The places of a world can be spread over several hubs, which hand them to one another while the world runs ([Duty]): a node
// ends here, and another one joins the run there, under a higher epoch. Servers' nodes stay where they began. When the process
// that they run in is gone, so is their part of the world ([Hub.Lose]).
package hub
