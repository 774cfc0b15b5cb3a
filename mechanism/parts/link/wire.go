package link

import (
	"encoding/binary"

	"throng/mechanism"
	"throng/world/wire"
)

// The first byte of a frame.
const (
	headMode    = 0b0011 // a Mode, or that it is a receipt
	headOpening = 0b0100 // the message says where the link began; in a receipt: runs follow
	headFinal   = 0b1000 // the message extends to the end of the datagram
	headClass   = 4      // how far the class is shifted
)

// receipt marks a frame that acknowledges, where others have their mode.
const receipt Mode = 3

const (
	epochBits = 30 // numbers of an epoch
	numberMax = 1<<(32+epochBits) - 1
	headerMax = 32 // no frame's header is longer than this; datagrams are filled by this estimate
	runsMax   = 32 // stretches of numbers in a receipt
)

// frame is one part of a datagram.
type frame struct {
	mode    Mode
	class   mechanism.Class
	opening bool   // the sender does not know yet whether the receiver knows the link
	number  uint64 // in a receipt, the lowest number not received
	since   uint64 // how far the number is from the link's first, in an opening frame
	stamp   uint16
	payload []byte // in a receipt, the runs
}

// firstOf is the number that the first link of an epoch begins with.
func firstOf(epoch uint32) uint64 { return uint64(epoch) << epochBits }

// epoch is that of a message's sender.
func (f *frame) epoch() uint32 { return uint32(f.number >> epochBits) }

// append writes a message's frame.
func (f *frame) append(dst []byte, final, stamped bool) []byte {
	head := byte(f.mode) | byte(f.class)<<headClass
	if f.opening {
		head |= headOpening
	}
	if final {
		head |= headFinal
	}
	dst = append(dst, head)
	if f.mode != Unreliable {
		dst = wire.AppendUint(dst, f.number)
	}
	if f.opening {
		dst = wire.AppendUint(dst, f.since)
	}
	if stamped {
		dst = binary.LittleEndian.AppendUint16(dst, f.stamp)
	}
	if !final {
		return wire.AppendBytes(dst, f.payload)
	}
	return append(dst, f.payload...)
}

// readFrame reads a frame of any kind. The payload points into the datagram.
func readFrame(r *wire.Reader, stamped bool) frame {
	head := r.Byte()
	f := frame{
		mode:    Mode(head & headMode),
		class:   mechanism.Class(head >> headClass),
		opening: head&headOpening != 0,
	}
	final := head&headFinal != 0
	if f.mode == receipt {
		if f.class != 0 || final {
			r.Fail()
		}
		f.number = r.UintMax(numberMax)
		if f.opening {
			f.opening, f.payload = false, r.Bytes()
		}
		return f
	}
	if f.class >= mechanism.Classes || f.mode == Unreliable && f.opening {
		r.Fail()
	}
	if f.mode != Unreliable {
		f.number = r.UintMax(numberMax)
	}
	if f.opening {
		f.since = r.UintMax(min(f.number, windowSize-1))
	}
	if stamped {
		f.stamp = uint16(r.Byte()) | uint16(r.Byte())<<8
	}
	if final {
		f.payload = r.Rest()
	} else {
		f.payload = r.Bytes()
	}
	return f
}

// appendReceipt writes what a window has received. Where there are more runs than a receipt can hold, the highest go:
// what came last is nearly always among them, and of the others the sender has been told before.
func appendReceipt(dst []byte, w *window) []byte {
	var runs [runsMax]run
	n := 0
	for at := w.top; n < runsMax; n++ {
		from, to := w.runBelow(at)
		if from == to {
			break
		}
		runs[n] = run{from, to}
		at = from
	}
	if n == 0 {
		return wire.AppendUint(append(dst, byte(receipt)), w.next)
	}
	dst = wire.AppendUint(append(dst, byte(receipt)|headOpening), w.next)
	var text [runsMax * 4]byte // a number below 1,024 takes at most two bytes
	list, end := text[:0], w.next
	for n--; n >= 0; n-- {
		list = wire.AppendUint(list, runs[n].from-end-1)
		list = wire.AppendUint(list, runs[n].to-runs[n].from-1)
		end = runs[n].to
	}
	return wire.AppendBytes(dst, list)
}

// run is a stretch of numbers, without its end.
type run struct{ from, to uint64 }

// readRun reads the next run after one that ended at end. Between them is at least one number of which nothing is said.
func readRun(r *wire.Reader, end uint64) (from, to uint64) {
	from = end + 1 + r.UintMax(windowSize-1)
	return from, from + 1 + r.UintMax(windowSize-1)
}
