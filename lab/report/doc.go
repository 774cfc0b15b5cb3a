// Package report shows what an experiment found: as one HTML file that needs nothing else, and as a text table for the
// terminal.
//
// The page is written for somebody who compares mechanisms: first the question and the command that repeats the answer,
// then the plots, the table behind them, and at last the parameters and the environment. Trouble (failed runs, an
// interruption, a precision that was not reached) stands above all of it.
//
// Plots are drawn here, as SVG, and not by a charting library in the browser. uPlot was tried first: it wants one ascending
// x for all curves, so a rate-quality curve, whose x is itself measured and may turn back, comes out joined in the wrong
// order; in its mode for free x values it leaves points, whiskers, hover and legend to the caller; and names on an
// axis, with bars grouped over them, are the caller's work too. What remained of it was the axes. Drawing in Go gives a page
// that is complete without scripts, prints sharply, is the same bytes for the same result and can be tested here; the
// script that comes with it only adds the read-out, the switches of the legend and sorting.
//
// A plot with more curves than can be told apart becomes small ones beside each other with the same axes (facets.go): the first of
// the plot's "by" has the colours, each combination of the others a plot.
//
// The way from a result to a plot:
//
//	experiment.Plot --figure.go, facets.go--> figure (curves of estimates) --draw.go, bars.go--> drawing (pixels) --> assets/report.html
package report
