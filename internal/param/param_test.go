package param

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// sample has a parameter of every sort.
type sample struct {
	LocalLag  world.Time         `param:"local-lag" default:"100ms" range:"0s..10s" help:"own actions wait this long"`
	Bees      int                `param:"bees" default:"8" range:"1..1024" help:"how many play"`
	Speed     fixed.F            `param:"speed" default:"2.5" unit:"px" range:"0.." help:"per tick"`
	Loss      float64            `param:"loss" default:"0.1%" range:"0..1" help:"share of packets that vanish"`
	Bandwidth int64              `param:"bandwidth" default:"1.5Mbit/s" unit:"bit/s" range:"1kbit/s..10Gbit/s" help:"of the link"`
	Queue     int                `param:"queue" default:"64KiB" unit:"B" help:"of the link"`
	Mode      string             `param:"mode" default:"drop" options:"drop|delay" help:"what happens to late packets"`
	Matrix    string             `param:"matrix" file:"true" help:"pairwise latencies"`
	Enabled   bool               `param:"enabled" help:"whether it is on"`
	States    []world.Time       `param:"states" default:"50ms,1s,25s" range:"1ms.." help:"ages of trailing states"`
	Threshold map[string]fixed.F `param:"threshold" default:"ball=5,racket=25" unit:"px" range:"0..100000" help:"per kind"`
	Jitter    struct {
		Mean world.Time `param:"mean" help:"of the jitter"`
	} `param:"jitter" default:"mean=5ms"`
	Common
	Seen int `param:"-"`
}

type Common struct {
	Rate int `param:"rate" unit:"1/s" default:"20" help:"updates"`
}

func (s *sample) Validate() error {
	if s.Jitter.Mean > s.LocalLag {
		return errors.New("jitter.mean is larger than local-lag")
	}
	return nil
}

