package param

import (
	"math"
	"math/bits"
	"reflect"
	"strconv"
	"strings"
	"time"

	"throng/world"
	"throng/world/fixed"
)

// kind says how a single value is written and read.
type kind int

const (
	unsupported kind = iota
	durations
	integers
	rates // integers in bit/s
	sizes // integers in B
	decimals
	floats
	flags
	texts
)

var kindNames = [...]struct{ one, many, example string }{
	unsupported: {"nothing", "nothing", "nothing"},
	durations:   {"duration", "durations", "a duration such as 100ms"},
	integers:    {"whole number", "whole numbers", "a whole number"},
	rates:       {"rate", "rates", "a rate such as 100kbit/s"},
	sizes:       {"size", "sizes", "a size such as 64KB"},
	decimals:    {"number", "numbers", "a number"},
	floats:      {"number", "numbers", "a number"},
	flags:       {"true or false", "true or false", "true or false"},
	texts:       {"text", "texts", "a text"},
}

func (k kind) one() string  { return kindNames[k].one }
func (k kind) many() string { return kindNames[k].many }

// example completes the sentence "x is not ...".
func (k kind) example(unit string) string {
	switch {
	case unit != "" && (k == integers || k == decimals || k == floats):
		return kindNames[k].example + " of " + unit
	case k == floats:
		return "a number such as 0.5 or 50%"
	}
	return kindNames[k].example
}

// prefixes lists what may stand before the unit of a rate or a size, the
// largest first within each family: the canonical text uses the first one that
// divides the value.
var prefixes = map[kind][]struct {
	unit   string
	factor int64
}{
	rates: {{"Gbit/s", 1e9}, {"Mbit/s", 1e6}, {"kbit/s", 1e3}, {"bit/s", 1}},
	sizes: {
		{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
		{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"kB", 1e3}, {"B", 1},
	},
}

func kindOf(t reflect.Type, unit string) kind {
	switch t {
	case reflect.TypeFor[world.Time]():
		return durations
	case reflect.TypeFor[fixed.F]():
		return decimals
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64:
		switch unit {
		case "bit/s":
			return rates
		case "B":
			return sizes
		}
		return integers
	case reflect.Float64:
		return floats
	case reflect.Bool:
		return flags
	case reflect.String:
		return texts
	}
	return unsupported
}

// read sets v, a single value, from text. It does not know of ranges.
func (k kind) read(v reflect.Value, text, unit string) (ok bool) {
	if k == integers || k == decimals || k == floats {
		text = trimUnit(text, unit)
	}
	switch k {
	case durations:
		d, err := time.ParseDuration(text)
		v.SetInt(int64(d))
		return err == nil
	case integers:
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(n)
		return err == nil
	case rates, sizes:
		n, ok := readPrefixed(k, text)
		if ok = ok && !v.OverflowInt(n); ok {
			v.SetInt(n)
		}
		return ok
	case decimals:
		if share, ok := strings.CutSuffix(text, "%"); ok && unit == "" {
			text = hundredth(strings.TrimSpace(share))
		}
		n, err := fixed.Parse(text)
		v.SetInt(int64(n))
		return err == nil
	case floats:
		f, ok := readFloat(text, unit)
		v.SetFloat(f)
		return ok
	case flags:
		v.SetBool(text == "true")
		return text == "true" || text == "false"
	case texts:
		v.SetString(text)
		return true
	}
	return false
}

// trimUnit removes the unit after a number. It is left alone if it begins with
// a digit, as "1/s" does: 51/s would become 5.
func trimUnit(text, unit string) string {
	if unit == "" || unit[0] >= '0' && unit[0] <= '9' {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(text, unit))
}

// hundredth moves the decimal point of a number two places to the left.
func hundredth(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	whole, fraction, pointed := strings.Cut(digits, ".")
	if whole == "" || pointed && fraction == "" {
		return number // which is none
	}
	whole = "00" + whole
	digits = whole[:len(whole)-2] + "." + whole[len(whole)-2:] + fraction
	if negative {
		return "-" + digits
	}
	return digits
}

// readFloat also takes percent where the number has no unit. Moving the decimal
// point in the text, instead of dividing, makes 0.7% the same number as 0.007.
func readFloat(text, unit string) (float64, bool) {
	if share, ok := strings.CutSuffix(text, "%"); ok && unit == "" {
		text = strings.TrimSpace(share) + "e-2"
	}
	if strings.ContainsAny(text, "xXpP_") { // hexadecimal and grouped digits
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// readPrefixed reads a rate or a size such as 1.5Mbit/s, exactly.
func readPrefixed(k kind, text string) (int64, bool) {
	factor := int64(1)
	for _, p := range prefixes[k] {
		if number, ok := strings.CutSuffix(text, p.unit); ok {
			text, factor = strings.TrimSpace(number), p.factor
			break
		}
	}
	whole, fraction, _ := strings.Cut(text, ".")
	fraction = strings.TrimRight(fraction, "0")
	digits, err := strconv.ParseUint(whole+fraction, 10, 64)
	if err != nil || len(fraction) > 19 {
		return 0, false
	}
	unit := uint64(1) // of the last digit, as a divisor; 10¹⁹ still fits
	for range fraction {
		unit *= 10
	}
	hi, lo := bits.Mul64(digits, uint64(factor))
	if hi >= unit {
		return 0, false
	}
	n, rest := bits.Div64(hi, lo, unit)
	return int64(n), rest == 0 && n <= math.MaxInt64
}

// write returns the canonical text of a single value.
func (k kind) write(v reflect.Value) string {
	switch k {
	case durations:
		return world.Time(v.Int()).String()
	case integers:
		return strconv.FormatInt(v.Int(), 10)
	case rates, sizes:
		n := v.Int()
		for _, p := range prefixes[k] {
			if n%p.factor == 0 && (n != 0 || p.factor == 1) {
				return strconv.FormatInt(n/p.factor, 10) + p.unit
			}
		}
	case decimals:
		return fixed.F(v.Int()).String()
	case floats:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case flags:
		return strconv.FormatBool(v.Bool())
	case texts:
		return v.String()
	}
	return ""
}

// number returns a single value as a number in its unit, or NaN.
func (k kind) number(v reflect.Value) float64 {
	switch k {
	case durations:
		return float64(v.Int()) / float64(world.Second)
	case integers, rates, sizes:
		return float64(v.Int())
	case decimals:
		return float64(v.Int()) / float64(fixed.One)
	case floats:
		return v.Float()
	}
	return math.NaN()
}

// less compares two single values of a kind that has an order.
func (k kind) less(a, b reflect.Value) bool {
	if k == floats {
		return a.Float() < b.Float()
	}
	return a.Int() < b.Int()
}

func (k kind) ordered() bool { return k != unsupported && k != flags && k != texts }
