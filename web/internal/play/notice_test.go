package play

import (
	"testing"

	"throng/catalog"
	"throng/live/protocol"
)

// What operators say is read once; what cannot be read is counted.
func TestOperatorsAreHeard(t *testing.T) {
	c := New(catalog.Default())
	c.Receive(0, protocol.AppendNotice(nil, "mind the step"))
	if got, again := c.Notice(), c.Notice(); got != "mind the step" || again != "" {
		t.Errorf("%q, then %q", got, again)
	}
}
