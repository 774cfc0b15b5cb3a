package link

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"throng/world/wire"
)

// TestWindow compares the window with a plain set of numbers.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w window
		w.begin(rapid.Uint64Max(1<<40).Draw(t, "first"))
		has := map[uint64]bool{}
		next := w.first
		for range rapid.IntRange(0, 300).Draw(t, "steps") {
			n := next + rapid.Uint64Max(rapid.SampledFrom([]uint64{3, 70, windowSize - 1}).Draw(t, "reach")).Draw(t, "offset")
			if w.has(n) != has[n] {
				t.Fatalf("%d: %v", n, w.has(n))
			}
			if has[n] {
				continue
			}
			before := w
			w.add(n)
			if rapid.Bool().Draw(t, "take back") {
				w.remove(n)
				if before.next != w.next || before.bits != w.bits {
					t.Fatal("taking back a number leaves a trace")
				}
				continue
			}
			has[n] = true
			for has[next] {
				next++
			}
			if w.next != next {
				t.Fatalf("next is %d, not %d", w.next, next)
			}
		}
		checkReceipt(t, &w, has)
	})
}

// checkReceipt reads the window's receipt and compares it with the set.
func checkReceipt(t *rapid.T, w *window, has map[uint64]bool) {
	data := appendReceipt(nil, w)
	r := wire.NewReader(data)
	f := readFrame(&r, false)
	if r.Done() != nil || f.mode != receipt || f.number != w.next {
		t.Fatalf("%x reads as %+v", data, f)
	}
	var told []uint64
	runs, end := wire.NewReader(f.payload), f.number
	for runs.Len() > 0 {
		var from uint64
		if from, end = readRun(&runs, end); runs.Failed() {
			t.Fatalf("bad runs %x", f.payload)
		}
		for n := from; n < end; n++ {
			told = append(told, n)
		}
	}
	var want []uint64
	for n := range has {
		if n > w.next {
			want = append(want, n)
		}
	}
	slices.Sort(want)
	// A receipt may leave out the lowest runs, nothing else.
	if len(told) > len(want) || !slices.Equal(told, want[len(want)-len(told):]) {
		t.Fatalf("tells of %v, not %v", told, want)
	}
	if gaps := len(want) - len(told); gaps > 0 && len(f.payload) < 2*runsMax {
		t.Fatalf("%d numbers are left out for no reason", gaps)
	}
}
