// Package input is how users' actions get to a server that tells clients what their users see, and how it answers them. Who is
// a member is package membership's business, what is told of objects package update's.
//
// A [Client] joins, and from then on sends inputs: a receipt for the updates that have arrived, and all of the user's actions
// that have not been answered, so that none gets lost. An input goes out with every action, and otherwise when something is
// owed.
//
// A [Member] is such a client as the server knows it. Actions are answered in the updates: each says up to which action all is
// done, and when the last was. Who sends an input without being a member is told so.
//
// A message is checked as a whole before any of it counts, and memory is bounded for each client.
package input
