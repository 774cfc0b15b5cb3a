// Two nodes that share a game of Pong, driven by hand.
//
// A mechanism is a state machine without clock or network: whoever has a node tells it what time it is and what has
// arrived, and finds in the outbox what it wants sent. Here that is this program. It lets the first user move while the
// network is slow, shows that the two views part, and that they are the same again to the bit when the news arrives: the
// second node goes back to the moment of the move and computes what followed once more.
package main

import (
	"fmt"
	"log"

	"throng/catalog"
	"throng/mechanism"
	"throng/mechanism/optimistic"
	"throng/world"
	"throng/worlds/pong"
)

func main() {
	game, err := catalog.Defaults(new(pong.Config)).World()
	if err != nil {
		log.Fatal(err)
	}
	start := world.NewState(game.Schema(), 1)
	game.Populate(start)

	sharing := catalog.Defaults(new(optimistic.Config))
	session := &mechanism.Session{World: game, Start: start, Places: sharing.Places(game)}
	var nodes [2]mechanism.Client
	for i, place := range session.Places {
		node, err := sharing.NewNode(session, place)
		if err != nil {
			log.Fatal(err)
		}
		nodes[i] = node.(mechanism.Client) // every node of this mechanism has a user
	}
	left, right := nodes[0], nodes[1]

	// A node is woken at every tick. The outbox has what it wants done; there is nothing to do while nobody acts.
	var out mechanism.Outbox
	tick := game.Schema().Tick
	pass := func(from, to world.Time) {
		for now := from; now <= to; now += tick {
			for _, n := range nodes {
				out.Reset()
				n.Wake(now, &out)
			}
		}
	}
	show := func(now world.Time, what string) {
		verdict := "equal"
		if left.View().Hash() != right.View().Hash() {
			verdict = "different"
		}
		fmt.Printf("%6v  %-41s %016x %016x  %s\n", now, what, left.View().Hash(), right.View().Hash(), verdict)
	}

	pass(0, 500*world.Millisecond)
	show(500*world.Millisecond, "both have computed the same game")

	out.Reset()
	left.Act(500*world.Millisecond, world.Action{User: 1, Seq: 1, Verb: pong.Move, Args: [world.MaxArgs]int64{100}}, &out)
	news := out.Message(0, 1)
	news.Payload = append([]byte(nil), news.Payload...) // the outbox will be used again
	show(500*world.Millisecond, fmt.Sprintf("the left user moves, which takes %d bytes", len(news.Payload)))

	pass(500*world.Millisecond+tick, 800*world.Millisecond)
	show(800*world.Millisecond, "the right node has not heard of it")

	out.Reset()
	right.Receive(800*world.Millisecond, news, &out)
	show(800*world.Millisecond, "now it has")

	// What happened inside a node is reported with the next call. Nobody needs to listen.
	out.Reset()
	right.Wake(800*world.Millisecond+tick, &out)
	for _, e := range out.Events() {
		if e.Name == mechanism.Rollback {
			fmt.Printf("        the right node went back by %d ticks\n", e.Value)
		}
	}
}
