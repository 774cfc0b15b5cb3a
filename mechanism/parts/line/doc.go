// Package line is the talk between a client and a server that tells it what its user sees: joining and leaving, users'
// actions, receipts and answers. What is told of objects is package update's business.
//
// A [Line] is the client's end. It joins, and says so again until it is heard. From then on it sends inputs: a receipt for
// the updates that have arrived, and all of the user's actions that have not been answered, so that none gets lost. An input
// goes out with every action, and otherwise when something is owed. A client that leaves says so; one that is not heard of
// for a while has left, as has a server: then the client begins a new life.
//
// A [Member] is the server's end: what it knows of one client. Actions are answered in the updates: each says up to which
// action all is done, and when the last was. Messages name the life that they belong to, so that those of an earlier one
// are recognised.
//
// A message is checked as a whole before any of it counts, and memory is bounded for each client.
package line
