// Package paramtest holds tests that every configuration must pass.
package paramtest

import (
	"testing"

	"throng/internal/param"
)

// Defaults checks that a configuration's tags make sense and that the defaults in them are those of the code.
func Defaults[C comparable](t *testing.T, want C) {
	t.Helper()
	var c C
	if err := param.Check(&c); err != nil {
		t.Fatal(err)
	}
	if err := param.Defaults(&c); err != nil {
		t.Fatal(err)
	}
	if c != want {
		t.Errorf("the tags say %+v, the code says %+v", c, want)
	}
}

// Set gives parameters of a configuration values, as transcripts do.
func Set(config any, values map[string]string) error {
	for name, value := range values {
		if err := param.Set(config, name, value); err != nil {
			return err
		}
	}
	return nil
}
