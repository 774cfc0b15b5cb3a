package play

import (
	"testing"
	"unsafe"
)

// web/src/client.ts reads clouds by these offsets.
func TestCloudsAreWhereThePageReadsThem(t *testing.T) {
	var c Cloud
	for name, at := range map[string][2]uintptr{
		"X0": {unsafe.Offsetof(c.X0), 0}, "Y1": {unsafe.Offsetof(c.Y1), 12}, "VX": {unsafe.Offsetof(c.VX), 16}, "VY": {unsafe.Offsetof(c.VY), 20},
		"Count": {unsafe.Offsetof(c.Count), 24}, "Kind": {unsafe.Offsetof(c.Kind), 28}, "the end": {unsafe.Sizeof(c), 32},
	} {
		if at[0] != at[1] {
			t.Errorf("%s is at %d, the page looks at %d", name, at[0], at[1])
		}
	}
}
