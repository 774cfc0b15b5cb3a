//go:build !js

package app

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/vbauerster/mpb/v8/cwriter"
)

// terminalWidth is how many characters fit into a line of the terminal that w is, or 0 if it is none: then nothing is
// broken, and what reads it can search in whole lines.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := cwriter.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

const (
	columnGap  = "  "
	lastColumn = 30 // what is left of a narrow terminal for the last column at least
)

// table writes rows in aligned columns. The last column is broken into lines where it would leave the terminal.
type table struct {
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// widths are those of all columns but the last of each row.
func (t *table) widths() (widths []int) {
	for _, row := range t.rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

func (t *table) write(out io.Writer, width int) error {
	var text strings.Builder
	widths := t.widths()
	for _, row := range t.rows {
		line := ""
		for i, cell := range row[:len(row)-1] {
			line += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)) + columnGap
		}
		indent := utf8.RuneCountInString(line)
		room := 0
		if width > 0 {
			room = max(width-indent, lastColumn)
		}
		for i, piece := range wrap(row[len(row)-1], room) {
			if i > 0 {
				line = strings.Repeat(" ", indent)
			}
			text.WriteString(strings.TrimRight(line+piece, " "))
			text.WriteByte('\n')
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// wrap breaks a text between words into lines of at most width characters; a width of zero sets no limit. A longer word
// has a line of its own.
func wrap(text string, width int) (lines []string) {
	if width <= 0 {
		return []string{text}
	}
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// repeating is a command without what makes no difference to its figures: where they go, and how many runs are under way at a time.
func repeating(args []string) (out []string) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		switch name {
		case "-o", "--out", "-j", "--workers":
			if !joined {
				i++
			}
		case "--json":
		default:
			out = append(out, args[i])
		}
	}
	return out
}

// commandLine writes a command so that a shell reads it back as it was.
func commandLine(args []string) string {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%"
	quoted := []string{"throng"}
	for _, arg := range args {
		if arg == "" || strings.Trim(arg, harmless) != "" {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		quoted = append(quoted, arg)
	}
	return strings.Join(quoted, " ")
}
