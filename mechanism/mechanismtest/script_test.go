package mechanismtest

import (
	"strings"
	"testing"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

func gossipScript() Script {
	return Script{
		Mechanism: func(Keys) (mechanism.Mechanism, error) { return &gossip{}, nil },
		Describe: func(s *mechanism.Session, m mechanism.Message) string {
			r := wire.NewReader(m.Payload)
			a := world.ReadAction(&r)
			return s.World.Schema().Verbs[a.Verb].Name
		},
		Show: func(n mechanism.Node) string {
			if _, ok := n.(*mute); ok {
				return "mute"
			}
			return "talkative"
		},
	}
}

func TestScript(t *testing.T) { gossipScript().Run(t, "testdata/*.txt") }

func TestScriptRefuses(t *testing.T) {
	const begin = "# x\nnodes 2\n----\n\n"
	for _, c := range []struct{ text, says string }{
		{"nodes 2\n", "first line"},
		{"# x\nhash\n", "first command must be nodes"},
		{"# x\nnodes two\n", "line 2: nodes two"},
		{begin + "jump\n", "no such command"},
		{begin + "act 1 fly\n", `no verb "fly"`},
		{begin + "act 9 drop\n", "no user 9"},
		{begin + "act 1 push z=3\n", "does not know"},
		{begin + "act 1 push x=3000\n", "outside"},
		{begin + "deliver all\n", "no such message"},
		{begin + "deliver 1\n", "want: all, or"},
		{begin + "deliver 1 2 #0\n", "want: all, or"},
		{begin + "advance soon\n", "no span of time"},
		{begin + "garbage 2 xyz\n", "invalid byte"},
		{begin + "view 3\n", "no client"},
		{begin + "leave\n", "want: leave NODE"},
		{begin + "join 4\n", "want: join NODE"},
		{begin + "leave 1\nact 1 drop\n", "user 1 has left"},
		{begin + "leave 1\nshow 1\n", "it has left"},
		{begin + "leave 1\nview 1\n", "no client"},
		{begin + "view 9\n", "want: view"},
	} {
		_, err := gossipScript().Transcribe(c.text)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
}

func TestFirstDifference(t *testing.T) {
	line, want, got := firstDifference("a\nb\nc", "a\nb")
	if line != 3 || want != "c" || got != "(the end)" {
		t.Errorf("line %d: %q and %q", line, want, got)
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]world.Time{"0s": 0, "50ms": 50 * world.Millisecond, "7µs": 7000, "3ns": 3, "2s": 2 * world.Second} {
		if got, err := ParseTime(text); err != nil || got != want {
			t.Errorf("%s is %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5", "ms", "-5ms", "5m", "5sm", "1.5s"} {
		if got, err := ParseTime(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}
