package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"

	"throng/lab/experiment"
)

func TestProgressLines(t *testing.T) {
	var buf bytes.Buffer
	clock := time.Time{}
	l := &lines{out: &buf, title: "adam/delay", now: func() time.Time { clock = clock.Add(time.Second); return clock }}
	l.Planned(15)
	for i := range 20 {
		var failure *experiment.Failure
		if i == 2 {
			failure = &experiment.Failure{Err: "no honey", Seed: 9}
		}
		if i == 14 {
			l.Planned(20)
		}
		l.Finished(nil, i, failure)
	}
	l.Ended(false)
	want, err := os.ReadFile("testdata/progress.txt")
	if err != nil {
		t.Fatal(err)
	}
	if buf.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", &buf, want)
	}

	buf.Reset()
	l = &lines{out: &buf, title: "x", now: l.now}
	l.Planned(3)
	l.Ended(true)
	if want := "x: 3 runs\nx: interrupted after 0 of 3 runs, 1s\n"; buf.String() != want {
		t.Errorf("got %q, want %q", buf.String(), want)
	}
}

func TestProgressIntoAFileIsLines(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if p, ok := newProgress(f, "x").(*lines); !ok {
		t.Errorf("got %T, want lines", p)
	}
}

func TestProgressBarEnds(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		var buf bytes.Buffer
		b := &bar{title: "adam/delay", container: mpb.New(mpb.WithOutput(&buf), mpb.WithWidth(80), mpb.WithAutoRefresh())}
		b.Planned(2)
		b.Finished(nil, 0, nil)
		b.Planned(3)
		b.Finished(nil, 1, &experiment.Failure{Err: "no honey", Seed: 9})
		b.Finished(nil, 2, nil)
		b.Ended(interrupted)
		for _, want := range []string{"adam/delay", "3 of 3 runs", "failed: replication 0 (seed 9): no honey"} {
			if !strings.Contains(buf.String(), want) {
				t.Errorf("interrupted %v: no %q in %q", interrupted, want, buf.String())
			}
		}
	}
}
