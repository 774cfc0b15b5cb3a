package latejoin

import (
	"bytes"
	"testing"

	"throng/mechanism"
	"throng/world"
)

// recovered has a server take claims by node ID, the first of which is of node 2, and returns what it chooses. Everybody's world
// is what they claim.
func recovered(t *testing.T, claims ...Claim) (best Claim, r *Recovery) {
	t.Helper()
	r = NewRecovery(1, 5)
	for i, c := range claims {
		r.Claim(0, mechanism.NodeID(i+2), c)
	}
	for now := world.Time(0); now < 10*claimsFor; now += world.Millisecond {
		to, ask := r.Poll(now, nil)
		if to == 0 {
			continue
		}
		if now < claimsFor {
			t.Fatalf("it chooses at %v", now)
		}
		var g Guide
		var snapshot []byte
		world := []byte{byte(claims[to-2].At), byte(claims[to-2].Hash)}
		g.Answer(now, 1, ask, func([]byte) []byte { return world }, func(chunk []byte) { snapshot, _ = r.Receive(now, to, chunk) })
		if !bytes.Equal(snapshot, world) || r.Chosen() != claims[to-2] {
			t.Fatalf("%v was chosen, and %v came", r.Chosen(), snapshot)
		}
		return r.Chosen(), r
	}
	return best, r
}

func TestRecoveryTakesWhatMostKnow(t *testing.T) {
	a, b, later := Claim{10, 1}, Claim{10, 2}, Claim{12, 3}
	for _, c := range []struct {
		claims []Claim
		want   Claim
	}{
		{[]Claim{a}, a},
		{[]Claim{a, later}, later},
		{[]Claim{later, a, a}, a},
		{[]Claim{b, a, b, a, b}, b},
		{[]Claim{a, b, b, later, later}, later},
	} {
		if got, _ := recovered(t, c.claims...); got != c.want {
			t.Errorf("of %v it takes %v", c.claims, got)
		}
	}
	if _, r := recovered(t); r.Lost() || r.Next() != world.Never {
		t.Error("who has heard of nobody gives up")
	}
}

// A client's last claim is the one that counts, however often it claims.
func TestRecoveryCountsClientsOnce(t *testing.T) {
	r := NewRecovery(1, 5)
	for range 10 {
		r.Claim(0, 2, Claim{12, 3})
	}
	r.Claim(0, 3, Claim{10, 1})
	r.Claim(0, 4, Claim{10, 1})
	if best, holders := r.choose(); best != (Claim{10, 1}) || len(holders) != 2 {
		t.Errorf("%v of %v", best, holders)
	}
}

// Where those who claim a world do not tell of it, the next one is taken, and in the end the world is lost.
func TestRecoveryGoesOn(t *testing.T) {
	r := NewRecovery(1, 5)
	r.Claim(0, 2, Claim{10, 1})
	r.Claim(0, 3, Claim{12, 1})
	var asked []mechanism.NodeID
	for now := world.Time(0); !r.Lost(); now = r.Next() {
		if now > world.Minute {
			t.Fatal("it never gives up")
		}
		if to, _ := r.Poll(now, nil); to != 0 && (len(asked) == 0 || asked[len(asked)-1] != to) {
			asked = append(asked, to)
		}
	}
	if len(asked) != 2 || asked[0] != 3 || asked[1] != 2 {
		t.Errorf("it asks %v", asked)
	}
	r = NewRecovery(1, 5)
	r.Hear(world.Second)
	if r.Poll(world.Second+claimsFor-1, nil); r.Lost() {
		t.Error("it does not wait")
	}
	if r.Poll(world.Second+claimsFor, nil); !r.Lost() {
		t.Error("it waits for those who know nothing")
	}
}
