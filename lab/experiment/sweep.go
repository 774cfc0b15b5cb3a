package experiment

import (
	"iter"
	"slices"
	"strings"

	"throng/internal/param"
)

// dimension is what takes several values: a path, or several paths that vary together.
type dimension struct {
	paths  []string
	at     place
	values [][]*node // each with a node for every path
}

// common returns a path that both dimensions have, or "".
func (d dimension) common(other dimension) string {
	for _, path := range d.paths {
		if slices.Contains(other.paths, path) {
			return path
		}
	}
	return ""
}

// sweptBy reports whether a sweep has any of the paths.
func (d dimension) sweptBy(sweep []dimension) bool {
	return slices.ContainsFunc(sweep, func(other dimension) bool { return d.common(other) != "" })
}

// only returns what is left of the dimension with some of its paths. Values that are then the same are there once.
func (d dimension) only(paths []string) dimension {
	if len(paths) == len(d.paths) {
		return d
	}
	out := dimension{paths: paths, at: d.at}
	for _, together := range d.values {
		var left []*node
		for i, value := range together {
			if slices.Contains(paths, d.paths[i]) {
				left = append(left, value)
			}
		}
		if !slices.ContainsFunc(out.values, func(v []*node) bool { return slices.EqualFunc(v, left, sameNode) }) {
			out.values = append(out.values, left)
		}
	}
	return out
}

// splitPaths reads the key of a sweep: one path, or several that vary together.
func splitPaths(key string) []string {
	paths := strings.Split(key, ",")
	for i, path := range paths {
		paths[i] = canonicalPath(strings.TrimSpace(path))
	}
	return paths
}

func joinPaths(paths []string) string { return strings.Join(paths, ", ") }

// canonicalSweep writes all keys of a sweep in one way, so that it can be merged with others.
func canonicalSweep(n *node) (*node, error) {
	out := &node{kind: mapNode, at: n.at}
	for _, e := range n.entries {
		e.key = joinPaths(splitPaths(e.key))
		if out.get(e.key) != nil {
			return nil, e.at.errorf("sweep of %s is there twice", e.key)
		}
		out.entries = append(out.entries, e)
	}
	return out, nil
}

func readSweep(n *node) ([]dimension, error) {
	if err := n.want(mapNode, "sweep"); err != nil {
		return nil, err
	}
	n, err := canonicalSweep(n)
	if err != nil {
		return nil, err
	}
	var out []dimension
	for _, e := range n.entries {
		d, err := readDimension(splitPaths(e.key), e.at, e.value)
		if err != nil {
			return nil, err
		}
		for _, other := range out {
			if path := d.common(other); path != "" {
				return nil, e.at.errorf("%s is swept twice: as %q and as %q", path, joinPaths(other.paths), e.key)
			}
		}
		out = append(out, d)
	}
	return out, nil
}

// readDimension reads the values of one path, or those of several paths: a list with a value for each, every time.
func readDimension(paths []string, at place, value *node) (dimension, error) {
	d, key := dimension{paths: paths, at: at}, joinPaths(paths)
	for i, path := range paths {
		if err := checkPath(path, at, axisNames()); err != nil {
			return d, err
		}
		if slices.Contains(paths[:i], path) {
			return d, at.errorf("%s is there twice", path)
		}
	}
	if value.kind == nullNode {
		return d, at.errorf("there is no sweep of %s to remove", key)
	}
	if err := value.want(listNode, "sweep of "+key); err != nil {
		return d, err
	}
	if len(value.items) == 0 {
		return d, at.errorf("sweep of %s has no values", key)
	}
	for _, item := range value.items {
		together := []*node{item}
		if len(paths) > 1 {
			if err := item.want(listNode, "each value of "+key); err != nil {
				return d, err
			}
			if together = item.items; len(together) != len(paths) {
				return d, item.at.errorf("each value of %s wants a list of %d, not of %d", key, len(paths), len(together))
			}
		}
		d.values = append(d.values, together)
	}
	return d, nil
}

// checkPath says whether a path begins like a parameter's; whether it is one depends on what is chosen.
func checkPath(path string, at place, heads []string) error {
	first := head(path)
	if isAxis(first) && (path != first || !axis(first).single()) {
		return nil
	}
	if near := param.Nearest(first, heads); near != "" {
		return at.errorf("unknown key %q; did you mean %q?", path, near+strings.TrimPrefix(path, first))
	}
	return at.errorf("unknown key %q; a parameter's path begins with %s", path, list(heads))
}

// combinations runs through all combinations of the dimensions' values, the last dimension changing fastest. Of no
// dimensions there is one combination, which is empty.
func combinations(dims []dimension) iter.Seq[[]assignment] {
	return func(yield func([]assignment) bool) {
		index := make([]int, len(dims))
		for {
			var chosen []assignment
			for i, d := range dims {
				for j, value := range d.values[index[i]] {
					chosen = append(chosen, assignment{d.paths[j], value, value.at})
				}
			}
			if !yield(chosen) {
				return
			}
			i := len(dims) - 1
			for ; i >= 0; i-- {
				if index[i]++; index[i] < len(dims[i].values) {
					break
				}
				index[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}
