// Package pong is the oldest of networked games: two rackets and a ball that gets faster.
//
// The first user's racket guards the left line, the second's the right one. A racket has three zones: its middle third
// reflects the ball, the outer thirds turn it towards their side. Every stroke makes the ball 5% faster. A ball that gets
// past a racket is a point for the opponent and is tossed in again from the middle. A user sets where the racket should
// go; it gets there at its own pace.
//
// The better users are shown where the ball is, the fewer points are made: that is what makes the game a measure of how
// well it is shared. The ball is answered for by the user it flies away from, so never by the one who tries to catch it;
// each user's points are counted by the opponent. The ball itself carries how often it got past whom. So whoever answers
// for it decides about points, and the score follows without having had to see the moment.
//
// Lengths are in pixels. All arithmetic is in integers, and the moment at which the ball crosses a racket's line is found
// exactly, so that no ball is too fast to be caught.
package pong
