// Package protocol is the language between a client, such as a browser or a bot, and the gateway.
//
// Everything is a frame: one byte that says what it is, and a body. A WebSocket's binary message holds one frame. Over
// WebTransport data frames are datagrams; those that are too large for one, and all other frames, travel on one bidirectional
// stream, each with its length before it ([AppendLength], [Splitter]).
//
//	client                               server
//	Hello{version, fresh, token}   ──▶
//	                               ◀──   Welcome{node, user, epoch, time, tick, description}
//	Ping{time}                     ──▶
//	                               ◀──   Pong{the client's time, the server's}
//	Data{to, class, payload; …}    ──▶
//	                               ◀──   Data{from, class, payload; …}
//	                               ◀──   Notice{text}, when operators have something to say
//	Bye                            ──▶   or:  ◀──  Goodbye{reason}
//
// Data frames hold any number of datagrams of the mechanism, one after the other without a count, so that a datagram encoded
// once can be copied behind any others ([AppendItem]). Those that overtake the welcome are dropped by the client.
//
// Writing is appending to a caller's buffer and reading points into the frame: neither allocates. A frame that cannot be
// read is an error, never a panic.
//
// The package also holds [Offset], by which a client knows the server's time.
package protocol
