package crowd

import (
	"throng/world"
	"throng/world/fixed"
)

const (
	bodyRadius = 3 * metre / 10
	threshold  = metre / 2 // how far a walker may be misplaced before a user minds
	looks      = 1 << 16
	maxErrands = 1 << 30
)

// describe says what the world is made of. What users look at is where everybody is, then where they are heading, then
// what goes on at the squares. The rest serves the rules, or sums up the past: a mistake made once would count against a
// replica for ever.
func describe(c Config, bounds fixed.Box) world.Schema {
	speed, side := c.Speed.MulInt(100).Floor(), bounds.Max.X.MulInt(100).Floor()
	return world.Schema{
		Name:   "crowd",
		Tick:   c.Tick,
		Bounds: bounds,
		Kinds: []world.Kind{
			kindWalker: {Name: "walker", Variables: walkerVariables(c, bounds), Radius: bodyRadius, Threshold: threshold},
			kindPlace:  {Name: "place", Variables: placeVariables(bounds), Threshold: threshold},
			kindShout:  {Name: "shout", Variables: shoutVariables(bounds), Radius: c.Earshot, Threshold: threshold},
		},
		Verbs: []world.Verb{
			Walk: {Name: "walk", Args: []world.Variable{
				{Name: "vx", Slot: 0, Min: -speed, Max: speed, Unit: "cm/s"},
				{Name: "vy", Slot: 1, Min: -speed, Max: speed, Unit: "cm/s"},
			}},
			Goto: {Name: "goto", Args: []world.Variable{
				{Name: "x", Slot: 0, Max: side, Unit: "cm"},
				{Name: "y", Slot: 1, Max: side, Unit: "cm"},
			}},
			Shout: {Name: "shout", Args: words(0)},
		},
	}
}

func walkerVariables(c Config, bounds fixed.Box) []world.Variable {
	// What changes with every step comes first: the mask of an update then takes one byte.
	vars := append(world.Placed(bounds, 10, metre/32), world.Moving(bounds, c.Speed, 3, metre/128)...)
	return append(vars,
		world.Variable{Name: "doing", Slot: world.AttrSlot(attrDoing), Max: running, Weight: 1},
		world.Variable{Name: "faces", Slot: world.AttrSlot(attrFaces), Type: world.Angle, Max: 1<<32 - 1, Quantum: 1 << 26},
		moment("arrives", attrArrives),
		distance("goal-x", attrGoalX, bounds.Max.X, metre/32),
		distance("goal-y", attrGoalY, bounds.Max.Y, metre/32),
		world.Variable{Name: "look", Slot: world.AttrSlot(attrLook), Max: looks - 1},
		moment("quiet", attrQuiet),
		world.Variable{Name: "errands", Slot: world.AttrSlot(attrErrands), Max: maxErrands},
	)
}

func placeVariables(bounds fixed.Box) []world.Variable {
	return append(world.Placed(bounds, 0, 0),
		world.Variable{Name: "sort", Slot: world.AttrSlot(attrSort), Max: square},
		distance("width", attrWidth, pitch, 0),
		distance("depth", attrDepth, pitch, 0),
		world.Variable{Name: "event", Slot: world.AttrSlot(attrEvent), Max: events - 1, Weight: 3},
		moment("changes", attrChanges),
	)
}

func shoutVariables(bounds fixed.Box) []world.Variable {
	vars := append(world.Placed(bounds, 1, metre/32), words(world.AttrSlot(0))...)
	return append(vars, moment("fades", attrFades))
}

func moment(name string, attr int) world.Variable {
	return world.Variable{Name: name, Slot: world.AttrSlot(attr), Type: world.Moment, Max: maxTick}
}

func distance(name string, attr int, max, quantum fixed.F) world.Variable {
	return world.Variable{Name: name, Slot: world.AttrSlot(attr), Type: world.Fixed, Max: int64(max), Quantum: int64(quantum), Unit: "m"}
}
