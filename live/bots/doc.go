// Package bots joins a running server with artificial users over real sockets, as many as wanted from one process, and
// measures what they get.
//
// Each user is a client like any other: it asks for a seat, opens a WebSocket, builds the session from the server's
// description, and its node is driven as a browser drives it. Users act once a tick, as the world's artificial players do,
// each at a moment of its own within the tick.
//
// # Whole and light clients
//
// A whole client, with its view and its prediction, costs more than the server spends on it. Of large crowds therefore only a
// few have one, and measure; the others are light where the mechanism has such a client (see [mechanism.Lightening]): they send what a whole
// client would send and acknowledge what comes, but keep no view. Their players act by a sketch of the world instead, which
// all light users of a worker share: it begins as the server's world began, and knows of nothing but their own actions.
//
// Where there is no light client everybody has a whole one. Those of one worker that simulate the same part of the world, and
// are provably in the same state, share the work of it (package memo): one process then does what many machines would do
// each. What they say to servers is the same.
//
// # What is measured
//
// The observation delay is the time from a user's action to the moment when another has received its effect. Users and
// observers are in one process and have one clock. An action that a later one of the same user has overtaken before anything
// was sent has no effect that could be received: how many there are is told, and what it does to what people see is measured as
// the age of what is shown. That another's action has taken effect is what nodes report as
// [mechanism.Applied], or where they are sent states follows from how fresh another's object has become ([mechanism.Shown]); under a
// mechanism whose nodes report neither the delay stays unknown.
//
// The response is the time from a user's action to the moment when it stands for good in the user's own view. The connection can
// be made worse than it is, by a [Shaper].
//
// How well others are shown is measured against where they are by their own account: what the owner's client shows,
// which for a light one is the sketch. Among users who entered the world after it began, whom the sketch places elsewhere
// than the server, only those with whole clients are looked at.
package bots
