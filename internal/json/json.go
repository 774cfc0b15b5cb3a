//go:build !js

// Package json reads JSON into structs as encoding/json does. In a browser it has the browser read it: the standard library's
// reader would make the page larger by a twentieth.
package json

import "encoding/json"

// Unmarshal reads a text into what v points to.
func Unmarshal(text []byte, v any) error { return json.Unmarshal(text, v) }
