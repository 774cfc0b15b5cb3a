package update

import (
	"math"
	"testing"

	"throng/world/random"
	"throng/world/wire"
)

// Columns come back whatever their numbers, of all who are present or of some.
func TestColumnComesBack(t *testing.T) {
	draw := random.New(1, "columns")
	for round := range 2000 {
		var units [CrowdMax]int64
		present := uint32(draw.Below(1<<31))<<1 | 1
		some := present
		if round%2 == 1 {
			some = present&uint32(draw.Below(1<<31)) | 1
		}
		for j := range units {
			units[j] = int64(draw.Below(math.MaxInt64)) >> draw.Below(64)
		}
		if round%5 == 0 {
			units[0] = math.MinInt64
		}
		message := appendColumn(nil, &units, some, present)
		var things [CrowdMax]thing
		r := wire.NewReader(message)
		readColumn(&r, &things, 1, present)
		if r.Done() != nil {
			t.Fatalf("%x cannot be read", message)
		}
		for j := range things {
			want := int64(0)
			if some>>j&1 != 0 {
				want = units[j]
			}
			if got := things[j].units[1]; got != want {
				t.Fatalf("number %d of %x is %d, want %d", j, message, got, want)
			}
		}
	}
}

// A column for somebody who is not there, or of numbers that are too wide or not all there, is refused.
func TestImpossibleColumns(t *testing.T) {
	units := [CrowdMax]int64{1, 1000, 3}
	good := appendColumn(nil, &units, 0b101, 0b111)
	for _, message := range [][]byte{
		appendColumn(nil, &units, 0b1001, 0b111),
		good[:len(good)-1],
		append([]byte{65 << 1}, make([]byte, 100)...),
	} {
		var things [CrowdMax]thing
		r := wire.NewReader(message)
		if readColumn(&r, &things, 1, 0b111); !r.Failed() {
			t.Errorf("%x was read", message)
		}
	}
}
