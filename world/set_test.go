package world

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSetIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sets [2]Set
		models := [2]map[ID]bool{{}, {}}
		draw := func(t *rapid.T) (int, ID) {
			return rapid.IntRange(0, 1).Draw(t, "set"), ID(rapid.Uint64Range(1, 12).Draw(t, "id"))
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				i, id := draw(t)
				sets[i].Add(id)
				models[i][id] = true
			},
			"remove": func(t *rapid.T) {
				i, id := draw(t)
				sets[i].Remove(id)
				delete(models[i], id)
			},
			"": func(t *rapid.T) {
				common := false
				for i := range sets {
					if want := slices.Sorted(maps.Keys(models[i])); !slices.Equal(sets[i], want) {
						t.Fatalf("%v, want %v", sets[i], want)
					}
					for id := range ID(14) {
						if sets[i].Has(id) != models[i][id] {
							t.Fatalf("%v has %d: %v", sets[i], id, sets[i].Has(id))
						}
						common = common || models[0][id] && models[1][id]
					}
				}
				if sets[0].Intersects(sets[1]) != common || sets[1].Intersects(sets[0]) != common {
					t.Fatalf("%v and %v have members in common: %v", sets[0], sets[1], common)
				}
			},
		})
	})
}

func TestFootprintReadsWhatItWrites(t *testing.T) {
	var f Footprint
	f.Read(3)
	f.Write(2)
	f.Write(2)
	if !slices.Equal(f.Reads, Set{2, 3}) || !slices.Equal(f.Writes, Set{2}) {
		t.Errorf("%+v", f)
	}
	f.Reset()
	if len(f.Reads) != 0 || len(f.Writes) != 0 {
		t.Errorf("%+v after Reset", f)
	}
}
