// Package experiments holds the experiments that come with throng, one file for each figure or table, grouped by the source
// that reports it, and their fingerprints. They are built into the program; a file on disk takes precedence.
package experiments

import "embed"

// Files are the experiments, by their names with the ending .yaml.
//
//go:embed */*.yaml
var Files embed.FS

// Fingerprints is what throng verify compares with.
//
//go:embed fingerprints.csv
var Fingerprints string
