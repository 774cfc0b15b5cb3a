package app

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var rows table
	rows.add("networks")
	rows.add("  spike", "ω", "almost every packet takes the same time")
	rows.add("  pareto", "", "heavy tails")
	rows.add("")
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, `
networks
  spike   ω  almost every packet takes the same time
  pareto     heavy tails

`},
		{45, `
networks
  spike   ω  almost every packet takes the
             same time
  pareto     heavy tails

`},
		{10, `
networks
  spike   ω  almost every packet takes the
             same time
  pareto     heavy tails

`}, // too narrow to be of use: the terminal breaks the lines
	} {
		var buf bytes.Buffer
		if err := rows.write(&buf, c.width); err != nil {
			t.Fatal(err)
		}
		if got, want := buf.String(), strings.TrimPrefix(c.want, "\n"); got != want {
			t.Errorf("width %d:\n%s\nwant\n%s", c.width, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text, want string
		width      int
	}{
		{"a b  c", "a b  c", 0},
		{"a b  c", "a b c", 5},
		{"a b  c", "a b|c", 4},
		{"ä ö ü", "ä ö ü", 5},
		{"indivisible word", "indivisible|word", 4},
		{"", "", 4},
	} {
		if got := strings.Join(wrap(c.text, c.width), "|"); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	got := commandLine([]string{"run", "adam/delay", "--set", "network.delay=[1ms,2ms]", "-o", "it's", ""})
	if want := `throng run adam/delay --set 'network.delay=[1ms,2ms]' -o 'it'\''s' ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRepeatingLeavesOutWhereResultsGo(t *testing.T) {
	got := commandLine(repeating([]string{"run", "x", "-o", "here", "--set", "a=1", "--workers=2", "--json", "-j", "1", "--quick"}))
	if want := "throng run x --set a=1 --quick"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOnlyTerminalsHaveAWidth(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if w := terminalWidth(f); w != 0 {
		t.Errorf("the null device is %d wide", w)
	}
	if w := terminalWidth(new(bytes.Buffer)); w != 0 {
		t.Errorf("a buffer is %d wide", w)
	}
}
