package experiment

import (
	"slices"
	"strings"
	"testing"
)

// plans lists what happens at each point of an experiment.
func plans(t *testing.T, texts map[string]string, opts Options) (all []string) {
	t.Helper()
	e, err := Load(files(texts), "x", opts, testSpace())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range e.Points() {
		all = append(all, p.Setup.Churn.Events)
	}
	return all
}

func TestEventsAreAListOfTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                     {""},
		"events: ['at 3s: heal', at 4s: heal]": {"at 3s: heal; at 4s: heal"},
		"events:\n  - at 3s: crash node 2, back after 1s\n":           {"at 3s: crash node 2, back after 1s"},
		"events: at 3s heals\nchurn: null":                            nil,
		"churn: {arrive: 2.5, events: ['at 3s: heal']}":               {"at 3s: heal"},
		"sweep: {events: [['at 3s: heal', 'at 4s: heal'], '']}":       {"at 3s: heal; at 4s: heal", ""},
		"cases: [{name: a, set: {events: 'at 3s: heal'}}, {name: b}]": {"at 3s: heal", ""},
		"churn: {arrive: 1}\nevents: ['at 3s: heal']\n":               {"at 3s: heal"},
	} {
		source := map[string]string{"x.yaml": plain + text}
		if want == nil {
			if _, err := Load(files(source), "x", Options{}, testSpace()); err == nil {
				t.Errorf("%q is accepted", text)
			}
			continue
		}
		if got := plans(t, source, Options{}); !slices.Equal(got, want) {
			t.Errorf("%s\ngot %q, want %q", text, got, want)
		}
	}
}

func TestEventsAreInheritedReplacedAndAdded(t *testing.T) {
	texts := map[string]string{
		"base.yaml": plain + "events: ['at 1s: heal']\nchurn: {arrive: 3}\n",
		"x.yaml":    "extends: base\nquick: {events: ['at 2s: heal']}\n",
	}
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{}, "at 1s: heal"},
		{Options{Quick: true}, "at 2s: heal"},
		{Options{Set: []string{"events=at 3s: heal; at 4s: heal"}}, "at 3s: heal; at 4s: heal"},
		{Options{Event: []string{"at 5s: heal", "at 6s: heal"}}, "at 1s: heal; at 5s: heal; at 6s: heal"},
	} {
		if got := plans(t, texts, c.opts); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%+v: got %q, want %q", c.opts, got, c.want)
		}
	}
	e, err := Load(files(texts), "x", Options{Event: []string{"at 5s: heal"}}, testSpace())
	if err != nil {
		t.Fatal(err)
	}
	// What happens is part of what a run depends on; what does not happen is not mentioned.
	var said []string
	for _, a := range Assignments(e.Points()[0].Setup.Params()) {
		if strings.HasPrefix(a, "churn.") {
			said = append(said, a)
		}
	}
	if want := []string{"churn.events=at 1s: heal; at 5s: heal", "churn.arrive=3"}; !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
	_, err = Load(files(texts), "x", Options{Event: []string{"at 5s: hail"}}, testSpace())
	if want := `--event: "at 5s: hail": "hail" is nothing that can happen; did you mean "heal"?`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
