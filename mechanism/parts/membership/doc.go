// Package membership is who takes part, at both ends: how a client gets to be a member of its server, how both notice that
// the other is gone, and how a client leaves.
//
// A [Presence] is the client's end, [Members] is the server's. Neither sends anything nor reads a clock: a presence says
// what is due to be said, members judge what was. How it is put into bytes and carried is the mechanism's business, but for
// the [Identity] that every message about membership names.
//
// # A client's life
//
// A client begins a life, prepares for it if it must (by fetching a snapshot, say), and asks to be let in, again and again
// until it is. From then on it is a member, until it leaves, or until one of the two loses the other: the server takes a
// client for gone that it has not heard of for longer than its patience, and tells it so if it turns up after all; the
// client takes itself for lost when the server is silent for as long, or says that it does not know it. Then it begins its
// next life.
//
//	        Begin             Ask              Enter             Leave            Unknown
//	idle ──────────▶ preparing ────▶ joining ────────▶ member ────────▶ leaving ──────────▶ gone
//	                      ▲             │  Lost           │ Lost            │ said often enough ▲
//	                      └─────────────┴─────────────────┘                 └───────────────────┘
//
// # Lives do not get mixed up
//
// A place has one holder after the other, told apart by the session's epoch, and a holder has one life after the other. What
// is still under way from an earlier life must neither bring it back nor end a later one: a server follows an identity only
// to a later one, also for a while after a member has left, and a farewell ends the life that it names and earlier ones.
//
// # What it costs
//
// Members are found by node or by user in constant time, and taken in and out in constant time. One who has left costs 40
// bytes for as long as messages from before may turn up, and nothing afterwards.
package membership
