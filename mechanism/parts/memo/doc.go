// Package memo lets replicas that are provably in the same state share the work of a step.
//
// Under lockstep every host computes the same thing. In life each has a processor of its own for that; in a simulation of
// four hundred hosts it is the same work four hundred times. A [Follower] is a replica that says what it does by bytes, the
// encoded input of a step, and how by a function of the state and these bytes alone. Followers that started from the same
// state and took the same inputs are in the same state; so where one has gone before, the others take over the result.
//
// Nothing is shared on trust: inputs are compared byte by byte, and states that meet again after a repair object by object.
// What a step costs is remembered with it and charged to everyone who takes it. So a run gives the same results with and
// without sharing; what differs is how long it takes.
//
// The states that followers are in, and those that they have left and others may still come to, form a tree whose edges are
// inputs. A state that nobody can reach any more is given back, as is the one left longest ago where there are too many. A
// follower can also stay behind ([Follower.Visit]), as a checkpoint to go back to.
//
// Without a pool nothing is kept for others, and a follower that nobody is beside works in place, as a replica of its own
// would: that is the case of every live process.
package memo
