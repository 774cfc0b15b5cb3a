package record

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Action is what a user did, when, and on which node.
type Action struct {
	Time   world.Time // by the run's clock, which the node's own may differ from
	Node   mechanism.NodeID
	Action world.Action
}

// appendTaken appends an action to a list in which the one before it was taken at time last.
func appendTaken(dst []byte, a *Action, last world.Time) []byte {
	dst = wire.AppendUint(dst, uint64(a.Time-last))
	dst = wire.AppendUint(dst, uint64(a.Node))
	return world.AppendAction(dst, &a.Action)
}

// readTaken appends to dst the actions of a list, whose times must lie after one bound and not beyond another. It reports
// whether the list is sound.
func readTaken(dst []Action, list []byte, schema *world.Schema, after, until world.Time) ([]Action, bool) {
	r := wire.NewReader(list)
	var last world.Time
	for r.Len() > 0 {
		last += world.Time(r.UintMax(uint64(world.Never - last)))
		a := Action{Time: last, Node: mechanism.NodeID(r.UintMax(1<<32 - 1)), Action: world.ReadAction(&r)}
		if r.Failed() || a.Time <= after || a.Time > until || schema.CheckAction(&a.Action) != nil {
			return dst, false
		}
		dst = append(dst, a)
	}
	return dst, !r.Failed()
}
