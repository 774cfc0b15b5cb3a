package lockstep

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/latejoin"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/star"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/wire"
)

// body skips a message's kind.
func body(t *rapid.T, message []byte, kind byte) *wire.Reader {
	r := wire.NewReader(message)
	if got := r.Byte(); got != kind {
		t.Fatalf("kind %d instead of %d", got, kind)
	}
	return &r
}

func TestWireRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string) turn.Number { return turn.Number(rapid.Int64Range(0, numberMax).Draw(t, name)) }
		who := membership.Identity{Epoch: rapid.Uint32().Draw(t, "epoch"), Life: rapid.Uint32().Draw(t, "life")}
		same := func(got, want any, r *wire.Reader) {
			if err := r.Done(); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v came back as %+v (%v)", want, got, err)
			}
		}

		j := join{who, number("first"), rapid.Uint32().Draw(t, "under")}
		r := body(t, j.append(nil), kindJoin)
		same(readJoin(r), j, r)

		claim := latejoin.Claim{At: uint64(number("tick")), Hash: rapid.Uint64().Draw(t, "hash")}
		r = body(t, appendClaim(nil, claim), kindClaim)
		same(readClaim(r), claim, r)

		w := welcome{who.Life, who.Epoch, number("until"), turn.Number(rapid.IntRange(1, delayMax).Draw(t, "delay"))}
		r = body(t, w.append(nil), kindWelcome)
		same(readWelcome(r), w, r)

		p := ping{world.Time(rapid.Int64().Draw(t, "stamp")), world.Time(rapid.Int64Range(0, timeMax).Draw(t, "one way"))}
		r = body(t, p.append(nil), kindPing)
		same(readPing(r), p, r)

		q := pong{p.stamp, world.Time(rapid.Int64Range(-timeMax, timeMax).Draw(t, "now")), rapid.Bool().Draw(t, "member")}
		r = body(t, q.append(nil), kindPong)
		same(readPong(r), q, r)

		d := differs{tick: trailMax + world.Tick(number("tick"))/2, hashes: rapid.SliceOfN(rapid.Uint64(), 1, trailMax).Draw(t, "hashes")}
		r = body(t, d.append(nil), kindDiffers)
		same(readDiffers(r), d, r)

		h := turnsHeader{first: number("first"), slip: world.Tick(rapid.IntRange(0, slipMax).Draw(t, "slip"))}
		h.agreed = turn.Number(rapid.Int64Range(0, int64(h.first)).Draw(t, "agreed"))
		r = body(t, h.append(nil), kindTurns)
		same(readTurns(r), h, r)

		c := Config{Check: rapid.IntRange(0, 3).Draw(t, "check")}
		a := advance{turn: number("turn"), actions: nobody}
		if c.due(a.turn + 1) {
			a.hash = rapid.Uint64().Draw(t, "hash")
		}
		r = body(t, c.appendAdvance(nil, a.turn, a.hash, &turn.Batch{}), kindAdvance)
		same(c.readAdvance(r), a, r)
	})
}

// FuzzServer hands the server anything as a client's message. Whatever it is, the run goes on and replicas stay equal.
func FuzzServer(f *testing.F) {
	c := param.Default[Config]()
	var batch turn.Batch
	batch.Add(&world.Action{User: 1, Seq: 1, Verb: mechanismtest.Drop})
	f.Add(c.appendAdvance(nil, 2, 7, &batch))
	f.Add((&join{membership.Identity{Life: 1}, 3, 0}).append(nil))
	f.Add((&ping{5, 6}).append(nil))
	f.Add(membership.Identity{}.Append([]byte{kindLeave}))
	f.Add([]byte{kindAsk, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Add(appendClaim(nil, latejoin.Claim{At: 4, Hash: 9}))
	f.Add([]byte{kindChunk, 1, 0, 1})
	f.Fuzz(func(t *testing.T, message []byte) {
		fuzz(t, mechanism.Message{From: 2, To: star.Server, Payload: message}, false)
		fuzz(t, mechanism.Message{From: 2, To: star.Server, Payload: message}, true)
	})
}

// FuzzClient hands a client anything as the server's message.
func FuzzClient(f *testing.F) {
	f.Add(append((&turnsHeader{first: 3, agreed: 2}).append(nil), 1, 0))
	f.Add((&welcome{1, 2, 3, 4}).append(nil))
	f.Add((&differs{5, []uint64{1, 2}}).append(nil))
	f.Add((&pong{200, 300, true}).append(nil))
	f.Add([]byte{kindDelay, 7})
	f.Add([]byte{kindAgain, 1})
	f.Add([]byte{kindBereft, 1})
	f.Add([]byte{kindAsk, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Add([]byte{kindChunk, 0, 0, 1})
	f.Fuzz(func(t *testing.T, message []byte) {
		fuzz(t, mechanism.Message{From: star.Server, To: 2, Payload: message}, false)
	})
}

// fuzz sends a message in the middle of a run, by an unreliable frame that fills its datagram; or to a server that has just begun
// anew.
func fuzz(t *testing.T, m mechanism.Message, anew bool) {
	r := rig(t, mechanismtest.Marbles(2), nil)
	r.Start()
	r.Play(5)
	if anew {
		r.Advance(world.Second)
		if err := r.Join(star.Server); err != nil {
			t.Fatal(err)
		}
	}
	m.Payload = frame(m.Payload)
	r.Give(m)
	r.Play(20)
	for u := range world.User(2) {
		if n := clientOf(r, u+1); n.phase == playing && n.tick() == serverOf(r).tick() && n.found == nil &&
			n.View().Hash() != serverOf(r).follower.State().Hash() && m.To == star.Server {
			t.Fatalf("%x makes replicas differ", m.Payload)
		}
	}
}

// frame makes a datagram of a message as the link does.
func frame(message []byte) []byte {
	var out mechanism.Outbox
	link.New(param.Default[link.Config](), 1, 0).Send(0, 2, mechanism.Control, message, link.Unreliable, &out)
	return out.Message(0, 1).Payload
}
