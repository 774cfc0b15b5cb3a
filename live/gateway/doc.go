// Package gateway is where clients come in: it gives people their tokens, carries datagrams between their connections and
// the hub, serves the page, and shows operators how things stand.
//
// A client first asks for a seat (POST /api/join) and gets a token. With it it opens a connection: a WebSocket (/ws), which
// everybody has, or WebTransport (/wt), whose datagrams do not wait for one another. What travels on either is package
// protocol. The token stands for the seat: a client that lost its connection opens another one with the same token and
// goes on as the same user.
//
// # What a client can do to others
//
// Nothing. It speaks for its own node only. Frames are bounded in size, clients in the rate at which they send; what is
// beyond is dropped and counted, and who keeps it up is shown out. Nothing ever waits for a client: what is to be sent to
// one gathers in a buffer of bounded size, from which datagrams are dropped once it is full; a client that takes
// nothing for longer than a stated time is dropped with that reason.
package gateway
