package report

import (
	"fmt"
	"strconv"
	"strings"
)

// view is a figure at one scale: a drawing, or one for each facet.
type view struct {
	Scale    string // of the measured axis: "linear" or "log"
	Hidden   bool   // until somebody asks for this scale
	Drawings []drawing
	Notes    []string
}

// drawing is a plot in pixels: what the template writes as SVG, with nothing left to compute.
type drawing struct {
	Facet         string // what all its curves have in common, empty if the figure is a single plot
	Guide         string // what the pointer looks for: the nearest "x", the nearest "y", or the nearest point ("xy")
	About         string // for readers who do not see it
	Width, Height px
	Top, Bottom   px // of the area inside the axes
	Grid          []segment
	Labels        []label
	Curves        []drawnCurve
}

type segment struct {
	X1, Y1, X2, Y2 px
	Class          string
}

type label struct {
	X, Y   px
	Anchor string // SVG's text-anchor
	Class  string
	Text   string
}

// drawnCurve is one curve as SVG paths, of which some may be empty.
type drawnCurve struct {
	Series               int
	Class                string
	Band, Line, Whiskers string
	Values               []label
	Marks                []mark
}

// mark is a point, drawn as a symbol or a bar, with what the read-out says of it. Marks of one head are read out together.
type mark struct {
	X, Y          px
	Shape         string
	Bar           bool
	Curve         string
	Head          string
	Value, Detail string
}

// px is a coordinate; a tenth of a pixel is as fine as anybody sees.
type px float64

func (p px) String() string {
	return trimZeros(formatFixed(float64(p), 1, 0))
}

// path collects SVG path commands.
type path struct{ strings.Builder }

func (p *path) moveTo(x, y float64) { fmt.Fprintf(p, "M%v %v", px(x), px(y)) }
func (p *path) lineTo(x, y float64) { fmt.Fprintf(p, "L%v %v", px(x), px(y)) }

// capHalf is half the width of the bar across a whisker's end.
const capHalf = 3

// whisker draws the interval from a to b: upright at x, or lying at y.
func (p *path) whisker(x, a, b float64) {
	p.moveTo(x, a)
	p.lineTo(x, b)
	for _, y := range []float64{a, b} {
		p.moveTo(x-capHalf, y)
		p.lineTo(x+capHalf, y)
	}
}

func (p *path) whiskerAcross(y, a, b float64) {
	p.moveTo(a, y)
	p.lineTo(b, y)
	for _, x := range []float64{a, b} {
		p.moveTo(x, y-capHalf)
		p.lineTo(x, y+capHalf)
	}
}

// look tells curves apart: by colour first, then by dashes, and by symbols for those who do not see the colours.
type look struct{ colour, variant int }

// The page defines this many colours and patterns of dashes. Colours that run out are repeated in the next pattern.
const (
	colours  = 7
	patterns = 4
)

func (l look) class() string {
	pattern := (l.variant + l.colour/colours) % patterns
	return "c" + strconv.Itoa(l.colour%colours) + " d" + strconv.Itoa(pattern)
}

func (l look) symbol(x, y float64) string {
	var p path
	p.moveTo(x, y)
	p.WriteString(symbols[(l.colour+l.variant)%len(symbols)])
	return p.String()
}

// symbols are the symbols of marks, from their centre.
var symbols = [...]string{
	"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",            // circle
	"m-3.6-3.6h7.2v7.2h-7.2z",                       // square
	"m0-5l4.6 8h-9.2z",                              // triangle
	"m0-5l5 5l-5 5l-5-5z",                           // diamond
	"m0 5l-4.6-8h9.2z",                              // triangle, hanging
	"m-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z", // plus
	"m-2-4.6h4l2.6 4.6l-2.6 4.6h-4l-2.6-4.6z",       // hexagon
}
