package rts

import (
	"throng/world"
	"throng/world/fixed"
)

// describe says what the playable game is made of. Users look at where everything is, then at what it does and how well it is.
func (r *realm) describe() world.Schema {
	bounds := r.bounds()
	s := world.Schema{Name: "rts", Tick: r.Tick, Bounds: bounds, Kinds: make([]world.Kind, kinds), Verbs: verbs(bounds)}
	for k := range sorts {
		s.Kinds[k] = world.Kind{Name: sorts[k].name, Variables: r.variables(world.KindID(k), bounds), Radius: sorts[k].radius, Threshold: threshold}
	}
	return s
}

func (r *realm) variables(k world.KindID, bounds fixed.Box) []world.Variable {
	if k == kindField {
		return append(world.Placed(bounds, 0, 0), number("sort", attrSort, 0, wood), number("left", attrLeft, 0, leftMost))
	}
	var vars []world.Variable
	if sorts[k].walks() {
		vars = walker(bounds, r.gaits[k].speed)
	} else {
		vars = world.Placed(bounds, 0, 0)
	}
	health := number("health", attrHealth, 0, sorts[k].health)
	health.Weight = 2
	vars = append(vars, health)
	switch {
	case k == kindCart:
		vars = append(vars, number("becomes", attrOrder, 0, int64(kindTower)))
	case sorts[k].walks():
		order := number("order", attrOrder, 0, orders-1)
		order.Weight = 1
		target := reference("target", attrTarget)
		if k == kindWorker {
			target = number("field", attrTarget, 0, maxSpot)
		}
		vars = append(vars, order, target, moment("ready", attrReady))
	case k == kindTower:
		vars = append(vars, reference("target", attrTarget), moment("ready", attrReady))
	default:
		vars = append(vars, number("job", attrJob, 0, int64(kinds)-1), moment("ready", attrReady))
	}
	switch k {
	case kindWorker:
		vars = append(vars, number("home", attrHome, 0, maxSpot), number("load", attrLoad, -loadMost, loadMost))
	case kindHall:
		vars = append(vars, number("ore", attrOre, 0, stockMost), number("wood", attrWood, 0, stockMost),
			number("gives", attrGives, -loadMost, loadMost), number("price", attrPrice, 0, loadMost))
	}
	return vars
}

func verbs(bounds fixed.Box) []world.Verb {
	kind := func(least, most world.KindID) world.Variable {
		return world.Variable{Name: "kind", Slot: 0, Min: int64(least), Max: int64(most)}
	}
	other := func(name string) world.Variable { return world.Variable{Name: name, Slot: 0, Type: world.Reference} }
	return []world.Verb{
		Go:     {Name: "go", Args: place(bounds, "", 0)},
		Gather: {Name: "gather", Args: append(place(bounds, "field-", 0), place(bounds, "base-", 2)...)},
		Build:  {Name: "build", Args: append(place(bounds, "", 1), kind(kindHall, kindTower))},
		Train:  {Name: "train", Args: []world.Variable{kind(kindWorker, kinds-1)}},
		Attack: {Name: "attack", Args: append(place(bounds, "", 1), other("enemy"))},
		March:  {Name: "march", Args: place(bounds, "", 0)},
		Offer: {Name: "offer", Args: []world.Variable{
			{Name: "gives", Slot: 0, Min: -loadMost, Max: loadMost},
			{Name: "price", Slot: 1, Max: loadMost},
		}},
		Trade: {Name: "trade", Args: []world.Variable{other("base")}},
		Stop:  {Name: "stop"},
	}
}

func number(name string, attr int, least, most int64) world.Variable {
	return world.Variable{Name: name, Slot: world.AttrSlot(attr), Min: least, Max: most}
}

func reference(name string, attr int) world.Variable {
	return world.Variable{Name: name, Slot: world.AttrSlot(attr), Type: world.Reference}
}

func moment(name string, attr int) world.Variable {
	return world.Variable{Name: name, Slot: world.AttrSlot(attr), Type: world.Moment, Max: maxTick}
}
