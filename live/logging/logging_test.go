package logging

import (
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"throng/live/livetest"
)

func text(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }

func TestEverythingIsWrittenInOrder(t *testing.T) {
	var d livetest.Diary
	q := NewQueue(&d, text)
	log := q.Logger()
	log.Info("first", "n", 1)
	io.WriteString(q, "second\n")
	log.Info("third")
	q.Close(time.Minute)
	lines := strings.Split(d.String(), "\n")
	if len(lines) != 4 || !strings.HasSuffix(lines[0], "msg=first n=1") || lines[1] != "second" || !strings.HasSuffix(lines[2], "msg=third") {
		t.Errorf("%q", lines)
	}
	log.Info("too late") // is lost, and harms nobody
	if q.Dropped() != 1 {
		t.Errorf("%d lines were dropped", q.Dropped())
	}
}

// stalled is a reader that has stopped reading.
type stalled struct {
	livetest.Diary
	goOn chan struct{}
}

func (s *stalled) Write(p []byte) (int, error) {
	<-s.goOn
	return s.Diary.Write(p)
}

// Nobody who logs waits for a reader who has stopped reading; the log says what was lost.
func TestStalledReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stalled{goOn: make(chan struct{})}
		q := NewQueue(s, text)
		log := q.Logger()
		log.Info("the first")
		synctest.Wait() // it is being written
		for range linesMax + 100 {
			log.Info("more")
		}
		if q.Dropped() != 100 {
			t.Errorf("%d lines were dropped", q.Dropped())
		}
		close(s.goOn)
		synctest.Wait()
		if lost := s.About("lines=100"); len(lost) != 1 {
			t.Errorf("the log says %q", lost)
		}
		log.Info("the last")
		q.Close(time.Minute)
		if len(s.About("the last")) != 1 {
			t.Error("a line was lost after that")
		}
	})
}

func TestClosingDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stalled{goOn: make(chan struct{})}
		q := NewQueue(s, text)
		q.Logger().Info("x")
		began := time.Now()
		q.Close(time.Second)
		if passed := time.Since(began); passed != time.Second {
			t.Errorf("waited for %v", passed)
		}
		close(s.goOn)
	})
}

// failing is a reader that is away for some lines.
type failing struct {
	livetest.Diary
	times int
}

func (f *failing) Write(p []byte) (int, error) {
	if f.times--; f.times >= 0 {
		return 0, errors.New("broken pipe")
	}
	return f.Diary.Write(p)
}

func TestLinesThatCannotBeWrittenAreCounted(t *testing.T) {
	f := &failing{times: 2}
	q := NewQueue(f, text)
	for range 3 {
		q.Logger().Info("x")
	}
	q.Close(time.Minute)
	if q.Dropped() != 2 || len(f.About("lines=2")) != 1 {
		t.Errorf("%d lines were lost: %s", q.Dropped(), f.String())
	}
}

func TestLongLinesAreCut(t *testing.T) {
	var d livetest.Diary
	q := NewQueue(&d, text)
	q.Logger().Info(strings.Repeat("x", 2*lineMax))
	q.Close(time.Minute)
	if s := d.String(); len(s) != lineMax || !strings.HasSuffix(s, "x\n") {
		t.Errorf("%d bytes", len(s))
	}
}