func newSample(t *testing.T) *sample {
	t.Helper()
	s := new(sample)
	if err := Defaults(s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCheckAcceptsEverySort(t *testing.T) {
	if err := Check(new(sample)); err != nil {
		t.Error(err)
	}
	if err := Check(nil); err != nil {
		t.Error(err)
	}
}

func TestDefaults(t *testing.T) {
	s := newSample(t)
	got := map[string]string{}
	for _, v := range Values(s) {
		got[v.Path] = v.Text
	}
	want := map[string]string{
		"local-lag": "100ms", "bees": "8", "speed": "2.5", "loss": "0.001", "bandwidth": "1500kbit/s",
		"queue": "64KiB", "mode": "drop", "matrix": "", "enabled": "false", "states": "50ms,1s,25s",
		"threshold.ball": "5", "threshold.racket": "25", "jitter.mean": "5ms", "rate": "20",
	}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s is %q, want %q", path, got[path], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("parameters %v, want %v", got, want)
	}
	if s.Threshold["racket"] != fixed.FromInt(25) || s.Bandwidth != 1_500_000 || s.Queue != 65536 || s.Rate != 20 {
		t.Errorf("config is %+v", s)
	}
}

func TestDescribe(t *testing.T) {
	fields := Describe(new(sample))
	var paths []string
	for _, f := range fields {
		paths = append(paths, f.Path)
	}
	order := "local-lag bees speed loss bandwidth queue mode matrix enabled states threshold jitter.mean rate"
	if got := strings.Join(paths, " "); got != order {
		t.Errorf("parameters %s\n      want %s", got, order)
	}
	for i, want := range map[int]Field{
		0:  {Path: "local-lag", Type: "duration", Unit: "s", Default: "100ms", Range: "0s..10s", Help: "own actions wait this long"},
		4:  {Path: "bandwidth", Type: "rate", Unit: "bit/s", Default: "1500kbit/s", Range: "1kbit/s..10Gbit/s", Help: "of the link"},
		7:  {Path: "matrix", Type: "file", Help: "pairwise latencies", File: true},
		9:  {Path: "states", Type: "list of durations", Unit: "s", Default: "50ms,1s,25s", Range: "1ms..", Help: "ages of trailing states", List: true},
		10: {Path: "threshold", Type: "numbers by key", Unit: "px", Default: "ball=5,racket=25", Range: "0..100000", Help: "per kind", Keys: true},
	} {
		got := fields[i]
		if len(got.Options) > 0 || got.Path != want.Path || got.Type != want.Type || got.Unit != want.Unit ||
			got.Default != want.Default || got.Range != want.Range || got.Help != want.Help ||
			got.Keys != want.Keys || got.List != want.List || got.File != want.File {
			t.Errorf("field %d is %+v\n        want %+v", i, got, want)
		}
	}
	if options := fields[6].Options; !slices.Equal(options, []string{"drop", "delay"}) {
		t.Errorf("options of mode are %v", options)
	}
}

func TestSetAndGet(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		path, value, text string
		number            float64
		unit              string
	}{
		{"local-lag", "1500us", "1.5ms", 0.0015, "s"},
		{"local-lag", "0", "0s", 0, "s"},
		{"bees", "1024", "1024", 1024, ""},
		{"speed", "3", "3", 3, "px"},
		{"speed", "3.25 px", "3.25", 3.25, "px"},
		{"loss", "0.7%", "0.007", 0.007, ""},
		{"loss", "1e-3", "0.001", 0.001, ""},
		{"bandwidth", "100kbit/s", "100kbit/s", 100_000, "bit/s"},
		{"bandwidth", "1.5 Mbit/s", "1500kbit/s", 1_500_000, "bit/s"},
		{"bandwidth", "1234", "1234bit/s", 1234, "bit/s"},
		{"queue", "64KB", "64KB", 64_000, "B"},
		{"queue", "0.5MiB", "512KiB", 1 << 19, "B"},
		{"queue", "0", "0B", 0, "B"},
		{"mode", "delay", "delay", nan, ""},
		{"matrix", "a file.csv", "a file.csv", nan, ""},
		{"enabled", "true", "true", nan, ""},
		{"states", "10ms, 20ms", "10ms,20ms", nan, "s"},
		{"states", "", "", nan, "s"},
		{"threshold.queen", "7", "7", 7, "px"},
		{"threshold.ball", "0.5px", "0.5", 0.5, "px"},
		{"threshold", "z=1,a=2", "a=2,z=1", nan, "px"},
		{"jitter.mean", "20ms", "20ms", 0.02, "s"},
		{"rate", "51", "51", 51, "1/s"},
	} {
		t.Run(c.path+"="+c.value, func(t *testing.T) {
			s := newSample(t)
			if err := Set(s, c.path, c.value); err != nil {
				t.Fatal(err)
			}
			got, err := Get(s, c.path)
			if err != nil {
				t.Fatal(err)
			}
			sameNumber := got.Number == c.number || math.IsNaN(got.Number) && math.IsNaN(c.number)
			if got.Path != c.path || got.Text != c.text || !sameNumber || got.Unit != c.unit {
				t.Errorf("got %+v, want %q, %v %s", got, c.text, c.number, c.unit)
			}
			again := newSample(t)
			if err := Set(again, c.path, got.Text); err != nil {
				t.Fatalf("the canonical text is not accepted: %v", err)
			}
			if v, _ := Get(again, c.path); v.Text != got.Text {
				t.Errorf("the canonical text became %q, was %q", v.Text, got.Text)
			}
		})
	}
}

func TestSetSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"local-lga", "1s", `unknown key "local-lga"; did you mean "local-lag"?`},
		{"jitter.maen", "1s", `unknown key "jitter.maen"; did you mean "jitter.mean"?`},
		{"bees.x", "1", `unknown key "bees.x"; did you mean "bees"?`},
		{"threshold.a.b", "1", `unknown key "threshold.a.b"; did you mean "threshold.ball"?`},
		{"seen", "1", `unknown key "seen"; did you mean "bees"?`},
		{"zzzzz", "1", `unknown key "zzzzz"; known: local-lag, bees, speed, loss, bandwidth, queue, mode, matrix, ` +
			`enabled, states, threshold, threshold.ball, threshold.racket, jitter.mean, rate`},
		{"local-lag", "100", `local-lag: "100" is not a duration such as 100ms; allowed: 0s..10s`},
		{"local-lag", "", `local-lag: "" is not a duration such as 100ms; allowed: 0s..10s`},
		{"local-lag", "11s", `local-lag: "11s" is too large; allowed: 0s..10s`},
		{"local-lag", "-1ns", `local-lag: "-1ns" is too small; allowed: 0s..10s`},
		{"bees", "0", `bees: "0" is too small; allowed: 1..1024`},
		{"bees", "8.5", `bees: "8.5" is not a whole number; allowed: 1..1024`},
		{"bees", "99999999999999999999", `bees: "99999999999999999999" is not a whole number; allowed: 1..1024`},
		{"speed", "5cm", `speed: "5cm" is not a number of px; allowed: 0..`},
		{"speed", "-1", `speed: "-1" is too small; allowed: 0..`},
		{"loss", "NaN", `loss: "NaN" is not a number such as 0.5 or 50%; allowed: 0..1`},
		{"loss", "0x1p-2", `loss: "0x1p-2" is not a number such as 0.5 or 50%; allowed: 0..1`},
		{"loss", "101%", `loss: "101%" is too large; allowed: 0..1`},
		{"bandwidth", "1e3", `bandwidth: "1e3" is not a rate such as 100kbit/s; allowed: 1kbit/s..10Gbit/s`},
		{"bandwidth", "1/2Mbit/s", `bandwidth: "1/2Mbit/s" is not a rate such as 100kbit/s; allowed: 1kbit/s..10Gbit/s`},
		{"bandwidth", "64KB", `bandwidth: "64KB" is not a rate such as 100kbit/s; allowed: 1kbit/s..10Gbit/s`},
		{"queue", "1.5B", `queue: "1.5B" is not a size such as 64KB`},
		{"queue", "99999999999999999999GiB", `queue: "99999999999999999999GiB" is not a size such as 64KB`},
		{"mode", "dropp", `mode: "dropp" is none of the options; allowed: drop, delay; did you mean "drop"?`},
		{"mode", "keep it", `mode: "keep it" is none of the options; allowed: drop, delay`},
		{"enabled", "yes", `enabled: "yes" is not true or false`},
		{"states", "1s,,2s", `states: "" is not a duration such as 100ms; allowed: 1ms..`},
		{"states", "0s", `states: "0s" is too small; allowed: 1ms..`},
		{"threshold.ball", "-1", `threshold.ball: "-1" is too small; allowed: 0..100000`},
		{"threshold", "ball", `threshold: "ball" is not of the form key=value; allowed: 0..100000`},
		{"threshold", "ball=x", `threshold.ball: "x" is not a number of px; allowed: 0..100000`},
		{"rate", "51/s", `rate: "51/s" is not a whole number of 1/s`},
	} {
		t.Run(c.path+"="+c.value, func(t *testing.T) {
			s := newSample(t)
			err := Set(s, c.path, c.value)
			if err == nil {
				t.Fatal("accepted")
			}
			if err.Error() != c.want {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
			for i, v := range Values(s) {
				if fresh := Values(newSample(t))[i]; v.Text != fresh.Text {
					t.Errorf("the refused value changed %s to %q", v.Path, v.Text)
				}
			}
		})
	}
}

