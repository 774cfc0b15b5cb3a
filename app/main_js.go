package app

import (
	"context"
	"io"

	"throng/lab/measure"
	"throng/web/browser"
)

// Main is the page's client: in a browser a program has no command line.
func Main(p Program) { browser.Main(p.Catalog) }

// Run is Main, whatever the command.
func Run(_ context.Context, p Program, _ []string, _, _ io.Writer) int {
	Main(p)
	return 0
}

// measures are none, since nothing is measured here.
func measures() []measure.Entry { return nil }
