package gateway

import (
	"testing"

	"throng/internal/param"
)

func TestLimitsDescribeThemselves(t *testing.T) {
	if err := param.Check(new(Limits)); err != nil {
		t.Fatal(err)
	}
	var l Limits
	if err := param.Defaults(&l); err != nil || l != DefaultLimits() {
		t.Errorf("the tags say %+v, DefaultLimits %+v: %v", l, DefaultLimits(), err)
	}
}
