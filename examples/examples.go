// Package examples holds the sources of the example that `throng new` begins with.
package examples

import "embed"

// OwnWorld is the folder of a world of one's own.
//
//go:embed 02-own-world/*.go
var OwnWorld embed.FS
