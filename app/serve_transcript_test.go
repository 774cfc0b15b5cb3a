package app

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lxzan/gws"
)

// talker is a WebSocket whose messages are texts.
type talker struct {
	gws.BuiltinEventHandler
	texts chan string
}

func (k *talker) OnMessage(_ *gws.Conn, m *gws.Message) {
	defer m.Close()
	k.texts <- m.Data.String()
}

func (k *talker) OnClose(*gws.Conn, error) { close(k.texts) }

// TestTranscript has the conversation of docs/protocol.md with a server.
func TestTranscript(t *testing.T) {
	document, err := os.ReadFile("../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(document), "```transcript\n")
	text, _, found := strings.Cut(text, "```")
	if !found || strings.Count(text, "\n") < 10 {
		t.Fatal("there is no transcript")
	}
	ctx, stop := context.WithCancel(t.Context())
	url, ended := started(t, ctx, "--listen", "127.0.0.1:0", "--admin-listen", "off", "--no-webtransport", "--players", "1")
	defer func() { stop(); <-ended }()
	k := &talker{texts: make(chan string, 1024)}
	conn, _, err := gws.NewClient(k, &gws.ClientOption{Addr: "ws" + strings.TrimPrefix(url, "http") + "/thin"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.NetConn().Close()
	go conn.ReadLoop()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if said, ok := strings.CutPrefix(line, "→ "); ok {
			if err := conn.WriteString(said); err != nil {
				t.Fatal(err)
			}
			continue
		}
		k.expect(t, strings.TrimPrefix(line, "← "))
	}
}

// expect waits for a message. Views between are passed over.
func (k *talker) expect(t *testing.T, want string) {
	t.Helper()
	pattern := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*") + "$")
	deadline := time.After(20 * time.Second)
	for {
		select {
		case got, more := <-k.texts:
			switch {
			case !more:
				t.Fatalf("the connection ended before %s", want)
			case pattern.MatchString(got):
				return
			case !strings.HasPrefix(got, `{"view":`):
				t.Fatalf("got  %s\nwant %s", got, want)
			}
		case <-deadline:
			t.Fatalf("not in time: %s", want)
		}
	}
}
