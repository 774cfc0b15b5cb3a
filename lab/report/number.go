package report

import (
	"math"
	"strconv"
	"strings"
)

// plainDigits is how many significant digits a value without a known uncertainty gets.
const plainDigits = 4

// maxDigits bounds the digits of a mean whose confidence interval is so narrow that honouring it would print noise.
const maxDigits = 7

// exponentOf returns the decimal exponent of v's leading digit. It reads it off the shortest decimal form instead of
// taking a logarithm, which would round up just below a power of ten.
func exponentOf(v float64) int {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	text := strconv.FormatFloat(v, 'e', -1, 64)
	exponent, err := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if err != nil {
		panic("report: malformed float exponent: " + text)
	}
	return exponent
}

// formatNumber prints v with a few significant digits and no trailing zeros.
func formatNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	exponent := exponentOf(v)
	if v == math.Trunc(v) && exponent < maxDigits {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	scale := sharedScale(exponent)
	return trimZeros(formatFixed(v, plainDigits-1-exponent, scale)) + scaleSuffix(scale)
}

// formatEstimate prints a mean and the half width of its 95% confidence interval with digits that fit together: two for
// the interval, and the mean to the same place. The interval is empty where there is none, as after a single run.
func formatEstimate(mean, ci float64, n int) (value, interval string) {
	switch {
	case n < 2 || math.IsNaN(ci) || math.IsInf(ci, 0) || math.IsNaN(mean):
		return formatNumber(mean), ""
	case ci == 0:
		return formatNumber(mean), "0"
	}
	leading := exponentOf(math.Max(math.Abs(mean), ci))
	scale := sharedScale(leading)
	places := min(1-exponentOf(ci), maxDigits-1-leading)
	if half := math.Pow10(-places) / 2; ci < half {
		return formatNumber(mean), strconv.FormatFloat(ci, 'e', 0, 64)
	}
	suffix := scaleSuffix(scale)
	return formatFixed(mean, places, scale) + suffix, formatFixed(ci, places, scale) + suffix
}

// sharedScale picks the power of ten that a value with this leading exponent is printed in: none in the range that reads
// well as it is.
func sharedScale(leading int) int {
	if leading >= -4 && leading < maxDigits {
		return 0
	}
	return leading
}

func scaleSuffix(scale int) string {
	if scale == 0 {
		return ""
	}
	return "e" + strconv.Itoa(scale)
}

// formatFixed prints v / 10^scale, rounded to the given number of decimal places of v itself.
func formatFixed(v float64, places, scale int) string {
	if places < 0 {
		v = math.Round(v*math.Pow10(places)) / math.Pow10(places)
	}
	text := strconv.FormatFloat(v/math.Pow10(scale), 'f', max(places+scale, 0), 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-") // a negative value that rounds to zero
	}
	return text
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}
