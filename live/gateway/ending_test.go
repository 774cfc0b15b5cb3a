package gateway

import (
	"os"
	"strings"
	"testing"
)

// The protocol's page has every code that a goodbye may have.
func TestEndingsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range endings {
		if e != endLost && !strings.Contains(string(page), "`"+e.code+"`") { // who is lost is told nothing
			t.Errorf("there is no word of %s", e.code)
		}
	}
}
