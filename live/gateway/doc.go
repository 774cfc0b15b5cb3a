// Package gateway is where clients come in: it gives people their tokens, carries datagrams between their connections and
// the hub, serves the page, and shows operators how things stand.
//
// A client first asks for a token (POST /api/join). With it it opens a connection: a WebSocket (/ws), which everybody has, or
// WebTransport (/wt), whose datagrams do not wait for one another. What travels on either is package protocol. The token stands
// for a seat, which is taken with the client's hello: a client that lost its connection opens another one with the same token
// and goes on as the same user.
//
// # What a client can do to others
//
// Nothing. It speaks for its own node only, and where the mechanism has servers, to those only. Connections are counted by the
// networks that they come from, and kept to the descriptors that there are (see admission). Frames are bounded in size
// before memory is set aside for them, and clients in how many frames, bytes and datagrams they send; what is beyond is
// dropped and counted, and who keeps it up is shown out. Nothing ever waits for a client: what is to be sent to one gathers
// in a buffer of bounded size, and once that is full datagrams are dropped; a client that has not taken what waits after
// a stated time is cut off.
//
// # Writing and reading
//
// Between a server's tick and its thousands of clients stand a few writers, as many as there are processors, and a queue of
// clients with something to be written (see outgoing). Sending is an append to the client's buffer; writing is one system
// call for all that has gathered, and never waits. As many goroutines read, where the system can tell them which of thousands
// of WebSockets something has come from (see poller); other connections have a goroutine each. There is no buffer to read into
// until something has come (see arrivals), since most connections are at rest most of the time.
//
// # Watching
//
// One goroutine looks over all connections every second, for those that have not said hello in time, take nothing, are
// silent or do not hang up: there are no timers and no deadlines for each. [Monitor] measures the nodes that run here and
// keeps what the overview at /admin and the metrics at /metrics show.
package gateway
