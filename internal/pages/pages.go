// Package pages fills documents with figures from kept results, so that no figure is typed in by hand.
//
// Results are means.csv files as throng run writes them, kept below experiments/means under the name of their experiment. A
// document says what it wants in comments that readers do not see, and what stands between them is written anew by
//
//	go test ./internal/pages -update
//
// A table is two axes of partial descriptions, each in YAML. Every cell is what the table, its row and its column say together:
//
//	<!-- table
//	of: adam/delay
//	corner: delay
//	rows: {by: network.delay}
//	columns:
//	  - {head: loose, measure: divergence, where: {case: loose}, scale: 1000, ci: true}
//	  - {head: optimistic, measure: divergence, where: {case: optimistic}, scale: 1000, ci: true}
//	  - {head: ratio, measure: divergence, where: {case: loose}, over: {case: optimistic}, digits: 2}
//	-->
//	(the table)
//	<!-- end -->
//
// A figure within the text has a name, which is declared anywhere in the document:
//
//	<!-- figures
//	ratio: {of: adam/delay, measure: divergence, where: {case: loose, network.delay: 100ms}, over: {case: optimistic}, digits: 2}
//	-->
//	Optimistic is <!--=ratio-->4.2<!--/--> times better.
//
// See [Cell] for all that can be said of a figure, and [Axis] for rows and columns.
package pages

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
)

var (
	tables   = regexp.MustCompile(`(?s)<!-- table\n(.*?)\n-->\n(.*?)<!-- end -->`)
	declared = regexp.MustCompile(`(?s)<!-- figures\n(.*?)\n-->`)
	inline   = regexp.MustCompile(`<!--=([a-z0-9-]+)-->(.*?)<!--/-->`)
)

// Fill returns a document with its tables and figures written anew.
func Fill(text string, results Results) (string, error) {
	figures, err := declaredFigures(text)
	if err != nil {
		return "", err
	}
	var failed error
	fail := func(old string, err error) string {
		if failed == nil {
			failed = err
		}
		return old
	}
	text = tables.ReplaceAllStringFunc(text, func(old string) string {
		spec := tables.FindStringSubmatch(old)[1]
		written, err := writeTable(spec, results)
		if err != nil {
			return fail(old, fmt.Errorf("table\n%s\n%w", spec, err))
		}
		return "<!-- table\n" + spec + "\n-->\n" + written + "<!-- end -->"
	})
	text = inline.ReplaceAllStringFunc(text, func(old string) string {
		name := inline.FindStringSubmatch(old)[1]
		cell, ok := figures[name]
		if !ok {
			return fail(old, fmt.Errorf("figure %s is not declared", name))
		}
		value, err := cell.text(results)
		if err == nil && value == "" {
			err = fmt.Errorf("there is no such result")
		}
		if err != nil {
			return fail(old, fmt.Errorf("figure %s: %w", name, err))
		}
		return "<!--=" + name + "-->" + value + "<!--/-->"
	})
	return text, failed
}

func declaredFigures(text string) (map[string]Cell, error) {
	all := map[string]Cell{}
	for _, block := range declared.FindAllStringSubmatch(text, -1) {
		var some map[string]Cell
		if err := yaml.UnmarshalWithOptions([]byte(block[1]), &some, yaml.Strict()); err != nil {
			return nil, fmt.Errorf("figures: %w", err)
		}
		for name, cell := range some {
			if _, twice := all[name]; twice {
				return nil, fmt.Errorf("figure %s is declared twice", name)
			}
			all[name] = cell
		}
	}
	for name := range all {
		if !strings.Contains(text, "<!--="+name+"-->") {
			return nil, fmt.Errorf("figure %s is declared, but not used", name)
		}
	}
	return all, nil
}
