package action

import (
	"testing"

	"throng/world"
	"throng/world/random"
)

// TestVersionsKeepThePast writes at random positions in random order and compares with a list of everything.
func TestVersionsKeepThePast(t *testing.T) {
	type known struct {
		position uint64
		value    int64
	}
	for seed := range uint64(200) {
		r := random.New(seed, "versions")
		start := startOf(newTangle(1, 3))
		v := newVersions(start, 0)
		all := map[world.ID][]known{1: {{0, 0}}, 2: {{0, 0}}, 3: {{0, 0}}}
		written := map[uint64]bool{}
		for range 60 {
			id, p := world.ID(1+r.Below(3)), v.installed+1+r.Below(20)
			switch {
			case r.Below(5) == 0:
				v.install(v.installed + r.Below(6))
			case !written[p]:
				written[p] = true
				o := *start.Get(id)
				o.Attr[number] = int64(p)
				v.put(id, p, &o)
				all[id] = append(all[id], known{p, int64(p)})
			}
			at := v.installed + 1 + r.Below(25)
			want := known{}
			for _, k := range all[id] {
				if k.position < at && k.position >= want.position {
					want = k
				}
			}
			if got := v.before(id, at).Attr[number]; got != want.value {
				t.Fatalf("seed %d: object %d before %d is %d, not %d", seed, id, at, got, want.value)
			}
		}
		v.install(1 << 40)
		if len(v.chains) != 0 || v.first != len(v.writes) {
			t.Fatalf("seed %d: %d chains, %d writes are left", seed, len(v.chains), len(v.writes)-v.first)
		}
	}
}

func TestVersionsOfWhatComesAndGoes(t *testing.T) {
	v := newVersions(startOf(newTangle(1, 1)), 0)
	v.put(9, 5, &world.Object{ID: 9})
	v.put(9, 8, nil)
	if v.before(9, 5) != nil || v.before(9, 8) == nil || v.before(9, 9) != nil || v.latest.Get(9) != nil {
		t.Error("an object that was there from 5 to 8 is not")
	}
	if v.put(9, 7, &world.Object{ID: 9}) {
		t.Error("what is at 7 is taken for later than what is at 8")
	}
	v.install(8)
	if v.before(9, 10) != nil || len(v.chains) != 0 {
		t.Error("it is back")
	}
}
