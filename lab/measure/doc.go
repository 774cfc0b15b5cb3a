// Package measure says what a run cost and how wrong it got, on one scale for every mechanism and world.
//
// A [Probe] is an observer of package sim that condenses what it saw into named figures. All lists the probes that throng
// has; a program can add its own (see examples). The figures and their units:
//
//   - divergence: how far the hosts' views are apart. For each variable the standard deviation over the hosts that hold
//     it, relative to its natural range; then the mean over all variables by weight, and over all ticks.
//   - discontinuity: how much views jump. Each frame of a view is compared with what the one before would have become by itself,
//     by the actions that have newly taken effect and one tick of the rules: the squares of the differences, relative to the
//     variables' ranges; the mean by weight over variables, over ticks and hosts.
//   - drift: how far the views are from the truth, a copy of the world to which every action is applied at the moment it
//     is taken: the mean difference by weight, relative to the variables' ranges (drift), and in space (distance).
//   - displacement: how far avatars are from where they would be if nobody had divided the world and the same actions were
//     carried out in the same ticks: what partitioning alone does, whatever the delay.
//   - response, observation: from a user's action to its effect in the user's own view, and in others' views.
//   - packets, bytes, work, memory: what hosts send, receive, compute and hold.
//   - load: what links with a bandwidth are given over what they carry, of the host that has most.
//   - packets, bytes, items, simulated, stall, ticks, work, memory with server or client at the end, as in bytes.sent.server.update: of
//     all servers together where it is about traffic, and of one host of that side on average where it is about anything else.
//     With .each behind it: of one server on average, of those that decide about part of the world where there are such; with
//     .all: of all hosts of that side together; with .most: of the one that has most. Who has a user is a client, whoever
//     has none is a server, whatever a mechanism calls them.
//   - promotions, demotions, handovers: how areas change hands, where the world is divided.
//   - collisions: how often objects come to touch in the truth, and how often a border would part them.
//   - drops: the share of actions that were dropped, over all users (drops), of the user worst off (drops.max), and the
//     standard deviation of users' shares (drops.spread): how fair it is.
//   - closure: how many actions had to be gathered for one, with those it depends on. reconciled, reexecutions: how often an
//     optimistic result was wrong, and how many actions were carried out again for it, both per action taken.
//   - violations: the share of objects held for certain that contradict the one order of actions, of all that were held: with
//     actions that see what they said they would, and (violations.whole) all of the world, as under ring and broadcast.
//   - score: how well the users did, by the world's own count.
//
// Floating-point products that feed a sum are converted explicitly throughout, which keeps the compiler from fusing the
// two on processors that could: the same seed gives the same digits everywhere.
package measure
