package latejoin

import (
	"fmt"

	"throng/world"
	"throng/world/wire"
)

// TicksMax is how many ticks a newcomer who knows the world should let pass in one call on its way to the present: more than
// a driver's patience allows is left to the next call.
const TicksMax = 256

// ReadState reads a state that world.State.Append wrote: of a world that began as start did, with as many users. What it
// accepts makes sense to the world's rules: users exist, and numbers are within their ranges.
func ReadState(r *wire.Reader, start *world.State, users world.User) (*world.State, error) {
	schema := start.Schema()
	s, err := world.Decode(schema, r)
	if err != nil {
		return nil, err
	}
	if s.Seed() != start.Seed() || s.Tick() < 0 {
		return nil, fmt.Errorf("%w: a state of another world", wire.ErrMalformed)
	}
	for o := range s.All() {
		if o.User > users {
			return nil, fmt.Errorf("%w: object %d is user %d's", wire.ErrMalformed, o.ID, o.User)
		}
		if err := schema.CheckObject(o); err != nil {
			return nil, fmt.Errorf("%w: %w", wire.ErrMalformed, err)
		}
	}
	return s, nil
}