func TestErrorUnder(t *testing.T) {
	s := newSample(t)
	for _, c := range []struct{ path, value, want string }{
		{"bes", "1", `unknown key "world.bes"; did you mean "world.bees"?`},
		{"bees", "0", `world.bees: "0" is too small; allowed: 1..1024`},
	} {
		var e *Error
		if err := Set(s, c.path, c.value); !errors.As(err, &e) {
			t.Fatalf("got %v, want an *Error", err)
		}
		if got := e.Under("world").Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if err := Set(nil, "x", "1"); err == nil || err.Error() != `unknown key "x"; there are no parameters here` {
		t.Errorf("got %v", err)
	}
}

func TestSetDoesNotTouchSharedMaps(t *testing.T) {
	a := newSample(t)
	b := *a
	if err := Set(&b, "threshold.ball", "9"); err != nil {
		t.Fatal(err)
	}
	if a.Threshold["ball"] != fixed.FromInt(5) || b.Threshold["ball"] != fixed.FromInt(9) {
		t.Errorf("thresholds %v and %v, want 5 and 9", a.Threshold["ball"], b.Threshold["ball"])
	}
}

func TestValidate(t *testing.T) {
	s := newSample(t)
	if err := Validate(s); err != nil {
		t.Error(err)
	}
	s.Jitter.Mean = world.Second
	if err := Validate(s); err == nil || err.Error() != "jitter.mean is larger than local-lag" {
		t.Errorf("got %v", err)
	}
	if err := Validate(nil); err != nil {
		t.Error(err)
	}
}

// What a program has set is held against the tags as what a user has written is.
func TestValidateHoldsValuesAgainstTags(t *testing.T) {
	type config struct {
		N     int                `param:"n" help:"x" default:"2" range:"1..9"`
		Word  string             `param:"word" help:"x" default:"drop" options:"drop|delay"`
		Waits []world.Time       `param:"waits" help:"x" range:"0s..5s"`
		Far   map[string]fixed.F `param:"far" help:"x" range:"..7"`
		Inner struct {
			Share float64 `param:"share" help:"x" default:"0.5" range:"0..1"`
		} `param:"inner"`
	}
	if c := Default[config](); Validate(&c) != nil {
		t.Error(Validate(&c))
	}
	for want, change := range map[string]func(*config){
		`n: "0" is too small; allowed: 1..9`:                                              func(c *config) { c.N = 0 },
		`n: "10" is too large; allowed: 1..9`:                                             func(c *config) { c.N = 10 },
		`word: "dorp" is none of the options; allowed: drop, delay; did you mean "drop"?`: func(c *config) { c.Word = "dorp" },
		`waits: "-1s" is too small; allowed: 0s..5s`:                                      func(c *config) { c.Waits = []world.Time{world.Second, -world.Second} },
		`far.ball: "8" is too large; allowed: ..7`:                                        func(c *config) { c.Far = map[string]fixed.F{"ball": 8 * fixed.One} },
		`inner.share: "1.5" is too large; allowed: 0..1`:                                  func(c *config) { c.Inner.Share = 1.5 },
	} {
		c := Default[config]()
		change(&c)
		var wrong *Error
		if err := Validate(&c); !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestSetAllFindsTheFirstMistake(t *testing.T) {
	s := newSample(t)
	err := SetAll(s, map[string]string{"rate": "x", "colour": "red", "local-lag": "1s"})
	if want := "unknown key \"colour\""; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := SetAll(s, map[string]string{"rate": "30", "local-lag": "1s"}); err != nil || s.Rate != 30 || s.LocalLag != world.Second {
		t.Errorf("%v, %+v", err, s)
	}
	changed := Changed(s)
	if changed["rate"] != "30" || changed["local-lag"] != "1s" {
		t.Errorf("changed: %v", changed)
	}
	if _, ok := changed["jitter.mean"]; ok {
		t.Errorf("what is at its default counts as changed: %v", changed)
	}
}

type strict struct {
	N int `param:"n" help:"of something"`
}

func (s *strict) Validate() error {
	if s.N < 0 {
		return errors.New("n is negative")
	}
	return nil
}

func TestValidateReachesGroups(t *testing.T) {
	var c struct {
		Inner strict `param:"inner"`
	}
	c.Inner.N = -1
	if err := Validate(&c); err == nil || err.Error() != "inner: n is negative" {
		t.Errorf("got %v", err)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"network", "delay", "loss", "local-lag"}
	for word, want := range map[string]string{
		"netwrok": "network", "dealy": "delay", "los": "loss", "locallag": "local-lag", "l": "", "bandwidth": "", "": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func FuzzSet(f *testing.F) {
	for _, field := range Describe(new(sample)) {
		f.Add(field.Path, field.Default)
	}
	f.Fuzz(func(t *testing.T, path, value string) {
		s := newSample(t)
		if Set(s, path, value) != nil {
			return
		}
		got, err := Get(s, path)
		if err != nil {
			t.Fatalf("set but not there: %v", err)
		}
		again := newSample(t)
		if err := Set(again, path, got.Text); err != nil {
			t.Fatalf("canonical text refused: %v", err)
		}
		if v, _ := Get(again, path); v.Text != got.Text {
			t.Fatalf("%q became %q", got.Text, v.Text)
		}
	})
}

// Shares can be given in percent, also those of fixed-point numbers, exactly.
func TestPercent(t *testing.T) {
	for text, want := range map[string]string{
		"0.1%": "0.001", "25%": "0.25", "6.25%": "0.0625", "100 %": "1", "-5%": "-0.05", "0%": "0", "%": "", ".5%": "", "5.%": "", "1%%": "", "1e2%": "",
	} {
		var c struct {
			Share fixed.F `param:"share" default:"0" help:"of something"`
		}
		err := Set(&c, "share", text)
		if wanted, sound := fixed.Parse(want); (err == nil) != (sound == nil) || err == nil && c.Share != wanted {
			t.Errorf("%q is %v (%v), want %q", text, c.Share, err, want)
		}
	}
	var c struct {
		Length fixed.F `param:"length" default:"0" unit:"px" help:"of something"`
	}
	if Set(&c, "length", "5%") == nil {
		t.Error("a length in percent")
	}
}
