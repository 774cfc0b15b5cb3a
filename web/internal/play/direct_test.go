package play

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"throng/catalog"
	"throng/live/protocol"
	"throng/mechanism"
	"throng/world"
)

// order is what a client wants done about a connection.
type order struct {
	what Order
	conn uint32
	body string
}

func ordersOf(c *Client) (list []order) {
	for b := c.Orders(); len(b) > 0; {
		size := binary.LittleEndian.Uint32(b)
		list = append(list, order{Order(b[4]), binary.LittleEndian.Uint32(b[5:]), string(b[9 : 9+size])})
		b = b[9+size:]
	}
	return list
}

// description is what a browser says of its end.
func description(name string) string {
	return fmt.Sprintf("a=ice-ufrag:%s\r\na=ice-pwd:%s\r\na=fingerprint:sha-256 %s\r\na=candidate:1 1 udp 1 192.0.2.1 5000 typ host\r\n",
		name, strings.Repeat("p", 24), strings.TrimSuffix(strings.Repeat("AB:", 32), ":"))
}

// A client has its owner open connections to peers that it talks to, sends by them, and goes by the server again when they close.
func TestOwnerConnects(t *testing.T) {
	g := town(t)
	c := New(catalog.Default())
	c.Meet(true, false)
	c.Hello(g.now, []byte("token"), true, 0)
	g.run(c, 2*world.Second)
	const peer = 99
	signals := func() (n int) {
		for list := c.Frames(); len(list) > 0; {
			size := 5 + binary.LittleEndian.Uint32(list)
			items := protocol.ReadData(list[5:size])
			for item, ok := items.Next(); ok; item, ok = items.Next() {
				if item.Class == mechanism.Signal && item.Peer == peer {
					n++
				}
			}
			list = list[size:]
		}
		return n
	}
	for range 4 {
		c.carry(peer, mechanism.Update, []byte("x"))
	}
	made := ordersOf(c)
	if len(made) != 1 || made[0].what != OrderOpen || made[0].body != "" {
		t.Fatalf("ordered %+v", made)
	}
	conn := made[0].conn
	c.Hear(g.now, conn, NewsDescribed, []byte(description("name")))
	c.wire.flush()
	if n := signals(); n != 1 {
		t.Fatalf("%d signals", n)
	}
	c.Hear(g.now, conn, NewsOpened, nil)
	c.carry(peer, mechanism.Update, []byte("hello"))
	if got := ordersOf(c); len(got) != 1 || got[0] != (order{OrderSend, conn, string(rune(mechanism.Update)) + "hello"}) {
		t.Errorf("ordered %+v", got)
	}
	c.Hear(g.now, conn, NewsFull, nil)
	if c.carry(peer, mechanism.Update, []byte("hello")); len(ordersOf(c)) != 0 {
		t.Error("sent by a connection that is full")
	}
	c.Hear(g.now, conn, NewsFree, nil)
	before := c.Counts().DatagramsIn
	c.Hear(g.now, conn, NewsMessage, []byte{byte(mechanism.Update), 1})
	if n := c.Counts(); n.DatagramsIn != before+1 || n.Partners != 1 || n.Direct != 1 || n.Relayed != 5 {
		t.Errorf("counted %+v", n)
	}
	c.Vanish(g.now, peer)
	c.carry(peer, mechanism.Update, []byte("gone"))
	c.Hear(g.now, conn, NewsMessage, []byte{byte(mechanism.Update), 1})
	if len(ordersOf(c)) != 0 || c.Counts().DatagramsIn != before+1 {
		t.Error("something got through to who has vanished, or from there")
	}
	c.shunned = 0
	c.Hear(g.now, conn, NewsClosed, nil)
	if got := ordersOf(c); len(got) != 1 || got[0].what != OrderClose {
		t.Errorf("ordered %+v", got)
	}
	if c.carry(peer, mechanism.Update, []byte("hello")); len(ordersOf(c)) != 0 || c.Counts().Partners != 0 {
		t.Error("sent by a connection that is closed")
	}
	c.Hear(g.now, conn, NewsMessage, []byte{byte(mechanism.Update), 1}) // too late to be heard
}
