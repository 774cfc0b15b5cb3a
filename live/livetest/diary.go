package livetest

import (
	"bytes"
	"strings"
	"sync"
)

// Diary is what somebody writes, which can be read meanwhile.
type Diary struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (d *Diary) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(p)
}

// String is all that was written so far.
func (d *Diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// About are the lines that have a word in them.
func (d *Diary) About(word string) (lines []string) {
	for line := range strings.Lines(d.String()) {
		if strings.Contains(line, word) {
			lines = append(lines, line)
		}
	}
	return lines
}
