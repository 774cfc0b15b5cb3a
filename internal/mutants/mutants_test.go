package main

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

const sample = `package sample

func Sum(values []int, limit int) (sum int) {
	for i := 0; i < len(values); i++ {
		if values[i] > limit && limit != 0 {
			continue
		}
		sum += values[i]
	}
	return min(sum, 100)
}

func note(log []string, text string) []string {
	log = append(make([]string, 0, 10), text)
	return log
}
`

func TestEveryKindOfMutationIsFound(t *testing.T) {
	found, err := find("sample.go", ".", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		before, after := m.lines([]byte(sample))
		if before == after {
			t.Errorf("%s changes nothing: %s", m.kind, before)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", m.apply([]byte(sample)), 0); err != nil {
			t.Errorf("%s leaves %q: %v", m.kind, after, err)
		}
		got = append(got, m.kind+" "+after)
	}
	want := []string{
		"returned func Sum(values []int, limit int) (sum int) { if true { return *new(int) };",
		"negated \tfor i := 0; !(i < len(values)); i++ {",
		"constant \tfor i := 1; i < len(values); i++ {",
		"operator \tfor i := 0; i <= len(values); i++ {",
		"operator \tfor i := 0; i < len(values); i-- {",
		"dropped \tfor i := 0; i < len(values);  {",
		"negated \t\tif !(values[i] > limit && limit != 0) {",
		"operator \t\tif values[i] > limit || limit != 0 {",
		"operator \t\tif values[i] >= limit && limit != 0 {",
		"operator \t\tif values[i] > limit && limit == 0 {",
		"constant \t\tif values[i] > limit && limit != 1 {",
		"operator \t\t\tbreak",
		"operator \t\tsum -= values[i]",
		"dropped \t\t_ = values[i]",
		"word \treturn max(sum, 100)",
		"constant \treturn min(sum, 101)",
		"returned func note(log []string, text string) []string { if true { return *new([]string) };",
		"dropped \t_ = append(make([]string, 0, 10), text)",
	}
	if !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			t.Errorf("got  %q\nwant %q", slices.Concat(got, make([]string, len(want)))[i], slices.Concat(want, make([]string, len(got)))[i])
		}
	}
}

// A module of two functions, of which its test looks at one.
func TestWhatNobodyTestsSurvives(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module sample\n\ngo 1.26\n",
		"sample.go":      "package sample\n\nfunc Seen() int { return 7 }\n\nfunc Unseen() int { return 8 }\n",
		"spin.go":        "package sample\n\nfunc Spin() {\n\tfor i := 0; i < 3; i++ {\n\t}\n}\n",
		"sample_test.go": "package sample\n\nimport \"testing\"\n\nfunc TestSeen(t *testing.T) {\n\tSpin()\n\tif Seen() != 7 {\n\t\tt.Error()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	t.Setenv("GOFLAGS", "")
	ctx := context.Background()
	m, err := load(ctx, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	found, err := m.mutations()
	if err != nil {
		t.Fatal(err)
	}
	tester, err := newTester(m, options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tester.close()
	want := map[string]verdict{"8": caught, "9": survived, "": hung}
	for i := range found {
		if expected, asked := want[found[i].with]; asked {
			tester.slowest = time.Minute
			if expected == hung {
				tester.slowest = time.Second // however slow the machine, it would not end in a minute either
			}
			out, err := tester.try(ctx, &found[i])
			if err != nil {
				t.Fatal(err)
			}
			if out.verdict != expected {
				t.Errorf("%s: %q: %s, want %s", found[i].kind, out.after, out.verdict, expected)
			}
			delete(want, found[i].with)
		}
	}
	if len(want) > 0 {
		t.Errorf("these were not tried: %v", want)
	}
}
