package pages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// table is what a document asks for.
type table struct {
	Cell    `yaml:",inline"`
	Corner  string // the head of the rows' heads; several columns of them are set apart by " | "
	Rows    Axis
	Columns Axis
}

// Axis is the rows or the columns of a table: a list of cells, partially described, or one for each value of a parameter.
type Axis []Cell

// along describes an axis by a parameter.
type along struct {
	By     string   // the parameter's path
	Values []string // those wanted; all that the results have, if none is given
	Prefix string   // before each value in the heads
	Cell   `yaml:",inline"`
}

// UnmarshalYAML reads either form. The values of a parameter are known only with the results: expand puts them in.
func (a *Axis) UnmarshalYAML(data []byte) error {
	if strings.HasPrefix(strings.TrimSpace(string(data)), "-") || strings.HasPrefix(strings.TrimSpace(string(data)), "[") {
		return yaml.UnmarshalWithOptions(data, (*[]Cell)(a), yaml.Strict())
	}
	var l along
	if err := yaml.UnmarshalWithOptions(data, &l, yaml.Strict()); err != nil {
		return err
	}
	if l.By == "" {
		return fmt.Errorf("an axis is a list of cells, or has a parameter to go by")
	}
	c := l.Cell
	c.along = &l
	*a = Axis{c}
	return nil
}

// expand puts a cell for each value in place of those that stand for all values of a parameter.
func (a Axis) expand(of Cell, results Results) (Axis, error) {
	var out Axis
	for _, c := range a {
		if c.along == nil {
			out = append(out, c)
			continue
		}
		values := c.along.Values
		if len(values) == 0 {
			rows, err := results.rows(of.with(c).Of)
			if err != nil {
				return nil, err
			}
			for _, r := range rows {
				if v := r.params[c.along.By]; v != "" && !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
		}
		for _, v := range values {
			one := c
			one.along = nil
			one.Head = c.along.Prefix + v
			one.Where = maps.Clone(c.Where)
			if one.Where == nil {
				one.Where = map[string]string{}
			}
			one.Where[c.along.By] = v
			out = append(out, one)
		}
	}
	return out, nil
}

// writeTable returns a table in Markdown. A cell without a result is empty; a row or a column of such is a mistake.
func writeTable(spec string, results Results) (string, error) {
	var t table
	if err := yaml.UnmarshalWithOptions([]byte(spec), &t, yaml.Strict()); err != nil {
		return "", err
	}
	rows, err := t.Rows.expand(t.Cell, results)
	if err != nil {
		return "", err
	}
	columns, err := t.Columns.expand(t.Cell, results)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	heads := strings.Count(t.Corner, " | ") + 1
	b.WriteString("| " + t.Corner)
	for _, c := range columns {
		b.WriteString(" | " + c.Head)
	}
	b.WriteString(" |\n|" + strings.Repeat(" --- |", heads+len(columns)) + "\n")
	found := make([]bool, len(columns))
	for _, r := range rows {
		b.WriteString("| " + r.Head)
		any := false
		for i, c := range columns {
			cell, err := t.Cell.with(r).with(c).text(results)
			if err != nil {
				return "", fmt.Errorf("row %q, column %q: %w", r.Head, c.Head, err)
			}
			found[i] = found[i] || cell != ""
			any = any || cell != ""
			b.WriteString(" | " + cell)
		}
		if !any {
			return "", fmt.Errorf("row %q is empty", r.Head)
		}
		b.WriteString(" |\n")
	}
	if i := slices.Index(found, false); i >= 0 {
		return "", fmt.Errorf("column %q is empty", columns[i].Head)
	}
	return strings.ReplaceAll(strings.ReplaceAll(b.String(), "|   |", "| |"), "|  |", "| |"), nil
}
