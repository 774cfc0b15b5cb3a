package network

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"throng/world"
	"throng/world/fixed"
)

const (
	latencyMax   = world.Minute
	lineBytesMax = 1 << 20
)

var (
	units  = map[string]int64{"us": int64(world.Microsecond), "ms": int64(world.Millisecond), "s": int64(world.Second)}
	ways   = map[string]int64{"one-way": 1, "round-trip": 2}
	shapes = map[string]bool{"full": false, "lower": true}
)

// ReadMatrix reads a matrix from text. Four lines say what follows, in this order:
//
//	hosts 3
//	unit ms             (or us, s)
//	latency one-way     (or round-trip: half of it counts each way)
//	rows lower          (or full)
//
// Then comes a row for each host: its latencies to all hosts if rows are full; to those before it and to itself if they are
// lower, and then the way back takes as long. To itself it is 0. Numbers are decimal, separated by blanks. Empty lines, and
// whatever follows a #, are ignored.
//
//	0
//	12.5  0
//	80    75.25  0
//
// Errors begin with the name and the line.
func ReadMatrix(r io.Reader, name string) (*Matrix, error) {
	in := &matrixReader{name: name, lines: bufio.NewScanner(r)}
	in.lines.Buffer(nil, lineBytesMax)

	hostCount, err := in.header("hosts", "a number from 1 to "+strconv.Itoa(hostsMax))
	if err != nil {
		return nil, err
	}
	hosts, err := strconv.Atoi(hostCount)
	if err != nil || hosts < 1 || hosts > hostsMax {
		return nil, in.errorf("hosts: %q is not a number from 1 to %d", hostCount, hostsMax)
	}
	unit, err := choice(in, "unit", units, "us, ms or s")
	if err != nil {
		return nil, err
	}
	way, err := choice(in, "latency", ways, "one-way or round-trip")
	if err != nil {
		return nil, err
	}
	lower, err := choice(in, "rows", shapes, "full or lower")
	if err != nil {
		return nil, err
	}

	rows, err := in.rows(hosts, lower, func(v fixed.F) world.Time { return world.Time(v.MulInt(unit).DivInt(way).Round()) })
	if err != nil {
		return nil, err
	}
	m := newMatrix(hosts)
	for i, row := range rows {
		for j, latency := range row {
			m.set(i, j, latency)
			if lower {
				m.set(j, i, latency)
			}
		}
	}
	return m, nil
}

type matrixReader struct {
	name  string
	line  int
	lines *bufio.Scanner
}

func (in *matrixReader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", in.name, max(in.line, 1), fmt.Sprintf(format, args...))
}

// next returns the words of the next line that has any. It returns none at the end.
func (in *matrixReader) next() ([]string, error) {
	for in.lines.Scan() {
		in.line++
		text, _, _ := strings.Cut(in.lines.Text(), "#")
		if words := strings.Fields(text); len(words) > 0 {
			return words, nil
		}
	}
	if err := in.lines.Err(); err != nil {
		in.line++
		return nil, in.errorf("%v", err)
	}
	return nil, nil
}

// header reads a line of a key and its value.
func (in *matrixReader) header(key, allowed string) (string, error) {
	words, err := in.next()
	switch {
	case err != nil:
		return "", err
	case len(words) != 2 || words[0] != key:
		return "", in.errorf("%q where \"%s\" belongs, followed by %s", strings.Join(words[:min(2, len(words))], " "), key, allowed)
	}
	return words[1], nil
}

// choice reads a line of a key and one of several values.
func choice[T any](in *matrixReader, key string, values map[string]T, allowed string) (T, error) {
	word, err := in.header(key, allowed)
	value, ok := values[word]
	if err == nil && !ok {
		err = in.errorf("%s: %q is not %s", key, word, allowed)
	}
	return value, err
}

// rows reads the rows. Memory grows with what is read, not with what the header promises.
func (in *matrixReader) rows(hosts int, lower bool, latency func(fixed.F) world.Time) ([][]world.Time, error) {
	var rows [][]world.Time
	for {
		words, err := in.next()
		if err != nil {
			return nil, err
		}
		i := len(rows)
		switch {
		case words == nil && i < hosts:
			return nil, in.errorf("ends after %d rows, want %d", i, hosts)
		case words == nil:
			return rows, nil
		case i == hosts:
			return nil, in.errorf("more rows than the %d hosts", hosts)
		}
		want := hosts
		if lower {
			want = i + 1
		}
		if len(words) != want {
			return nil, in.errorf("row %d has %d values, want %d", i+1, len(words), want)
		}
		row := make([]world.Time, want)
		for j, word := range words {
			v, err := fixed.Parse(word)
			if err != nil || v < 0 {
				return nil, in.errorf("value %d: %q is not a latency", j+1, word)
			}
			if row[j] = latency(v); row[j] > latencyMax {
				return nil, in.errorf("value %d: %q is more than %v", j+1, word, latencyMax)
			}
		}
		if row[i] != 0 {
			return nil, in.errorf("value %d: %q is the latency from host %[1]d to itself, want 0", i+1, words[i])
		}
		rows = append(rows, row)
	}
}

// WriteMatrix writes a matrix in the form that ReadMatrix reads, without loss.
func WriteMatrix(w io.Writer, m *Matrix) error {
	out := bufio.NewWriter(w)
	symmetric := m.symmetric()
	shape := "full"
	if symmetric {
		shape = "lower"
	}
	fmt.Fprintf(out, "hosts %d\nunit us\nlatency one-way\nrows %s\n", m.hosts, shape)
	var number []byte
	for i := range m.hosts {
		columns := m.hosts
		if symmetric {
			columns = i + 1
		}
		for j := range columns {
			if j > 0 {
				out.WriteByte(' ')
			}
			number = appendMicroseconds(number[:0], m.OneWay(i, j))
			out.Write(number)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

func appendMicroseconds(b []byte, t world.Time) []byte {
	b = strconv.AppendInt(b, int64(t/world.Microsecond), 10)
	rest := int64(t % world.Microsecond)
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for unit := int64(100); rest > 0; unit /= 10 {
		b = append(b, byte('0'+rest/unit))
		rest %= unit
	}
	return b
}
