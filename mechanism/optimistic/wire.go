package optimistic

import (
	"throng/world"
	"throng/world/wire"
)

// The only message is an action and the tick in which it takes effect.

const tickMax = 1 << 62

func appendInput(dst []byte, t world.Tick, a *world.Action) []byte {
	dst = wire.AppendUint(dst, uint64(t))
	return world.AppendAction(dst, a)
}

func readInput(message []byte) (t world.Tick, a world.Action, err error) {
	r := wire.NewReader(message)
	t = world.Tick(r.UintMax(tickMax))
	a = world.ReadAction(&r)
	return t, a, r.Done()
}
