package replay

import (
	"encoding/json"
	"testing"

	"throng/world"
)

// Every datagram of the recording is counted once, those within a span are listed with what is in them, and none was lost.
func TestNotes(t *testing.T) {
	p := open(t)
	var noted struct {
		Sent      int
		Datagrams []struct {
			At, Got  float64
			From, To int
			Class    string
			Text     string
			Lost     bool
		}
	}
	if err := json.Unmarshal(p.Noted(world.Second, 2*world.Second, 1000), &noted); err != nil {
		t.Fatal(err)
	}
	if noted.Sent == 0 || len(noted.Datagrams) == 0 || len(noted.Datagrams) >= noted.Sent {
		t.Fatalf("%d of %d datagrams", len(noted.Datagrams), noted.Sent)
	}
	for _, d := range noted.Datagrams {
		if d.At > 2000 || d.Got < 1000 || d.Got-d.At < 100 || d.From == d.To || d.Text == "" || d.Lost {
			t.Errorf("%+v", d)
		}
	}
	sent, density := 0.0, p.Density(50)
	for i := 0; i < len(density); i += counts {
		sent += density[i+countSent]
	}
	if int(sent) != noted.Sent || len(density) != 50*counts {
		t.Errorf("%v datagrams in %d numbers, instead of %d", sent, len(density), noted.Sent)
	}
	if n := len(p.Density(0)); n != 0 {
		t.Errorf("%d numbers for no parts", n)
	}
}
