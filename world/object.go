package world

import "throng/world/fixed"

// ID names an object for as long as it exists. Zero names none.
type ID uint64

// User names somebody who acts in the world. Users count from one; zero is nobody.
type User uint32

// KindID is a kind's place in its schema.
type KindID uint16

// MaxAttributes is how many attributes an object may have besides its motion.
const MaxAttributes = 8

// Object is one thing in the world: a plain value without pointers, 128 bytes.
//
// Every object can have a place and a velocity, since nearly all do and much that shares a world needs to know: interest,
// dead reckoning, areas. What else it has are the attributes that its kind names. Which of the slots below a kind really
// uses is said by its variables.
type Object struct {
	ID   ID
	User User // whom it belongs to, if anybody
	Kind KindID
	Pos  fixed.Vec // where it is
	Vel  fixed.Vec // how far it moves per second
	Attr [MaxAttributes]int64
}

// Slot numbers an object's numbers alike, whatever they mean, for code that compares, sends or measures them.
type Slot uint8

// The slots of an object. The attributes follow: AttrSlot(0), AttrSlot(1), ...
const (
	SlotX Slot = iota
	SlotY
	SlotZ
	SlotVX
	SlotVY
	SlotVZ
	slotAttr
	slotCount = slotAttr + MaxAttributes
)

// AttrSlot is the slot of Attr[i].
func AttrSlot(i int) Slot { return slotAttr + Slot(i) }

// Get reads a slot.
func (o *Object) Get(s Slot) int64 {
	switch s {
	case SlotX:
		return int64(o.Pos.X)
	case SlotY:
		return int64(o.Pos.Y)
	case SlotZ:
		return int64(o.Pos.Z)
	case SlotVX:
		return int64(o.Vel.X)
	case SlotVY:
		return int64(o.Vel.Y)
	case SlotVZ:
		return int64(o.Vel.Z)
	}
	return o.Attr[s-slotAttr]
}

// Set writes a slot.
func (o *Object) Set(s Slot, v int64) {
	switch s {
	case SlotX:
		o.Pos.X = fixed.F(v)
	case SlotY:
		o.Pos.Y = fixed.F(v)
	case SlotZ:
		o.Pos.Z = fixed.F(v)
	case SlotVX:
		o.Vel.X = fixed.F(v)
	case SlotVY:
		o.Vel.Y = fixed.F(v)
	case SlotVZ:
		o.Vel.Z = fixed.F(v)
	default:
		o.Attr[s-slotAttr] = v
	}
}

// Fixed reads an attribute that holds a fixed-point number.
func (o *Object) Fixed(i int) fixed.F { return fixed.F(o.Attr[i]) }

// SetFixed writes an attribute that holds a fixed-point number.
func (o *Object) SetFixed(i int, v fixed.F) { o.Attr[i] = int64(v) }
