// Package hostile has programs that do to a server what its worst visitors would: they come in over real sockets, ask for everything,
// say what makes no sense, say too much, say nothing, and come and go. Tests let them loose on a server with honest users in it,
// for some seconds in every check and for as long as one likes by make soak; the honest must not notice, and nothing may be left
// behind.
package hostile
