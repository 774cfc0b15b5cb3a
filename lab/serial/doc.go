// Package serial checks the promise of mechanisms that put all actions into one order: that whatever anybody ever held for
// certain follows from that order, as if one machine had carried out the actions one after the other.
//
// It does what such a machine would do. An [Order] is told what stands at each position, carries it out in a world of its
// own by the plainest means there are, and compares with that world every object that any node takes to be so after some
// position. Nothing a node says is believed, and no code is shared with the nodes.
//
// # How to use it
//
// A node that can be checked implements [mechanism.Ordered]: it tells a witness what it places (a server that orders), what
// it voids, and what it holds (clients, and the server where it keeps values). In a run of package sim, [Watch] attaches an
// order to all such nodes; in a test that drives nodes by hand, make one with New, hand each node what Witness returns
// for it before its first Wake, and call Gone for a node that crashes. At the end Verdict says what the first contradiction
// was, and Violations how many there were.
//
//	order := serial.New(world, session.Start)
//	for id := range nodes {
//		nodes[id].(mechanism.Ordered).Testify(order.Witness(id))
//	}
//	...
//	if err := order.Verdict(); err != nil {
//		t.Error(err)
//	}
//
// # What counts as a contradiction
//
// An object held after a position differs from what it is there in the order, or exists in one of the two only. A node that
// has crashed is excused what it held of entries that were voided since, and of whatever stands after the first of these:
// they were lost with it, and nobody else ever knew of them. Nobody else is.
package serial
