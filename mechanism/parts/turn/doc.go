// Package turn is what mechanisms have in common that carry actions out in turns.
//
// A turn is a few ticks long. What users do in one turn is gathered, put into an order and carried out everywhere before
// the first tick of a later one. Who orders needs to know that nobody will add to a turn any more: everybody says so when
// they are done with it (their turn-advance). The delay between the turn of an action and that of its effect is what hides
// the way to the one who orders and back.
//
//	                turn 3       turn 4       turn 5       turn 6
//	client     acts ──────┐                   ┌── effect            an action of turn 3 with a delay of two turns
//	                      │ done with 3       │
//	server                └──▶ order ─────────┘                     has a whole turn for the way there and back
//
// The parts are: the arithmetic of turns and ticks ([Pace]), the ordered actions of a turn as bytes ([Batch]), who is done
// with which turn ([Advances]), fingerprints of the world by turn ([Hashes]), how far away others are ([Latency]) and how long
// delays have to be for that ([Delay], [Fair], [Between]), and in what replicas differ that must not ([Compare]).
//
// All of it is small and pure; who sends what to whom is for the mechanisms.
package turn
