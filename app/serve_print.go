//go:build !js

package app

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"throng/internal/param"
)

// print writes all settings, in the form that a file has, with where each comes from.
func (s *serving) print(w io.Writer) error {
	var lines [][2]string
	for _, part := range s.parts() {
		for _, v := range param.Values(part.config) {
			path, text := part.prefix+v.Path, v.Text
			if axis, _, _ := strings.Cut(path, "."); s.Worlds != "" && (axis == "world" || axis == "mechanism" || path == "about") {
				continue // the file of worlds has them
			}
			from, ok := s.from[path]
			if !ok {
				from = "default"
			}
			if secret(path, text) {
				text = "(not shown)"
			}
			lines = append(lines, [2]string{path + ": " + quote(text), from})
		}
	}
	width := 0
	for _, l := range lines {
		width = max(width, len(l[0]))
	}
	for _, l := range lines {
		if _, err := fmt.Fprintf(w, "%-*s  # %s\n", width, l[0], l[1]); err != nil {
			return err
		}
	}
	if s.Worlds == "" {
		return nil
	}
	for _, r := range append([]*serving{s}, s.others...) {
		if _, err := fmt.Fprintf(w, "# room %s: %s, shared by %s\n", r.room, r.World, r.Mechanism); err != nil {
			return err
		}
	}
	return nil
}

// quote writes a text so that YAML reads it back as it was.
func quote(text string) string {
	if text == "" || strings.ContainsAny(text, "#,[]{}&*!|>'\"%@` ") || strings.HasSuffix(text, ":") {
		return strconv.Quote(text)
	}
	return text
}
