package app

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"throng/live/livetest"
)

// A server whose log nobody reads, or nobody is there to read, goes on.
func TestLogThatNobodyReads(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	p := exec.Command(build(t), "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--no-webtransport", "--players", "2", "--log-level", "debug")
	p.Stderr = writer
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	defer p.Process.Kill()
	writer.Close()
	lines := bufio.NewScanner(out)
	admin := ""
	for admin == "" && lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), forOperators); ok {
			admin = strings.TrimSuffix(url, "/admin")
		}
	}
	knock := func() { // is worth a line
		t.Helper()
		resp, err := http.Get(admin + "/ws")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	lost := func() (n int) {
		_, rest, _ := strings.Cut(fetch(t, admin+"/metrics"), "\nthrong_log_lines_lost_total ")
		fmt.Sscan(rest, &n)
		return n
	}
	for lost() == 0 { // the pipe is full, and then the queue
		for range 200 {
			knock()
		}
	}
	before := lost()
	reader.Close()
	livetest.Until(t, "what waited cannot be written either", func() bool { return lost() > before+100 })
	knock()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("its end: %v", err)
	}
}
