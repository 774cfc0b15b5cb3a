package image

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shelf is a value with everything that a node may have in it.
type shelf struct {
	name    string
	count   int32
	_       int64
	flags   [3]bool
	first   *book
	last    *book // may be the same as first
	books   []book
	window  []book // into books
	chosen  *int   // into books
	byTitle map[string]*book
	again   map[string]*book // the same map
	sizes   map[[2]uint32]int
	rules   *rulebook // a root
	owner   owner
	none    owner
	empty   *struct{}
	nothing []int
	zero    []int
	read    func() string // reads this very shelf
	nested  struct {
		bytes []byte
		deep  **book
	}
}

type book struct {
	title string
	pages int
	next  *book
}

type rulebook struct{ version int }

type owner interface{ owns() string }

type person struct{ name string }

func (p *person) owns() string { return p.name }

type company [2]int

func (c company) owns() string { return fmt.Sprint(c[0], c[1]) }

func newShelf(rules *rulebook) *shelf {
	s := &shelf{name: "new", rules: rules, owner: &person{"nobody"}, first: &book{title: "fresh"}}
	s.read = func() string { return fmt.Sprintf("%s %d", s.name, len(s.books)) }
	return s
}

func filled(rules *rulebook) *shelf {
	s := newShelf(rules)
	s.name, s.count, s.flags = "full", 7, [3]bool{true, false, true}
	s.books = []book{{title: "a", pages: 1}, {title: "b", pages: 2}, {title: "c", pages: 3}}
	s.books[0].next = &s.books[2]
	s.books[2].next = &s.books[0] // a circle
	s.window = s.books[1:3]
	s.chosen = &s.books[1].pages
	s.first = &book{title: "alone", next: &s.books[1]}
	s.last = s.first
	s.byTitle = map[string]*book{"a": &s.books[0], "alone": s.first, "": nil}
	s.again = s.byTitle
	s.sizes = map[[2]uint32]int{{1, 2}: 3, {4, 5}: 6}
	s.owner = &person{"somebody"}
	s.empty = &struct{}{}
	s.zero = []int{}
	s.nested.bytes = []byte("bytes")
	s.nested.deep = &s.first
	return s
}

func save(t testing.TB, s *shelf, rules *rulebook) []byte {
	t.Helper()
	text, err := Append(nil, s, rules)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestALoadedValueIsTheSame(t *testing.T) {
	rules, others := &rulebook{1}, &rulebook{2}
	text := save(t, filled(rules), rules)
	s := newShelf(others)
	person := s.owner
	if err := Load(text, s, nil, others); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		ok   bool
	}{
		{"numbers", s.name == "full" && s.count == 7 && s.flags == [3]bool{true, false, true}},
		{"a circle", s.books[0].next == &s.books[2] && s.books[2].next == &s.books[0]},
		{"a window", &s.window[0] == &s.books[1] && len(s.window) == 2 && cap(s.window) == 2},
		{"a pointer into an array", s.chosen == &s.books[1].pages && *s.chosen == 2},
		{"two pointers", s.first == s.last && s.first.title == "alone" && s.first.next == &s.books[1]},
		{"a map", len(s.byTitle) == 3 && s.byTitle["a"] == &s.books[0] && s.byTitle["alone"] == s.first},
		{"the same map", reflect.ValueOf(s.again).Pointer() == reflect.ValueOf(s.byTitle).Pointer()},
		{"keys of numbers", s.sizes[[2]uint32{4, 5}] == 6},
		{"a root", s.rules == others},
		{"an interface", s.owner.owns() == "somebody" && s.owner == person && s.none == nil},
		{"nothing and empty", s.empty != nil && s.nothing == nil && s.zero != nil && len(s.zero) == 0},
		{"a pointer to a field", s.nested.deep == &s.first && string(s.nested.bytes) == "bytes"},
		{"a function", s.read() == "full 3"},
	} {
		if !c.ok {
			t.Errorf("%s: %+v", c.what, s)
		}
	}
	if again := save(t, s, others); !bytes.Equal(again, text) {
		t.Error("its image is another one")
	}
}

