package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"throng/lab/experiment"
)

// columnGap separates the columns of a text table.
const columnGap = "  "

// Table writes the result as an aligned text table, a row per point. Where the measures need more than width characters
// they go on in further tables, each with the parameters before them. A width of zero or less sets no limit.
func Table(w io.Writer, r *experiment.Result, width int) error {
	g := newGrid(r)
	params, measures := paramColumns(g), measureTextColumns(g)
	var text strings.Builder
	for first := true; first || len(measures) > 0; first = false {
		if !first {
			text.WriteByte('\n')
		}
		n := fitting(params, measures, width)
		writeColumns(&text, append(params[:len(params):len(params)], measures[:n]...), len(g.Rows))
		measures = measures[n:]
	}
	if g.Imprecise {
		text.WriteString("† the wanted precision was not reached within the greatest number of runs\n")
	}
	if over := overloads(r); len(over) > 0 {
		text.WriteString("\n" + overloadWarning + "\n")
		for _, o := range over {
			text.WriteString("  " + printable(o.String()) + "\n")
		}
	}
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("write table of %s: %w", r.Name, err)
	}
	return nil
}

// textColumn is one column. Values end, and intervals begin, at one place, so that the signs between them line up.
type textColumn struct {
	head, unit        string
	values, intervals []string
	left              bool // aligned left, as names are

	valueWidth, intervalWidth int
}

func (c *textColumn) add(value, interval string) {
	value = printable(value)
	if interval != "" {
		interval = " ± " + interval
	}
	c.values, c.intervals = append(c.values, value), append(c.intervals, interval)
	c.valueWidth = max(c.valueWidth, runes(value))
	c.intervalWidth = max(c.intervalWidth, runes(interval))
}

func (c *textColumn) width() int {
	return max(runes(c.head), runes(c.unit), c.valueWidth+c.intervalWidth)
}

func (c *textColumn) row(i int) string {
	return pad(c.values[i], c.valueWidth, c.left) + pad(c.intervals[i], c.intervalWidth, true)
}

// paramColumns are the varying parameters and the number of runs.
func paramColumns(g grid) (columns []textColumn) {
	for i, h := range g.Params {
		c := textColumn{head: printable(h.Name), left: !h.Numeric}
		for _, row := range g.Rows {
			c.add(row.Params[i].Value, "")
		}
		columns = append(columns, c)
	}
	runs := textColumn{head: "n"}
	for _, row := range g.Rows {
		text := strconv.Itoa(row.Runs)
		if row.Imprecise {
			text = "†" + text
		}
		runs.add(text, "")
	}
	return append(columns, runs)
}

func measureTextColumns(g grid) (columns []textColumn) {
	for i, h := range g.Measures {
		c := textColumn{head: printable(h.Name), unit: printable(h.Unit)}
		for _, row := range g.Rows {
			c.add(row.Cells[i].Value, row.Cells[i].Interval)
		}
		columns = append(columns, c)
	}
	return columns
}

// fitting returns how many of the measures have room beside the parameters; at least one, lest there be no end.
func fitting(params, measures []textColumn, width int) int {
	if width <= 0 {
		return len(measures)
	}
	used := 0
	for i := range params {
		used += params[i].width() + len(columnGap)
	}
	for i := range measures {
		used += measures[i].width()
		if used > width && i > 0 {
			return i
		}
		used += len(columnGap)
	}
	return len(measures)
}

func writeColumns(text *strings.Builder, columns []textColumn, rows int) {
	writeLine := func(cell func(c *textColumn) string) {
		var line []string
		for i := range columns {
			c := &columns[i]
			line = append(line, pad(cell(c), c.width(), c.left))
		}
		text.WriteString(strings.TrimRight(strings.Join(line, columnGap), " "))
		text.WriteByte('\n')
	}
	writeLine(func(c *textColumn) string { return c.head })
	for i := range columns {
		if columns[i].unit != "" {
			writeLine(func(c *textColumn) string { return c.unit })
			break
		}
	}
	writeLine(func(c *textColumn) string { return strings.Repeat("─", c.width()) })
	for i := range rows {
		writeLine(func(c *textColumn) string { return c.row(i) })
	}
}

func pad(s string, width int, left bool) string {
	space := strings.Repeat(" ", max(width-runes(s), 0))
	if left {
		return s + space
	}
	return space + s
}

func runes(s string) int { return utf8.RuneCountInString(s) }

// printable replaces what could move the cursor or change colours: names come from files that others may have written.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return '�'
	}, s)
}
