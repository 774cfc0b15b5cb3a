// Package image writes down a value with everything that it refers to, and makes another value of the same make be exactly like
// it: a node of a mechanism is saved, and a node that was built in the same way goes on from there, byte for byte.
//
// Nodes are pure state machines: what they will do is decided by their memory and nothing else. So their memory is what is
// saved, as it lies there, whatever its types are. No mechanism has to know how to write itself, none can forget a field, and
// one that somebody brings along can be saved like all the others.
//
// # How
//
// [Append] finds all memory that can be reached from a value, each piece once, however many refer to it: variables behind
// pointers and the arrays behind slices, with pointers into the midst of either. Numbers are written as they lie in memory;
// pointers become the number of a piece and an offset. [Load] is handed a value that was made in the same way as the saved one
// was, by the same constructor with the same arguments, and puts the saved memory in its place. Where the fresh value already
// has a variable of the right type behind a pointer, and no root has it too, that variable is used, so that whatever else refers to
// it stays right: above all functions, which cannot be written down. A function in a fresh value stays what it is; one in a variable that has
// to be made anew is made by that variable itself ([Rebinder]), else it is an error.
//
// What is not part of the value but shared with its surroundings, such as the rules of the world, is named by the caller: the
// roots. A pointer to a root is written as which root it is.
//
// # Limits
//
// An image can be loaded by a program in which all types that occur are laid out as in the one that saved it; it carries a sum of
// their layout, and Load refuses others by name. Channels, and functions that keep
// variables of their own, are no part of a pure value; the former are refused, the latter cannot be seen, and a test that
// saves, loads and goes on with both finds them.
package image
