package fixed

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

var (
	errSyntax = errors.New("not a decimal number")
	errRange  = errors.New("out of range")
)

// Parse reads a decimal number: an optional minus sign, digits, and optionally a point followed by digits. However
// many digits there are, the result is the number nearest to the exact decimal value.
func Parse(s string) (F, error) {
	whole, fraction, pointed := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if !allDigits(whole) || pointed && !allDigits(fraction) {
		return 0, fmt.Errorf("parse %q: %w", s, errSyntax)
	}
	n, err := strconv.ParseUint(whole, 10, 64)
	if err != nil || n > 1<<(63-Shift) {
		return 0, fmt.Errorf("parse %q: %w", s, errRange)
	}
	magnitude := n<<Shift + parseFraction(fraction)
	var sign F
	if s[0] == '-' {
		sign = -1
	}
	if magnitude > saturated(sign).magnitude() {
		return 0, fmt.Errorf("parse %q: %w", s, errRange)
	}
	return signed(magnitude, sign), nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// parseFraction returns the digits after a decimal point in units of an F, rounded.
//
// From the last digit to the first it computes ⌊(digit + rest)/10⌋ in half units. Taking the floor at each step
// loses nothing: ⌊(n+⌊y⌋)/m⌋ = ⌊(n+y)/m⌋ for integers n and m. So the half units are exact and one rounding is left.
func parseFraction(digits string) uint64 {
	var halves uint64
	for i := len(digits) - 1; i >= 0; i-- {
		halves = (uint64(digits[i]-'0')<<(Shift+1) + halves) / 10
	}
	return (halves + 1) / 2
}

// String returns the shortest decimal that Parse turns back into a; of several, the one nearest to a.
func (a F) String() string {
	var buf [24]byte
	out := buf[:0]
	if a < 0 {
		out = append(out, '-')
	}
	magnitude := a.magnitude()
	out = strconv.AppendUint(out, magnitude>>Shift, 10)
	if fraction := magnitude & uint64(One-1); fraction != 0 {
		out = appendFraction(append(out, '.'), fraction)
	}
	return string(out)
}

// appendFraction appends the shortest digits that parseFraction turns back into fraction. Eight always suffice,
// because 10⁸ > 2²⁴.
func appendFraction(out []byte, fraction uint64) []byte {
	for power := uint64(10); ; power *= 10 {
		digits := (fraction*power + half) >> Shift
		if (digits<<(Shift+1)/power+1)/2 != fraction {
			continue
		}
		for power /= 10; power > 0; power /= 10 {
			out = append(out, byte('0'+digits/power%10))
		}
		return out
	}
}
