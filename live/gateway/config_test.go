package gateway

import (
	"testing"

	"throng/internal/param"
)

func TestLimitsDescribeThemselves(t *testing.T) {
	if err := param.Check(new(Limits)); err != nil {
		t.Error(err)
	}
}
