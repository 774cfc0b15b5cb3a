package mechanism

import (
	"fmt"
	"slices"
	"testing"
)

func TestOutboxCarries(t *testing.T) {
	var out Outbox
	var went []string
	out.Carry(7, func(m Message) { went = append(went, fmt.Sprintf("%d %d %s", m.From, m.To, m.Payload)) })
	out.Send(1, Update, []byte("a"))
	out.Reset()
	out.SendAll([]NodeID{2, 3}, Update, []byte("b"))
	if want := []string{"7 1 a", "7 2 b", "7 3 b"}; !slices.Equal(went, want) || out.Sends() != 0 {
		t.Errorf("%q went and %d wait, want %q to have gone", went, out.Sends(), want)
	}
}
