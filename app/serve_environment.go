//go:build !js

package app

import (
	"os"
	"slices"
	"strings"

	"throng/internal/param"
)

// environment is what the environment says about the settings that there are.
func (s *serving) environment() []given {
	var list []given
	for _, path := range append(s.paths(), playersKey) {
		if g, ok := lookupEnvironment(path); ok {
			list = append(list, g)
		}
	}
	return list
}

func lookupEnvironment(path string) (given, bool) {
	name := variable(path)
	text, ok := os.LookupEnv(name)
	return given{path, text, name, layerEnvironment}, ok
}

// variablePrefix begins the names of our environment variables.
const variablePrefix = "THRONG_"

// variable is the environment variable of a setting.
func variable(path string) string {
	return variablePrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(path))
}

// strangers are variables that look as if they were settings and are not. They are no mistake for certain: a variable may be
// meant for another world.
func (s *serving) strangers() (warnings []string) {
	known := []string{variable("config"), variable(playersKey)}
	for _, path := range s.paths() {
		known = append(known, variable(path))
	}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) || slices.Contains(known, name) {
			continue
		}
		warning := name + " is set, but there is no such setting"
		if near := param.Nearest(name, known); near != "" {
			warning += "; " + near + " is one"
		}
		warnings = append(warnings, warning)
	}
	return warnings
}
