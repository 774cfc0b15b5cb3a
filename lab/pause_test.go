package lab_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"throng/catalog"
	"throng/lab"
	"throng/lab/experiment"
	"throng/lab/measure"
	"throng/lab/sim"
)

// impatient is a context that is done once it was asked a number of times: a run asks now and then.
type impatient struct {
	context.Context
	left int
}

func (s *impatient) Err() error {
	if s.left--; s.left < 0 {
		return context.Canceled
	}
	return nil
}

func this() (string, error) { return "this", nil }

// Whatever is being run, and wherever it is interrupted, it goes on to the same figures.
func TestInterruptedRunsGoOn(t *testing.T) {
	for _, m := range catalog.Default().Mechanisms {
		for _, w := range []string{"crowd", "rts"} {
			t.Run(m.Name+"/"+w, func(t *testing.T) {
				s := setup(t, w, m.Name, "constant", small[w]...)
				s.Duration /= 2
				want, err := lab.Trial(measure.All())(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				folder := filepath.Join(t.TempDir(), "paused")
				got, pauses := interrupted(t, s, folder, 2)
				if pauses == 0 {
					t.Error("it was never interrupted")
				}
				for i := range want {
					if a, b := fmt.Sprint(want[i]), fmt.Sprint(got[i]); a != b {
						t.Errorf("%s, and %s after %d interruptions", a, b, pauses)
					}
				}
			})
		}
	}
}

// interrupted runs a set-up that is interrupted again and again, each time in a program of its own.
func interrupted(t *testing.T, s experiment.Setup, folder string, patience int) (figures experiment.Measures, pauses int) {
	t.Helper()
	for {
		p := lab.NewPauses(folder, this)
		if pauses > 0 {
			if err := p.Resume(); err != nil {
				t.Fatal(err)
			}
		}
		figures, err := p.Trial(measure.All())(&impatient{context.Background(), patience}, s)
		if err == nil {
			return figures, pauses
		}
		if !errors.Is(err, sim.ErrStopped) {
			t.Fatal(err)
		}
		if kept, refused := p.Kept(); kept != 1 || refused != nil {
			t.Fatalf("%d runs are kept: %v", kept, refused)
		}
		if err := p.Save(); err != nil {
			t.Fatal(err)
		}
		pauses++
	}
}

func TestFinishedRunsAreNotRunAgain(t *testing.T) {
	s, folder := setup(t, "pong", "loose", "constant"), filepath.Join(t.TempDir(), "paused")
	p := lab.NewPauses(folder, this)
	want, err := p.Trial(measure.All())(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Save(); err != nil {
		t.Fatal(err)
	}
	p = lab.NewPauses(folder, this)
	if err := p.Resume(); err != nil {
		t.Fatal(err)
	}
	got, err := p.Trial(measure.All())(&impatient{context.Background(), 0}, s) // a run would be stopped at once
	if a, b := fmt.Sprint(want), fmt.Sprint(got); a != b || err != nil {
		t.Errorf("finished with\n%s\nand read\n%s, %v", a, b, err)
	}
	s.Seed++
	if _, err := p.Trial(measure.All())(&impatient{context.Background(), 0}, s); !errors.Is(err, sim.ErrStopped) {
		t.Errorf("another run is taken for the finished one: %v", err)
	}
}

func TestWhatCannotBeResumed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "paused")
	if err := lab.NewPauses(folder, this).Resume(); err == nil || !strings.Contains(err.Error(), "no interrupted runs") {
		t.Errorf("nothing: %v", err)
	}
	p := lab.NewPauses(folder, this)
	s := setup(t, "pong", "loose", "constant")
	_, _ = p.Trial(nil)(&impatient{context.Background(), 0}, s)
	if err := p.Save(); err != nil {
		t.Fatal(err)
	}
	if err := lab.NewPauses(folder, func() (string, error) { return "another", nil }).Resume(); err == nil || !strings.Contains(err.Error(), "another build") {
		t.Errorf("another program's: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "????????*"))
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && len(text) > 100 {
			if err := os.WriteFile(f, text[:len(text)/2], 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := p.Trial(nil)(context.Background(), s); err == nil || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("half an image: %v", err)
	}
}
