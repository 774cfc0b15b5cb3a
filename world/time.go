package world

import (
	"strconv"

	"throng/world/fixed"
)

// Time is a point in time, or a span, in nanoseconds. A world's time begins at zero.
type Time int64

// Spans of time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
	Minute           = 60 * Second
)

// Never is later than any time that comes.
const Never Time = 1<<63 - 1

// String writes the time in the largest unit that leaves no more than a fraction, such as "1.5s" or "20ms".
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	unit, name := Second, "s"
	switch abs := max(t, -t); {
	case abs <= 0 || abs >= Second: // the magnitude of the very first moment is itself negative
	case abs >= Millisecond:
		unit, name = Millisecond, "ms"
	case abs >= Microsecond:
		unit, name = Microsecond, "µs"
	default:
		unit, name = Nanosecond, "ns"
	}
	whole, rest := t/unit, t%unit
	text := strconv.FormatInt(int64(whole), 10)
	if t < 0 && whole == 0 {
		text = "-0"
	}
	if rest = max(rest, -rest); rest != 0 {
		digits := strconv.FormatInt(int64(unit+rest), 10)[1:]
		for digits[len(digits)-1] == '0' {
			digits = digits[:len(digits)-1]
		}
		text += "." + digits
	}
	return text + name
}

// Tick counts the steps that a world has taken since it began.
type Tick int64

// TicksIn is how many ticks of the given length it takes for span to have passed: rounded up, never negative.
func TicksIn(span, length Time) Tick {
	if span <= 0 {
		return 0
	}
	return Tick((span-1)/length + 1)
}

// Seconds is a span of time as a fixed-point number of seconds.
func Seconds(t Time) fixed.F {
	return fixed.Ratio(int64(t), int64(Second))
}
