// Package optimistic shares a world by sending nothing but what users do, and mends the past when news of it comes late.
//
// Every node runs the whole world by itself. An action is stamped with the tick in which it takes effect, carried out on
// the user's own node, and sent to all others. What follows from it everybody computes alike, so that no state ever
// travels. An action that arrives after its tick has passed is put into its place in the history; the world is rolled
// back to a state before that tick and computed again, this time with it. Within a tick actions are carried out in one
// order everywhere (by user, then as the user took them), so that all nodes that know of the same actions hold the same
// world to the bit.
//
// Three delays trade quickness for smoothness. Local lag lets own actions take effect a little later, on all nodes at the
// same tick, so that news of them arrives in time; players can be told ([mechanism.Lagging]) and plan ahead. Reception
// delay and batching are the link's; see package link.
//
//	guarantees  all nodes hold the same world once they have the same actions; every action takes effect once,
//	            everywhere at the same tick, unless it arrives later than the history reaches back
//	delay       own actions: the local lag, or none; others': the network's delay, with what happened in between redone
//	bytes       per action and other node 10 to 20 bytes and a receipt of 2 to 4; nothing while nobody acts
//	cpu         one step per tick, and where late actions came, at most one roll-back per tick: about 1.6 times as many
//	            steps as the latest of them was late, at eight checkpoints
//	fails when  an action is later than the history: nodes differ from then on, without noticing
//	client dies its user does nothing more and stays; an action that only some had heard of leaves views different until it returns
//	            and learns the world, with that action, from the others
//	server dies there is none; where all nodes die the world begins again
//
// # Joining a run under way
//
// A newcomer asks another node for its oldest checkpoint and all actions since (package latejoin), and steps from there to
// the present; so it can roll back as far as the others. Until it is there its user's actions are refused. What the
// snapshot did not have, and what the newcomer's predecessor in the same place left half done, is settled between the
// newcomer and each of the others:
//
//	newcomer                                   other
//	   │ my epoch; what I have of my user's      │
//	   │ actions and of yours ─────────────────▶ │ forgets the link to the predecessor
//	   │ ◀── actions of the two that you lack ── │
//	   │ ◀────── my epoch; what I have of them ─ │
//	   │ ── actions of the two that you lack ──▶ │
//
// An action is named by its user, the epoch of the user's node, and its number, since each holder of a place counts from one.
// Every node answers for its user's actions, those of its predecessors included: the newcomer passes on what it hears of
// them, so that an action which only some had heard of before its node was gone becomes everybody's, or, if none of them is
// left, nobody's. From the moment at which a node meets the newcomer it takes nothing more that the predecessor sent. The
// epoch takes no room in messages: it shows in the link's numbers, which of a later holder are four bytes longer. Runs in
// which nobody joins are the same to the byte as if nobody could.
//
// This rests on all being done within the history, and on somebody being left who knows the world; else it begins again. It
// trusts: a guide may lie about the world, a node about what the newcomer's predecessor did, and one that claims a false epoch
// keeps those who come after it out.
//
// # The source, and where this departs from it
//
// The mechanism is the optimistic consistency of Adam (chapter IV.2): reliable messages with selective repeat and a fixed
// time-out, local lag, reception delay, batching, and roll-back by trailing states (eight of them, ever sparser, up to 25
// seconds back).
//
// There, a trailing state is a second world that is executed behind the first by a fixed distance: every tick costs nine
// steps even if nothing is late. Here, it is a checkpoint: a replica that stayed behind, which shares with its neighbours
// all objects in which they agree and is never executed. The checkpoints are thinned so that as many of them as there were
// trailing states span the same history with the same growing gaps. Upkeep costs a copy per tick instead of eight steps;
// a roll-back reaches as far and costs as many steps.
//
// A late action is not mended when it arrives but when somebody looks: at the next tick, action or view. However many late
// actions come between two ticks, they cost one roll-back, to the earliest of them. So N nodes of which each hears from
// all others cost N² in all, not N³.
//
// Actions too late to be mended are reported ([mechanism.Late]) and lost. The source does not say what becomes of them.
package optimistic
