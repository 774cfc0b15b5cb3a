package pages

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

// Results are kept means, by the names of their experiments.
type Results map[string][]row

// row is one point.
type row struct {
	params   map[string]string
	measures map[string]figure
}

type figure struct{ mean, ci float64 }

func (r row) fits(where map[string]string) bool {
	for path, value := range where {
		if r.params[path] != value {
			return false
		}
	}
	return true
}

// rows are the points of one or several results.
func (r Results) rows(names string) (all []row, err error) {
	for _, name := range strings.Fields(names) {
		rows, ok := r[name]
		if !ok {
			return nil, fmt.Errorf("there are no results of %s", name)
		}
		all = append(all, rows...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no results are named")
	}
	return all, nil
}

// Load reads all results below a folder.
func Load(folder fs.FS) (Results, error) {
	all := Results{}
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".csv") {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		rows, err := parse(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all[strings.TrimSuffix(name, ".csv")] = rows
		return nil
	})
	return all, err
}

// parse reads a file as throng run writes it.
func parse(text string) ([]row, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) < 2 {
		return nil, fmt.Errorf("there is nothing in it")
	}
	head := records[0]
	var rows []row
	for _, record := range records[1:] {
		x := row{params: map[string]string{}, measures: map[string]figure{}}
		measured := false
		for i := 0; i < len(head); i++ {
			switch {
			case head[i] == "n":
				measured = true
			case !measured:
				x.params[head[i]] = record[i]
			case i+1 == len(head) || head[i+1] != "±":
				return nil, fmt.Errorf("column %q has no interval after it", head[i])
			default:
				name, _, _ := strings.Cut(head[i], " [")
				x.measures[name] = figure{number(record[i]), number(record[i+1])}
				i++
			}
		}
		rows = append(rows, x)
	}
	return rows, nil
}

// number reads a figure; what is missing is not a number.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
