package crowd

import (
	"strings"
	"testing"
	"unicode/utf8"

	"throng/internal/param"
	"throng/world"
)

// said is what is heard of a text.
func said(text string) string {
	var o world.Object
	a := Say(text)
	copy(o.Attr[:], a.Args[:])
	return Said(&o)
}

func TestSay(t *testing.T) {
	long := strings.Repeat("0123456789", 4)
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"a word", "Bravo!", "Bravo!"},
		{"all that fits", long, long},
		{"too much", long + "x", long},
		{"more bytes than characters", "Grüß Gott, schöne Leute!", "Grüß Gott, schöne Leute!"},
		{"no half characters", strings.Repeat("é", 19) + "12é", strings.Repeat("é", 19) + "12"},
		{"no control characters", "a\x00b\nc\u202ed", "abcd"},
		{"no broken characters", "a\xffb", "ab"},
	} {
		if got := said(test.text); got != test.want {
			t.Errorf("%s: %q becomes %q, want %q", test.name, test.text, got, test.want)
		}
	}
}

func FuzzSay(f *testing.F) {
	f.Add("Bravo!", int64(0))
	f.Add("a\xff\u202e", int64(-1))
	schema := describe(param.Default[Config](), newStreets(4).bounds)
	f.Fuzz(func(t *testing.T, text string, word int64) {
		a := Say(text)
		if err := schema.CheckAction(&a); err != nil {
			t.Fatal(err)
		}
		once := said(text)
		if again := said(once); again != once {
			t.Errorf("%q becomes %q", once, again)
		}
		// A shout can also come from somebody who packs whatever they like.
		var o world.Object
		for i := range o.Attr {
			o.Attr[i] = word
		}
		for _, shown := range []string{once, Said(&o)} {
			if len(shown) > MaxText || !utf8.ValidString(shown) || strings.ContainsAny(shown, "\x00\n\r\x1b") {
				t.Errorf("shows %q", shown)
			}
		}
	})
}
