// Package direct has clients send datagrams to each other without a detour by the gateway, over WebRTC data channels that neither keep
// an order nor repeat what is lost.
//
// A [Switch] stands between a client's node and its connection to the gateway. What the node sends to somebody to whom there is a direct
// connection goes by it; all else goes by the gateway, which is the relay of last resort. A switch opens a connection to whoever the node
// keeps sending to, as many as it may, and closes those that are of no use any more. It knows nothing of any mechanism: loose,
// optimistic and zonal use it alike, and clients of servers never have anybody to connect to.
//
//	who sends much                          the other
//	Invite                     ──▶                        only if its number is the higher one: the lower one offers
//	Offer{number, description} ◀──
//	Answer{number, description} ──▶
//	…datagrams, each with its class before it, both ways…
//
// Signals are datagrams of class [mechanism.Signal] that travel by the gateway as all others do. So the gateway says who they are from,
// and since a description names the certificate by which its writer is known on the connection, who is at the other end of a direct
// connection is as certain as it is behind the gateway. That it still is who it was, each end tells the other by the gateway every few
// seconds (Vouch): a place that somebody leaves is given to somebody else.
//
// # Hostile peers
//
// Who is connected to directly learns one's address, and is not held back by the gateway's limits. Signals are short and are taken only
// from peers, connections are few, a refused or failed one is tried again later and later, and datagrams beyond a rate or a size are
// dropped and counted. Descriptions are not texts (SDP) but the few things that such a text says here: an address that a stranger
// gives can be neither a service's (ports below 1024), nor a broadcast, nor of the machine or its link, such as clouds' metadata; nor the
// name of a host. Operators decide whether direct connections are offered at all.
//
// Connections are made by a [Way]: [NewPion] for programs, and the browser's own for pages.
package direct
