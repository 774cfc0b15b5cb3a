// Package ideal keeps every variable equal on every host at all times: the bound that other mechanisms are measured
// against.
//
// Users' actions are broadcast as they happen and carried out everywhere in the tick in which they happened, in one order
// that does not depend on how they arrive. A host keeps the state at the beginning of the tick; when an action arrives that
// belongs before others already carried out, it goes back to that state and carries all of them out again. The world
// itself is advanced by its rules, which are deterministic.
//
//	guarantees  all views are equal, to the bit, once the messages of an instant are delivered
//	delay       none: actions show at once, everywhere
//	bytes       one small message per action and peer
//	cpu         one step of the world per tick, and a repetition of the tick's actions for each that comes out of order
//	fails when  a message takes any time or is lost: what comes after its tick is not used
//	client dies its user does nothing more and stays; nobody can come back
//	server dies there is none
//
// The source (Adam, IV.3) defines this by a network without delay and loss, and so do we: the mechanism says of itself that
// it is idealised, and the laboratory gives it such a network.
package ideal
