// Package thin is the protocol for programs that run no node of their own: a few lines in any language take part in any world,
// under any mechanism. docs/protocol.md describes it for those who write such a program.
//
// The user's node runs on the server's side of the connection, as artificial players' do. What it sees is told as it changes: objects that
// come into view, the values that differ from what was told last, objects that go ([Stream]). What the program wants is asked for by
// names and in natural units ([Request]); the world's schema, which is told at the beginning, says which there are ([Catalogue]).
//
// Messages are maps, in JSON or in MessagePack ([Format]); both say the same. A program that takes what it is told too slowly is told
// less often, and still has everything right when it hears of it: nothing is ever queued that a later message would say again.
//
// [User] is all of that for one connection. It knows neither sockets nor seats: package gateway has those.
package thin

// Version is the version of the protocol. It grows when a program that keeps to docs/protocol.md would notice.
const Version = 2

// Understood reports whether a program of a version is understood. MessagePack has views as arrays since version 2; JSON is as it was.
func Understood(version int64, f Format) bool {
	return version == Version || version == 1 && f == JSON
}