func TestEqualValuesHaveEqualImages(t *testing.T) {
	rules := &rulebook{}
	first := save(t, filled(rules), rules)
	for range 20 {
		if !bytes.Equal(save(t, filled(rules), rules), first) {
			t.Fatal("the order of a map, or where memory lies, has shown")
		}
	}
}

func TestWhatAnInterfaceHoldsMustBeKnown(t *testing.T) {
	rules := &rulebook{}
	s := filled(rules)
	s.owner = company{3, 4}
	text := save(t, s, rules)
	if err := Load(text, newShelf(rules), nil, rules); err == nil || !strings.Contains(err.Error(), "company") {
		t.Errorf("got %v", err)
	}
	s = newShelf(rules)
	if err := Load(text, s, []reflect.Type{reflect.TypeFor[company]()}, rules); err != nil || s.owner != (company{3, 4}) {
		t.Errorf("got %v, %v", s.owner, err)
	}
}

func TestWhatCannotBeSaved(t *testing.T) {
	type channel struct{ c chan int }
	if _, err := Append(nil, &channel{make(chan int)}); err == nil || !strings.Contains(err.Error(), "chan") {
		t.Errorf("a channel: %v", err)
	}
	type hook struct{ f func() }
	type hooks struct{ list []hook }
	text, err := Append(nil, &hooks{[]hook{{func() {}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := Load(text, &hooks{}, nil); err == nil || !strings.Contains(err.Error(), "made anew") {
		t.Errorf("a function that nobody has: %v", err)
	}
	if _, err := Append(nil, shelf{}); err == nil {
		t.Error("no pointer, and no complaint")
	}
}

func TestAnotherLayoutIsRefused(t *testing.T) {
	rules := &rulebook{}
	text := save(t, filled(rules), rules)
	at := bytes.Index(text, []byte("image.book"))
	text[at+len("image.book")]++ // the sum of its layout
	if err := Load(text, newShelf(rules), nil, rules); err == nil || !strings.Contains(err.Error(), "laid out differently") {
		t.Errorf("got %v", err)
	}
}

// Damage is an error or another value, never a panic or a reservation without bound.
func FuzzLoad(f *testing.F) {
	rules := &rulebook{}
	text := save(f, filled(rules), rules)
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Fuzz(func(_ *testing.T, text []byte) {
		s := newShelf(rules)
		if Load(text, s, nil, rules) == nil {
			_ = fmt.Sprint(s.name, len(s.books))
		}
	})
}

// A list of any shape comes back as it was.
func TestAnyGraph(t *testing.T) {
	type node struct {
		value int
		to    []*node
		other *node
		part  *int
	}
	type graph struct{ nodes []*node }
	rapid.Check(t, func(t *rapid.T) {
		g := &graph{}
		for i := range rapid.IntRange(1, 12).Draw(t, "nodes") {
			g.nodes = append(g.nodes, &node{value: i})
		}
		any := rapid.SampledFrom(g.nodes)
		for _, n := range g.nodes {
			n.to = rapid.SliceOfN(any, 0, 3).Draw(t, "to")
			n.other = any.Draw(t, "other")
			n.part = &any.Draw(t, "part").value
		}
		text, err := Append(nil, g)
		if err != nil {
			t.Fatal(err)
		}
		h := &graph{}
		if err := Load(text, h, nil); err != nil {
			t.Fatal(err)
		}
		at := map[*node]*node{}
		for i, n := range g.nodes {
			at[n] = h.nodes[i]
		}
		for i, n := range g.nodes {
			m := h.nodes[i]
			if m.value != n.value || at[n.other] != m.other || *m.part != *n.part || len(m.to) != len(n.to) {
				t.Fatalf("node %d is %+v, was %+v", i, m, n)
			}
			for j := range n.to {
				if at[n.to[j]] != m.to[j] {
					t.Fatalf("node %d leads elsewhere", i)
				}
			}
			if m.part == n.part {
				t.Fatal("memory is shared")
			}
		}
	})
}
