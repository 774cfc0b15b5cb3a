package aos

import (
	"fmt"
	"strings"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/turn"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

func TestScripts(t *testing.T) {
	script := mechanismtest.Script{
		World: func(users world.User) world.World {
			w := newTraders(users, 100*fixed.One)
			w.effect = 100 * fixed.One
			return w
		},
		Mechanism: fromKeys,
		Describe:  describe,
		Show:      show,
	}
	script.Run(t, "testdata/*.txt")
}

// fromKeys makes the mechanism with two areas side by side, and what a script sets.
func fromKeys(keys mechanismtest.Keys) (mechanism.Mechanism, error) {
	c := param.Default[Config]()
	c.Columns, c.Rows = 2, 1
	for key, value := range keys {
		if err := param.Set(&c, key, value); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// describe says what is in a datagram.
func describe(s *mechanism.Session, m mechanism.Message) string {
	var text []string
	for p := range link.Parts(param.Default[link.Config](), m.Payload) {
		if len(p.Payload) == 0 {
			text = append(text, p.String())
			continue
		}
		text = append(text, describeMessage(s, p.Payload))
	}
	return strings.Join(text, " + ")
}

var kindNames = map[byte]string{
	kindAsk: "who serves what?", kindAreas: "areas", kindServes: "I serve", kindJoin: "join", kindWelcome: "welcome", kindLeave: "leave", kindHere: "here", kindGone: "gone", kindParted: "parted", kindMeeting: "let us talk",
	kindForward: "forward", kindUpdate: "update", kindReceipt: "receipt", kindServe: "tell", kindPaused: "do not wait for me",
	kindAlso: "also", kindStay: "stay",
}

func describeMessage(s *mechanism.Session, msg []byte) string {
	r := wire.NewReader(msg)
	switch kind := r.Byte(); kind {
	case kindBoth:
		news := describeMessage(s, append([]byte{kindNews}, r.Bytes()...))
		return news + ", " + describeMessage(s, append([]byte{kindOrders}, r.Rest()...))
	case kindOrders:
		n := readTurn(&r)
		held := readHeld(&r, nil)
		var batch turn.Reader
		batch.Open(r.Rest())
		count := 0
		for batch.Next() != nil {
			count++
		}
		return fmt.Sprintf("orders of turn %d: %d actions, %d held", n, count, len(held))
	case kindNews:
		var n news
		n.read(s.World.Schema(), r.Rest(), nil)
		return fmt.Sprintf("news of %d objects", len(n.items))
	case kindAdvance:
		return fmt.Sprintf("done with turn %d", readAdvance(&r).turn)
	case kindZone:
		return fmt.Sprintf("zone at the end of turn %d", readZone(&r).turn)
	case kindCommand:
		c := readCommand(&r)
		return fmt.Sprintf("%s of turn %d", s.World.Schema().Verbs[c.action.Verb].Name, c.turn)
	case kindDone:
		return fmt.Sprintf("action %d done: %v", readUint32(&r), readFlag(&r))
	case kindSource:
		return fmt.Sprintf("told by node %d", readTelling(&r).node)
	case kindWish:
		return [...]string{"wants to cease", "wants to begin", "has to cease"}[r.Byte()]
	case kindAnswer:
		return [...]string{"granted", "later", "does not keep up", "has it wrong"}[r.Byte()]
	case kindChunk:
		c := readChunk(&r)
		return fmt.Sprintf("round %d chunk %d of %d bytes, final: %v", c.round, c.index, c.size, c.final)
	case kindProgress:
		p := readProgress(&r)
		return fmt.Sprintf("has %d chunks of round %d", p.chunks, p.round)
	case kindPrepare:
		return fmt.Sprintf("deal %d: hold %v", r.Uint(), readHeld(&r, nil))
	case kindVote:
		return fmt.Sprintf("deal %d: promised: %v", r.Uint(), readFlag(&r))
	case kindDecide:
		return fmt.Sprintf("deal %d: go through with it: %v", r.Uint(), readFlag(&r))
	case kindSettled:
		return fmt.Sprintf("deal %d: settled", r.Uint())
	default:
		return kindNames[kind]
	}
}

// show says how things stand in a node.
func show(n mechanism.Node) string {
	switch n := n.(type) {
	case *server:
		own := 0
		for o := range n.replica.state().All() {
			if n.replica.owns(o) {
				own++
			}
		}
		return fmt.Sprintf("area %d at tick %d: %d own, %d others; simulated by %v, told: %v; deals %d, promises %d",
			n.area, n.replica.tick(), own, n.replica.state().Len()-own, n.members.simulating, n.desk.told,
			len(n.commits.ledger.deals), len(n.commits.ledger.promises))
	case *client:
		var roles []string
		for _, a := range n.Areas(nil) {
			roles = append(roles, [...]string{"ignored", "updated", "simulated"}[a.Role])
		}
		return strings.Join(roles, ", ")
	}
	return "registry"
}
