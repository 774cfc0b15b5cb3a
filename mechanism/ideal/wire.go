package ideal

import (
	"throng/world"
	"throng/world/wire"
)

// appendCommand appends the only message there is: an action and the tick in which it happened.
func appendCommand(dst []byte, tick world.Tick, a *world.Action) []byte {
	dst = wire.AppendUint(dst, uint64(tick))
	return world.AppendAction(dst, a)
}

func readCommand(payload []byte) (world.Tick, world.Action, error) {
	r := wire.NewReader(payload)
	tick := world.Tick(r.UintMax(1 << 40)) // 1,700 years of 50 ms
	a := world.ReadAction(&r)
	return tick, a, r.Done()
}
