//go:build js && wasm

package browser

import (
	"throng/catalog"
	"throng/web/internal/play"
	"throng/world"
)

// Main makes the program a page's, with the worlds and mechanisms of a catalog. It does not return.
func Main(c catalog.Catalog) {
	offered = c
	client = play.New(c)
	select {} // the exports live on
}

func moment(ms float64) world.Time { return world.Time(ms * float64(world.Millisecond)) }
