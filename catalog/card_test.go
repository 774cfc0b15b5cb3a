package catalog

import (
	"testing"

	"throng/mechanism"
)

// Every mechanism says the same seven things of itself, in the same order: people compare them.
func TestCards(t *testing.T) {
	want := []string{"guarantees", "delay", "bytes", "cpu", "fails when", "client dies", "server dies"}
	for _, m := range Default().Mechanisms {
		card := mechanism.Card(m.Name)
		if len(card) != len(want) {
			t.Errorf("%s: %d lines", m.Name, len(card))
			continue
		}
		for i, line := range card {
			if line.About != want[i] || len(line.Text) < 10 {
				t.Errorf("%s: %q: %q", m.Name, line.About, line.Text)
			}
		}
	}
	if mechanism.Card("mine") != nil {
		t.Error("a card for what throng does not have")
	}
}
