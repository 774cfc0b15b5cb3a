package lab_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"throng/catalog"
	"throng/lab"
	"throng/lab/record"
	"throng/mechanism"
	"throng/world"
)

// Under every mechanism a recording says what was in each datagram and when it came, in the same bytes each time.
func TestRecordingsTellOfEveryDatagram(t *testing.T) {
	for _, m := range catalog.Default().Mechanisms {
		t.Run(m.Name, func(t *testing.T) {
			network := "constant"
			if _, ideal := m.New().(mechanism.Idealised); ideal {
				network = "perfect"
			}
			s := setup(t, "crowd", m.Name, network, "world.walkers", "6")
			s.Duration = 2 * world.Second
			first, second := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
			for _, file := range []string{first, second} {
				if err := lab.Record(t.Context(), s, nil, nil, file); err != nil {
					t.Fatal(err)
				}
			}
			a, errA := os.ReadFile(first)
			b, errB := os.ReadFile(second)
			if errA != nil || errB != nil || !bytes.Equal(a, b) {
				t.Errorf("two recordings of the same run differ (%v, %v)", errA, errB)
			}
			checkNotes(t, first)
		})
	}
}

func checkNotes(t *testing.T, file string) {
	r, err := record.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	sent, got := map[uint64]record.Note{}, 0
	for n, err := range r.AllNotes() {
		if err != nil {
			t.Fatal(err)
		}
		switch n.Kind {
		case record.Sent:
			if strings.Trim(n.Text, "?{} ") == "" || strings.Contains(n.Text, "nonsense") || n.Size == 0 {
				t.Fatalf("a datagram is described as %q, %d bytes", n.Text, n.Size)
			}
			sent[n.Ref] = n
		case record.Got:
			if n.Time < sent[n.Ref].Time || sent[n.Ref].Size == 0 {
				t.Fatalf("datagram %d came before it was sent", n.Ref)
			}
			got++
		}
	}
	if got == 0 || got < len(sent)*4/5 {
		t.Errorf("%d of %d datagrams came over a network that loses none", got, len(sent))
	}
}
