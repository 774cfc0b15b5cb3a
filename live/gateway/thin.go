package gateway

import (
	"net/http"
	"sync/atomic"
	"time"

	"throng/live/direct"
	"throng/live/driver"
	"throng/live/hub"
	"throng/live/thin"
	"throng/mechanism"
)

// thinClient is the part of a client that has no node of its own: its node runs here, between the connection and the hub. To the hub
// it is the connection.
type thinClient struct {
	client *client
	format thin.Format
	user   atomic.Pointer[thin.User] // nil until the client has joined, and after its end
}

var (
	_ hub.Conn      = (*thinClient)(nil)
	_ driver.Router = seated{}
	_ thin.Line     = (*thinClient)(nil)
)

// serveThin takes in a client that speaks the thin protocol.
func (g *Gateway) serveThin(w http.ResponseWriter, r *http.Request) {
	format, ok := thin.ParseFormat(r.URL.Query().Get("format"))
	if !ok {
		answerText(w, http.StatusBadRequest, "the format is json or msgpack")
		return
	}
	g.openWebSocket(w, r, &thinClient{format: format})
}

// adopt makes a client a thin one, before anything has come from it.
func (t *thinClient) adopt(c *client, pipe *socketPipe) {
	t.client, c.thin, c.kind = c, t, "thin"
	if t.format == thin.JSON {
		pipe.op = opText
	}
}

// take takes a message that was admitted. The client is locked for reading.
func (t *thinClient) take(message []byte, now time.Time) *ending {
	c := t.client
	c.mu.Lock()
	c.traffic.FramesIn++
	c.traffic.BytesIn += int64(len(message))
	c.mu.Unlock()
	r, err := thin.ReadRequest(t.format, message)
	user := t.user.Load()
	switch {
	case err != nil:
		return c.malformed()
	case user == nil && c.claiming:
		return nil // it was to wait for the welcome
	case user == nil:
		return t.join(&r, now)
	case r.Type == thin.TypeLeave:
		c.gate.hub.Leave(c.ticket.seat, endLeft.text)
		return endLeft
	}
	user.Take(r)
	return nil
}

// join finds the client a seat: the one that it has a token for, or a new one. It is then welcomed, and its node begins.
func (t *thinClient) join(r *thin.Request, now time.Time) *ending {
	c := t.client
	switch {
	case r.Type != thin.TypeJoin:
		return endJoin
	case !thin.Understood(r.Version, t.format):
		return endVersion
	}
	if err := c.gate.thin.Check(&r.Wishes); err != nil {
		return &ending{endMalformed.code, err.Error()}
	}
	token := r.Token
	if token == "" {
		if c.gate.shut.Load() {
			return endDraining
		}
		if !c.gate.admission.join(c.from, now) {
			c.gate.admission.count(refusedJoins)
			return endJoins
		}
		who, err := c.gate.identify(r.Name, r.Account, c.from)
		if err != nil {
			c.gate.admission.count(refusedAccount)
			return &ending{endAccount.code, err.Error()}
		}
		token = c.gate.issue(who, now)
	}
	if c.gate.config.Seats != nil {
		wishes := r.Wishes
		c.claim([]byte(token), true, func(k *ticket, epoch uint32) *ending { return t.begin(k, epoch, &wishes) })
		return nil
	}
	k, err := c.gate.tokens.show([]byte(token), c.gate.hub.Seat)
	if err != nil {
		return c.gate.refused(err)
	}
	if k == nil {
		return endStranger
	}
	epoch, err := c.gate.hub.Attach(k.seat, t, true)
	if err != nil {
		c.gate.tokens.hide(k)
		return c.gate.unclaimed(err)
	}
	e := t.begin(k, epoch, &r.Wishes)
	if e != nil {
		c.gate.tokens.hide(k)
	}
	return e
}

// begin lets the client's node run, in a seat that it was given.
func (t *thinClient) begin(k *ticket, epoch uint32, w *thin.Wishes) *ending {
	c := t.client
	g := c.gate
	if g.admission.thin.Add(1) > int64(g.config.Limits.Thin) {
		g.admission.thin.Add(-1)
		g.admission.count(refusedFull)
		g.hub.Detach(k.seat, t)
		return endThin
	}
	node, err := g.hub.Client(k.seat, epoch)
	if err != nil {
		g.admission.thin.Add(-1)
		g.hub.Detach(k.seat, t)
		return &ending{endBroken.code, err.Error()}
	}
	g.nodes.Add(1)
	t.user.Store(thin.Start(thin.Config{
		Format: t.format, Catalogue: g.thin, Node: node, Interval: g.hub.Interval(), Wishes: *w,
		Clock: g.hub, Router: seated{g.hub, k.seat}, Line: t, Broken: t.broken,
		Welcome: thin.Welcome{User: k.seat.User(), Name: k.seat.Name, Token: k.token, World: g.session.World.Name, Mechanism: g.session.Mechanism.Name},
	}))
	c.mu.Lock()
	c.ticket = k
	c.mu.Unlock()
	g.log.Info("attached", c.attrs()...)
	return nil
}

// broken ends a client whose node has panicked.
func (t *thinClient) broken(p driver.Panic) {
	c := t.client
	c.gate.log.Error("a thin client's node panicked", c.attrs("what", p.Value, "stack", string(p.Stack))...)
	c.dismiss(endBroken, time.Now())
}

// stop ends the node, in its own time: nothing waits for it but the gateway's end.
func (t *thinClient) stop() {
	if user := t.user.Swap(nil); user != nil {
		go func() {
			defer t.client.gate.nodes.Done()
			user.Stop()
			t.client.gate.admission.thin.Add(-1)
		}()
	}
}

// Send implements hub.Conn.
func (t *thinClient) Send(m mechanism.Message) bool {
	user := t.user.Load()
	if m.Class == mechanism.Signal { // a node that runs here connects to nobody
		if no, ok := direct.Refusal(m.Payload); ok {
			t.client.gate.hub.Route(mechanism.Message{From: m.To, To: m.From, Class: mechanism.Signal, Payload: no})
		}
		return true
	}
	return user != nil && user.Deliver(m)
}

// Close implements hub.Conn. The node ends with it: another one may have its place already.
func (t *thinClient) Close(reason string) {
	t.client.Close(reason)
	t.stop()
}

// Say implements thin.Line.
func (t *thinClient) Say(message []byte) { t.client.say(message) }

// Free implements thin.Line.
func (t *thinClient) Free() bool {
	c := t.client
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stuck.IsZero() && c.control.size() < min(frameFull, c.gate.config.Limits.Queue)
}

// seated carries what the node of a seat sends.
type seated struct {
	hub  *hub.Hub
	seat *hub.Seat
}

func (s seated) Route(m mechanism.Message) bool { return s.hub.Deliver(s.seat, m) }
