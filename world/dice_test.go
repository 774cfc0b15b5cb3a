package world

import "testing"

// TestDiceOfOnesOwn: a replica with dice of its own draws otherwise than those that have theirs in common, and so do its copies;
// what is copied back, or comes over the wire, has the dice of where it is from.
func TestDiceOfOnesOwn(t *testing.T) {
	draw := func(s *State) uint64 {
		r := NewWindow(s).Random(1, 0)
		return r.Uint64()
	}
	common := NewState(testSchema, 7)
	mine, yours := common.Clone(), common.Clone()
	mine.SetDice(1)
	yours.SetDice(2)
	if draw(mine) == draw(common) || draw(yours) == draw(common) || draw(mine) == draw(yours) {
		t.Error("different dice draw alike")
	}
	if draw(mine.Clone()) != draw(mine) || draw(mine.Detach()) != draw(mine) {
		t.Error("a copy draws otherwise")
	}
	if mine.Hash() != common.Hash() {
		t.Error("dice are no part of what the world looks like")
	}
	mine.CopyFrom(common)
	if mine.Dice() != 0 || draw(mine) != draw(common) {
		t.Error("it has kept its dice")
	}
}
