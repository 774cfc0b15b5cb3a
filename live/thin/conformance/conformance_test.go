package conformance

import (
	"math"
	"strings"
	"testing"

	"throng/live/thin"
	"throng/live/thin/thinclient"
)

// flaws are what a client may do wrong.
type flaws struct{ keeps, forgets, repeats, names bool }

// conform is the client that the script wants, but for its flaws.
func conform(t *testing.T, url string, format thin.Format, f flaws) {
	token, id := "", 0
	for {
		c, err := thinclient.Dial(url, format, nil)
		if err != nil {
			return // the script is over
		}
		join := thinclient.Message{"type": "join", "version": thin.Version, "name": "conform"}
		if token != "" && !f.forgets {
			join["token"] = token
		}
		if f.names {
			join["name"] = "Ada"
		}
		if c.Say(join) != nil {
			return
		}
		view := thinclient.NewView()
		for m := range c.Messages {
			switch m.Type() {
			case "welcome":
				token = m["token"].(string)
			case "view":
				if f.keeps {
					delete(m, "leave")
				}
				view.Apply(m)
				sum, mine := 0.0, 0
				for _, o := range view.Objects {
					sum += o["x"].(float64)
					if o["user"] == 7.0 {
						mine++
					}
				}
				if !f.repeats {
					id++
				}
				c.Say(thinclient.Message{"type": "act", "id": id, "verb": "report", "args": map[string]any{"objects": len(view.Objects), "sum": math.Round(sum), "mine": mine}})
			case "goodbye":
				return
			}
		}
	}
}

func TestTheScriptNotices(t *testing.T) {
	for name, test := range map[string]struct {
		flaws
		want string
	}{
		"nothing":                   {flaws{}, ""},
		"objects that do not leave": {flaws{keeps: true}, "should know 2 objects"},
		"a token that is forgotten": {flaws{forgets: true}, "the token should be"},
		"IDs that are used twice":   {flaws{repeats: true}, "two actions have the id"},
		"another name":              {flaws{names: true}, "instead of conform"},
	} {
		for _, format := range []thin.Format{thin.JSON, thin.MessagePack} {
			t.Run(name, func(t *testing.T) {
				s, err := Start()
				if err != nil {
					t.Fatal(err)
				}
				done := make(chan struct{})
				go func() { conform(t, s.URL, format, test.flaws); close(done) }()
				err = <-s.Found
				s.Close()
				if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
					t.Errorf("found %v; want %q", err, test.want)
				}
			})
		}
	}
}
