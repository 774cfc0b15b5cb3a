package inputs

import "testing"

func TestCommentsDoNotCount(t *testing.T) {
	const plain = "package p\n\nvar x = 1 + 2\n"
	for source, same := range map[string]bool{
		"// Package p.\npackage p\n\n/* more */ var x = 1 +\n\t2 // sum\n": true,
		"package p\n\nvar x = 1 + 3\n":                                     false,
		"package p\n\nvar x = `1 + 2`\n":                                   false,
		"package p\n\n//go:noinline\nvar x = 1 + 2\n":                      false,
		"package p\n\nvar x\n= 1 + 2\n":                                    false, // a line's end can end a statement
	} {
		if got := string(tokens([]byte(source))) == string(tokens([]byte(plain))); got != same {
			t.Errorf("%q is the same: %t", source, got)
		}
	}
}

func TestSum(t *testing.T) {
	a, err := Sum("../..")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := Sum("../.."); err != nil || a != b || len(a) != 64 {
		t.Errorf("%q, then %q (%v)", a, b, err)
	}
	if _, err := Sum("."); err == nil {
		t.Error("summed up a folder without a page")
	}
}
