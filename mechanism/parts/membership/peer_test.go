package membership

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/random"
	"throng/world/wire"
)

func TestMeetingRoundTrip(t *testing.T) {
	for _, m := range []Meeting{{}, {Epoch: 3, Talk: Identity{7, 8}, Answer: true}, {Epoch: 1<<32 - 1, Talk: Identity{1, 0}}} {
		r := wire.NewReader(m.Append(nil))
		if got := ReadMeeting(&r); got != m || r.Done() != nil {
			t.Errorf("%+v arrived as %+v", m, got)
		}
	}
}

// pair is two servers that count what they say to each other in a talk: with each new talk both begin to count anew, so that
// what they hear must follow from what they heard before.
type pair struct {
	t       *rapid.T
	now     world.Time
	peers   [2]Peer
	epochs  [2]uint32
	began   [2]Identity // which talk each has begun
	flights []word
	stream  random.Stream
	cut     bool
}

type word struct {
	at      world.Time
	to      int
	meeting Meeting
}

func (p *pair) say(from int, m Meeting) {
	m.Epoch = p.epochs[from]
	if p.cut || p.stream.Below(5) == 0 {
		return
	}
	for range 1 + p.stream.Below(4)/3 {
		p.flights = append(p.flights, word{p.now + 1 + world.Time(p.stream.Below(uint64(800*ms))), 1 - from, m})
	}
}

func (p *pair) pass(span world.Time) {
	for end := p.now + span; p.now < end; p.now += 50 * ms {
		for i := range p.peers {
			x := &p.peers[i]
			if !p.cut && x.InTouch() && p.peers[1-i].InTouch() && x.Talk == p.peers[1-i].Talk {
				x.Hear(p.now) // they go on telling each other things
			}
			if x.GiveUp(p.now, patience, true) {
				p.began[i] = Identity{}
			}
			if x.Poll(p.now) {
				p.say(i, Meeting{Talk: x.Talk})
			}
		}
		for i := 0; i < len(p.flights); i++ {
			if f := p.flights[i]; f.at <= p.now {
				p.flights[i] = p.flights[len(p.flights)-1]
				p.flights = p.flights[:len(p.flights)-1]
				p.hear(f)
				i--
			}
		}
	}
}

func (p *pair) hear(f word) {
	x := &p.peers[f.to]
	before := x.Talk
	if x.Meet(p.now, &f.meeting) {
		if p.began[f.to] == x.Talk {
			p.t.Fatalf("server %d begins talk %v twice", f.to, x.Talk)
		}
		p.began[f.to] = x.Talk
	}
	if before.After(x.Talk) {
		p.t.Fatalf("server %d goes back from talk %v to %v", f.to, before, x.Talk)
	}
	if !f.meeting.Answer {
		p.say(f.to, Meeting{Talk: x.Talk, Answer: true})
	}
}

// TestPeersMeetAgain cuts two servers off from each other and replaces them, over a network that loses, repeats and reorders.
// Whenever it works for a while they are in touch again, and have begun the same talk.
func TestPeersMeetAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &pair{t: t, stream: random.New(rapid.Uint64().Draw(t, "seed"), "network")}
		for i := range p.peers {
			p.peers[i] = NewPeer(0, false)
		}
		for range rapid.IntRange(1, 12).Draw(t, "events") {
			switch i := rapid.IntRange(0, 1).Draw(t, "server"); rapid.SampledFrom([]string{"cut", "heal", "replace"}).Draw(t, "event") {
			case "cut":
				p.cut = true
			case "heal":
				p.cut = false
			case "replace":
				p.epochs[i]++
				p.peers[i], p.began[i] = NewPeer(p.epochs[i], true), Identity{}
			}
			p.pass(world.Time(rapid.SampledFrom([]int64{0, 500, 3000, 10000}).Draw(t, "pause")) * ms)
		}
		p.cut = false
		p.pass(world.Minute)
		if a, b := &p.peers[0], &p.peers[1]; !a.InTouch() || !b.InTouch() || a.Talk != b.Talk || p.began[0] != p.began[1] {
			t.Fatalf("%+v and %+v, which began %v", *a, *b, p.began)
		}
	})
}

// A peer that owes nothing is not given up, and one that is gone is asked less and less often.
func TestGivingUp(t *testing.T) {
	p := NewPeer(0, false)
	for now := world.Time(0); now < world.Minute; now += world.Second {
		if p.GiveUp(now, patience, false) {
			t.Fatalf("given up at %v", now)
		}
	}
	if p.GiveUp(world.Minute, patience, true) || p.GiveUp(world.Minute+patience-world.Second, patience, true) {
		t.Fatal("given up at once")
	}
	if !p.GiveUp(world.Minute+2*patience, patience, true) || p.InTouch() {
		t.Fatal("not given up")
	}
	asked := 0
	for now := world.Minute + 2*patience; now < 3*world.Minute; now += 10 * ms {
		if p.Poll(now) {
			asked++
		}
	}
	if asked < 20 || asked > 40 {
		t.Errorf("asked %d times in two minutes", asked)
	}
}
