package membership

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world/wire"
)

func TestIdentitiesAreOrdered(t *testing.T) {
	order := []Identity{{}, {0, 1}, {0, 2}, {0, 255}, {1, 0}, {1, 1}, {2, 0}, {1<<24 - 1, 255}}
	for i, a := range order {
		for j, b := range order {
			if a.After(b) != (i > j) || (a.Number() > b.Number()) != (i > j) {
				t.Errorf("%v (%d) is after %v (%d): %v", a, a.Number(), b, b.Number(), a.After(b))
			}
		}
		if Numbered(a.Number()) != a {
			t.Errorf("%v has number %d, which is %v's", a, a.Number(), Numbered(a.Number()))
		}
	}
	if (Identity{2, 1000}).Number() != (Identity{2, 255}).Number() {
		t.Error("a long life runs into the next holder's numbers")
	}
	for life := range uint32(15) {
		if (Identity{1, life}).Tag() == (Identity{1, life + 1}).Tag() || (Identity{1, life}).Tag() == (Identity{2, life}).Tag() {
			t.Errorf("life %d has the tag of another", life)
		}
	}
}

func TestIdentityRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := Identity{rapid.Uint32().Draw(t, "epoch"), rapid.Uint32().Draw(t, "life")}
		r := wire.NewReader(i.AppendTag(i.Append(nil)))
		if got, tag := ReadIdentity(&r), ReadTag(&r); got != i || tag != i.Tag() || r.Done() != nil {
			t.Fatalf("%v arrived as %v with tag %x", i, got, tag)
		}
	})
}

func TestNoIdentityBeyondItsRange(t *testing.T) {
	for _, text := range [][]byte{
		wire.AppendUint(wire.AppendUint(nil, 1<<32), 0), wire.AppendUint(wire.AppendUint(nil, 0), 1<<32), {1}, {},
	} {
		r := wire.NewReader(text)
		if i := ReadIdentity(&r); !r.Failed() {
			t.Errorf("%x is read as %v", text, i)
		}
	}
}
