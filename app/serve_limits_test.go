//go:build unix

package app

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"

	"throng/live/livetest"
)

// A server with few descriptors, most of which somebody holds who does nothing, lets others in, and says what happens.
func TestFewDescriptors(t *testing.T) {
	binary := build(t)
	args := append([]string{"-c", `ulimit -n 256; exec "$0" "$@"`, binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, town...)
	p, announce := launch(t, exec.Command("sh", args...))
	announce()
	for i := range 400 {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i/90))}}
		conn, err := d.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	ada := visit(t, p.url)
	ada.watches(t, 1)
	ada.watches(t, ada.user)
	for _, line := range []string{"there may be fewer connections than the limits say", "clients were refused"} {
		livetest.Until(t, fmt.Sprintf("the log says that %s", line), func() bool { return len(p.said.About(line)) > 0 })
	}
	if lines := p.said.About("too many open files"); len(lines) > 0 {
		t.Errorf("the log says %q", lines)
	}
	p.interrupt(t)
	if code, said := p.ends(t); code != exitOK {
		t.Errorf("exit code %d, %s", code, said)
	}
}
