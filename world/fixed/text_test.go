package fixed

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseAndString(t *testing.T) {
	for _, c := range []struct {
		text  string
		value F
		back  string // how String writes it; empty if as text
	}{
		{"0", 0, ""},
		{"-0", 0, "0"},
		{"000", 0, "0"},
		{"1", One, ""},
		{"-1.5", -One * 3 / 2, ""},
		{"0.1", 1677722, ""},
		{"0.10", 1677722, "0.1"},
		{"3.14159265", 52707178, "3.1415926"},
		{"0.00000006", 1, ""},
		{"0.00000002", 0, "0"},
		{"0.0000000298023223876953125", 1, "0.00000006"}, // half a unit: a tie
		{"0.0000000298023223876953124999", 0, "0"},
		{"0.99999999", One, "1"},
		{"549755813887.99999994", Max, ""},
		{"-549755813888", Min, ""},
		{"-549755813888.00000001", Min, "-549755813888"},
	} {
		got, err := Parse(c.text)
		if err != nil || got != c.value {
			t.Errorf("Parse(%q) = %d, %v; want %d", c.text, got, err, c.value)
		}
		back := c.back
		if back == "" {
			back = c.text
		}
		if got := c.value.String(); got != back {
			t.Errorf("F(%d).String() = %q, want %q", c.value, got, back)
		}
	}
}

func TestParseRefusesAllElse(t *testing.T) {
	for text, reason := range map[string]string{
		"":                          "not a decimal number",
		"-":                         "not a decimal number",
		".5":                        "not a decimal number",
		"5.":                        "not a decimal number",
		"+5":                        "not a decimal number",
		"--5":                       "not a decimal number",
		" 5":                        "not a decimal number",
		"5 ":                        "not a decimal number",
		"1e3":                       "not a decimal number",
		"0x10":                      "not a decimal number",
		"1_000":                     "not a decimal number",
		"1.2.3":                     "not a decimal number",
		"1.-2":                      "not a decimal number",
		"٣":                         "not a decimal number",
		"NaN":                       "not a decimal number",
		"549755813888":              "out of range",
		"549755813887.99999999":     "out of range",
		"-549755813888.00000006":    "out of range",
		"99999999999999999999999.5": "out of range",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), text) {
			t.Errorf("Parse(%q): error %v, want one that names the text and says %q", text, err, reason)
		}
	}
}

func TestParseRoundsTheExactDecimal(t *testing.T) {
	decimal := rapid.StringMatching(`-?[0-9]{1,11}(\.[0-9]{1,40})?`)
	rapid.Check(t, func(t *rapid.T) {
		text := decimal.Draw(t, "text")
		exact, _ := new(big.Rat).SetString(text)
		exact.Mul(exact, new(big.Rat).SetInt(raw(One)))
		want := nearest(exact.Num(), exact.Denom())
		if got, err := Parse(text); err != nil || got != want {
			t.Fatalf("Parse(%q) = %d, %v; want %d", text, got, err, want)
		}
	})
}

// shorter returns the decimal nearest to a with one digit less after the point than text has.
func shorter(a F, text string) string {
	_, fraction, _ := strings.Cut(text, ".")
	return new(big.Rat).SetFrac(raw(a), raw(One)).FloatString(len(fraction) - 1)
}

func TestStringIsTheShortestThatParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := number().Draw(t, "a")
		text := a.String()
		if back, err := Parse(text); err != nil || back != a {
			t.Fatalf("%d writes as %q, which parses as %d, %v", a, text, back, err)
		}
		if !strings.Contains(text, ".") {
			return
		}
		if back, err := Parse(shorter(a, text)); err == nil && back == a {
			t.Fatalf("%d writes as %q although %q would do", a, text, shorter(a, text))
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0", "-1.5", "0.00000006", "549755813887.99999994", "-549755813888", "1e3", ".", "-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse(text)
		if err != nil {
			return
		}
		back, err := Parse(a.String())
		if err != nil || back != a {
			t.Fatalf("%q parses as %d, which writes as %q and parses as %d, %v", text, a, a, back, err)
		}
	})
}
