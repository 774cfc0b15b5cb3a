package app

import "testing"

// Players' machines connect to each other where the operator says so, or where all are this one.
func TestDirectIsTheOperatorsChoice(t *testing.T) {
	for _, c := range []struct {
		s    serving
		want bool
	}{
		{serving{Direct: "auto", Listen: "127.0.0.1:0"}, true},
		{serving{Direct: "auto", Listen: ":8080"}, false},
		{serving{Direct: "auto", Listen: "127.0.0.1:0", BehindProxy: true}, false},
		{serving{Direct: "on", Listen: ":8080"}, true},
		{serving{Direct: "off", Listen: "127.0.0.1:0"}, false},
	} {
		if got := c.s.direct() != nil; got != c.want {
			t.Errorf("%s on %s: offered %t", c.s.Direct, c.s.Listen, got)
		}
	}
}

func TestServersToFindEachOtherBy(t *testing.T) {
	for at, want := range map[string]bool{
		"stun:stun.example.org:3478": true, "turns:turn.example.org": true, "turn:turn.example.org?transport=tcp": true,
		"": false, "stun:": false, "stun.example.org": false, "http://example.org": false, "turn:user:secret@turn.example.org": false,
	} {
		if isICE(at) != want {
			t.Errorf("%q: %t", at, !want)
		}
	}
}
