package mechanism

import (
	"embed"
	"strings"
)

// comments are the package comments of the mechanisms that throng comes with.
//
//go:embed */doc.go
var comments embed.FS

// Line is one of a card's: what it is about, and what there is to say.
type Line struct {
	About string `json:"about"`
	Text  string `json:"text"`
}

// cardHeads are what the lines of a card are about, in their order.
var cardHeads = []string{"guarantees", "delay", "bytes", "cpu", "fails when", "client dies", "server dies"}

// Card is what the package comment of a mechanism says of it in a few lines: what it guarantees, what it costs, when it fails. It is
// empty for a mechanism that is not throng's own.
func Card(name string) []Line {
	text, err := comments.ReadFile(name + "/doc.go")
	if err != nil {
		return nil
	}
	var card []Line
	for line := range strings.Lines(string(text)) {
		line, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "//\t")
		if !ok && len(card) > 0 {
			break // the card is one block
		}
		if !ok {
			continue
		}
		if head, rest, ok := cutHead(line); ok {
			card = append(card, Line{head, rest})
		} else if len(card) > 0 {
			card[len(card)-1].Text += " " + strings.TrimSpace(line)
		}
	}
	return card
}

// cutHead splits the first line of an entry.
func cutHead(line string) (head, rest string, ok bool) {
	for _, head := range cardHeads {
		if rest, ok := strings.CutPrefix(line, head+" "); ok {
			return head, strings.TrimSpace(rest), true
		}
	}
	return "", "", false
}
