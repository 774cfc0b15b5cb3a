package gateway

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"throng/live/direct"
	"throng/live/protocol"
	"throng/mechanism"
)

// Direct is how clients may connect to each other, where the mechanism has them talk (package direct). What they cannot send each other
// directly goes by the gateway.
type Direct struct {
	Servers []string // STUN and TURN servers by which they find each other: stun:host:port, turn:host:port
	Secret  string   // that TURN servers share with us; they let in whoever shows a name and a password made from it
}

// DirectReply is what clients are told.
type DirectReply struct {
	Servers []direct.Server `json:"servers,omitempty"`
}

// turnTime is for how long a name and a password for TURN servers are good.
const turnTime = 12 * time.Hour

// directReply tells a client how it may connect to others; nil if it may not, or has nobody to talk to.
func (g *Gateway) directReply(now time.Time) *DirectReply {
	if g.config.Direct == nil || g.servers != nil {
		return nil
	}
	reply := &DirectReply{}
	for _, url := range g.config.Direct.Servers {
		s := direct.Server{URLs: []string{url}}
		if strings.HasPrefix(url, "turn") && g.config.Direct.Secret != "" {
			s.Username = strconv.FormatInt(now.Add(turnTime).Unix(), 10)
			sum := hmac.New(sha1.New, []byte(g.config.Direct.Secret)) // as TURN servers have it (draft-uberti-behave-turn-rest)
			sum.Write([]byte(s.Username))
			s.Credential = base64.StdEncoding.EncodeToString(sum.Sum(nil))
		}
		reply.Servers = append(reply.Servers, s)
	}
	return reply
}

// signalsPerSecond is how many signals a client may send: it has few connections, and opens them now and then.
const signalsPerSecond = 50

// acquaintance is what is counted of how clients connect to each other.
type acquaintance struct {
	signals atomic.Int64
	direct  atomic.Int64 // datagrams that went from client to client, as clients say
	relayed atomic.Int64 // datagrams between clients that came by here
}

// signal passes on what a client says to another to whom it wants to connect.
func (c *client) signal(item protocol.Item, now time.Time) {
	g, own := c.gate, c.ticket.seat.Place().ID
	switch {
	case g.config.Direct == nil || g.servers != nil || g.isServer[item.Peer]:
		g.drops.stray.Add(1)
	case !c.signals.take(now, 1, signalsPerSecond, time.Second):
		g.drops.rate.Add(1)
	case len(item.Payload) > direct.SignalMax:
		g.drops.malformed.Add(1)
	case item.Peer == own:
		c.tally(item.Payload)
	case g.hub.Runs(item.Peer): // nobody is there who could connect
		if no, ok := direct.Refusal(item.Payload); ok {
			c.Send(mechanism.Message{From: item.Peer, To: own, Class: mechanism.Signal, Payload: no})
		}
	default:
		g.meeting.signals.Add(1)
		g.hub.Deliver(c.ticket.seat, mechanism.Message{To: item.Peer, Class: mechanism.Signal, Payload: item.Payload})
	}
}

// tally takes what a client says of its connections to others. Nothing depends on it.
func (c *client) tally(payload []byte) {
	t, ok := direct.ReadTally(payload)
	if !ok {
		c.gate.drops.malformed.Add(1)
		return
	}
	c.gate.meeting.direct.Add(int64(t.Direct))
	c.partners.Store(int64(min(t.Open, direct.Usual)))
}
