package link

import (
	"fmt"
	"iter"

	"throng/mechanism"
	"throng/world/wire"
)

// Part is one part of a datagram, for those who look into it from outside: measures that tell the classes in a bundle
// apart, and transcripts.
type Part struct {
	Class   mechanism.Class // of the message, or Receipt
	Payload []byte          // the message; none in a receipt
	frame   frame
}

// Parts runs through a datagram that nodes with this configuration exchange. It stops at what cannot be read.
func Parts(cfg Config, datagram []byte) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		r := wire.NewReader(datagram)
		for r.Len() > 0 {
			f := readFrame(&r, cfg.ReceptionDelay > 0)
			if r.Failed() {
				return
			}
			p := Part{Class: f.class, Payload: f.payload, frame: f}
			if f.mode == receipt {
				p.Class, p.Payload = mechanism.Receipt, nil
			}
			if !yield(p) {
				return
			}
		}
	}
}

// String says what the link has to do with the part, such as "ordered #7" or "have all below #5 and #7".
func (p Part) String() string {
	f := &p.frame
	switch f.mode {
	case Unreliable:
		return "unreliable"
	case receipt:
		text := "have all below " + name(f.number)
		for runs, end := wire.NewReader(f.payload), f.number; runs.Len() > 0 && !runs.Failed(); {
			var from uint64
			from, end = readRun(&runs, end)
			if text += " and " + name(from); end-1 > from {
				text += "-" + name(end - 1)[1:]
			}
		}
		return text
	}
	text := "reliable"
	if f.mode == Ordered {
		text = "ordered"
	}
	text += " " + name(f.number)
	if f.opening {
		text += " of a link from " + name(f.number-f.since)
	}
	return text
}

// name writes a number, such as "#7", or "#2:7" in an epoch that is not the first.
func name(number uint64) string {
	if epoch := number >> epochBits; epoch > 0 {
		return fmt.Sprintf("#%d:%d", epoch, number-epoch<<epochBits)
	}
	return fmt.Sprintf("#%d", number)
}
