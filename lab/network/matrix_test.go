package network

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"throng/world"
)

func TestReadMatrix(t *testing.T) {
	const us, ms = world.Microsecond, world.Millisecond
	for _, test := range []struct {
		text string
		want []world.Time
	}{
		{"hosts 2\nunit ms\nlatency one-way\nrows full\n0 10.25\n20 0\n", []world.Time{0, 10250 * us, 20 * ms, 0}},
		{"hosts 2\nunit us\nlatency round-trip\nrows lower\n0\n9.002 0", []world.Time{0, 4501, 4501, 0}},
		{"# made by hand\n\n hosts  1 # alone\nunit s\r\nlatency one-way\nrows lower\n\t0\n\n", []world.Time{0}},
		{"hosts 2\nunit s\nlatency one-way\nrows lower\n0\n60 0\n", []world.Time{0, world.Minute, world.Minute, 0}},
	} {
		m, err := ReadMatrix(strings.NewReader(test.text), "file")
		if err != nil || !slices.Equal(m.latency, test.want) {
			t.Errorf("%q: %v, %v, want %v", test.text, m, err, test.want)
		}
	}
}

func TestReadMatrixErrors(t *testing.T) {
	const header = "hosts 2\nunit ms\nlatency one-way\nrows full\n"
	for text, want := range map[string]string{
		"":                       `f:1: "" where "hosts" belongs, followed by a number from 1 to 4096`,
		"\n\nunit ms\n":          `f:3: "unit ms" where "hosts" belongs, followed by a number from 1 to 4096`,
		"hosts 4 5 6":            `f:1: "hosts 4" where "hosts" belongs, followed by a number from 1 to 4096`,
		"hosts 0":                `f:1: hosts: "0" is not a number from 1 to 4096`,
		"hosts 5000":             `f:1: hosts: "5000" is not a number from 1 to 4096`,
		"hosts two":              `f:1: hosts: "two" is not a number from 1 to 4096`,
		"hosts 2\nunit ns":       `f:2: unit: "ns" is not us, ms or s`,
		"hosts 2\nunit ms\nrows": `f:3: "rows" where "latency" belongs, followed by one-way or round-trip`,
		header:                   `f:4: ends after 0 rows, want 2`,
		header + "0 1\n":         `f:5: ends after 1 rows, want 2`,
		header + "0 1\n1 0\n1 1": `f:7: more rows than the 2 hosts`,
		header + "0 1 2\n":       `f:5: row 1 has 3 values, want 2`,
		header + "0 1\n# x\n1":   `f:7: row 2 has 1 values, want 2`,
		header + "0 -1":          `f:5: value 2: "-1" is not a latency`,
		header + "0 1e3":         `f:5: value 2: "1e3" is not a latency`,
		header + "0 60000.1":     `f:5: value 2: "60000.1" is more than 60s`,
		header + "1 0":           `f:5: value 1: "1" is the latency from host 1 to itself, want 0`,
		header + "0 1\n1 0.5":    `f:6: value 2: "0.5" is the latency from host 2 to itself, want 0`,
		header + strings.Repeat("0", lineBytesMax+1): "f:5: bufio.Scanner: token too long",
	} {
		if _, err := ReadMatrix(strings.NewReader(text), "f"); err == nil || err.Error() != want {
			t.Errorf("%.80q\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestMatrixRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMatrix(rapid.IntRange(1, 6).Draw(t, "hosts"))
		symmetric := rapid.Bool().Draw(t, "symmetric")
		for i := range m.hosts {
			for j := range i {
				latency := rapid.Map(rapid.Int64Range(0, int64(latencyMax)), func(n int64) world.Time { return world.Time(n) })
				m.set(i, j, latency.Draw(t, "there"))
				m.set(j, i, m.OneWay(i, j))
				if !symmetric {
					m.set(j, i, latency.Draw(t, "back"))
				}
			}
		}
		checkRoundTrip(t, m)
	})
}

func checkRoundTrip(t interface{ Fatalf(string, ...any) }, m *Matrix) {
	var text bytes.Buffer
	if err := WriteMatrix(&text, m); err != nil {
		t.Fatalf("%v", err)
	}
	again, err := ReadMatrix(bytes.NewReader(text.Bytes()), "f")
	if err != nil || again.hosts != m.hosts || !slices.Equal(again.latency, m.latency) {
		t.Fatalf("%v became %v, %v by way of\n%s", m, again, err, text.Bytes())
	}
}

func FuzzReadMatrix(f *testing.F) {
	f.Add("hosts 2\nunit ms\nlatency one-way\nrows full\n0 10.25\n20 0\n")
	f.Add("# x\nhosts 3\nunit us\nlatency round-trip\nrows lower\n0\n9.001 0\n1 2 0")
	f.Add("hosts 4096\nunit s\nlatency one-way\nrows lower\n0")
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := ReadMatrix(strings.NewReader(text), "f"); err == nil {
			checkRoundTrip(t, m)
		}
	})
}

func TestMeasured(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.txt")
	text := "hosts 3\nunit ms\nlatency one-way\nrows full\n0 1 2\n3 0 4\n5 6 0\n"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	// Each order of the hosts comes up for some seed, and no other latencies than theirs.
	orders := map[[2]world.Time]bool{}
	for seed := range uint64(60) {
		m, err := Measured{File: name}.New(seed, 2)
		if err != nil {
			t.Fatal(err)
		}
		there, back := m.Fate(0, 1, 2, 1).Delays[0], m.Fate(0, 2, 1, 1).Delays[0]
		orders[[2]world.Time{there / world.Millisecond, back / world.Millisecond}] = true
	}
	for _, want := range [][2]world.Time{{1, 3}, {3, 1}, {2, 5}, {5, 2}, {4, 6}, {6, 4}} {
		if !orders[want] {
			t.Errorf("latencies %d and %d ms never come up", want[0], want[1])
		}
	}
	if len(orders) != 6 {
		t.Errorf("%d pairs of latencies come up, want 6", len(orders))
	}

	if _, err := (Measured{File: name}).New(1, 4); err == nil || !strings.Contains(err.Error(), "allowed: 1..3 nodes") {
		t.Errorf("4 nodes on 3 hosts: %v", err)
	}
	if _, err := (Measured{File: name + "x"}).New(1, 2); !os.IsNotExist(err) {
		t.Errorf("missing file: %v", err)
	}
}

func TestJitter(t *testing.T) {
	m := newMatrix(2)
	m.set(0, 1, 100*world.Millisecond)
	got, upTo := sampled(&latencies{m, half / 5}, []float64{0.1 - 1e-9, 0.11})
	checkMean(t, "latency with jitter", got, 0.11, 0.01, samples)
	checkShare(t, "below the latency", upTo[0], samples, 0)
	checkShare(t, "below the mean", upTo[1], samples, 1-0.36787944)
}
