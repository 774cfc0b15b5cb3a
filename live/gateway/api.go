package gateway

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"throng/live/hub"
	"throng/live/protocol"
	"throng/live/thin"
	"throng/world"
)

// apiRoutes are what operators' programs can ask for, and the operators' page with them. docs/operators.md describes it.
func (g *Gateway) apiRoutes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /admin/api/rooms":            g.serveAllRooms,
		"GET /admin/api/people":           g.servePeople,
		"GET /admin/api/objects":          g.serveObjects,
		"GET /admin/api/objects/{id}":     g.serveObject,
		"GET /admin/api/bans":             g.serveBans,
		"POST /admin/api/kick":            order(g.kick),
		"POST /admin/api/ban":             order(g.ban),
		"DELETE /admin/api/bans/{number}": g.serveUnban,
		"POST /admin/api/message":         order(g.message),
		"POST /admin/api/drain":           order(g.drain),
		"POST /admin/api/save":            order(g.save),
	}
}

// mistake is why an order cannot be carried out, with the status that says so.
type mistake struct {
	status int
	text   string
}

func (m *mistake) Error() string { return m.text }

var (
	errNobody  = &mistake{http.StatusNotFound, "there is nobody like that"}
	errUnclear = &mistake{http.StatusBadRequest, "say what about it"}
)

// orderMax is how many bytes an order may have.
const orderMax = 4 << 10

// order reads what an operator wants, has it done and answers with what came of it. A browser that was led here by another site's form
// cannot say that it sends JSON.
func order[T, A any](do func(*T) (A, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") != "application/json" {
			answer(w, http.StatusUnsupportedMediaType, errorReply{"wants Content-Type: application/json"})
			return
		}
		var what T
		decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, orderMax))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&what); err != nil {
			answer(w, http.StatusBadRequest, errorReply{"cannot be read: " + err.Error()})
			return
		}
		done, err := do(&what)
		answerOr(w, done, err)
	}
}

// answerOr answers a request, or says why not.
func answerOr(w http.ResponseWriter, body any, err error) {
	var m *mistake
	switch {
	case err == nil:
		answer(w, http.StatusOK, body)
	case errors.As(err, &m):
		answer(w, m.status, errorReply{m.text})
	default:
		answer(w, http.StatusInternalServerError, errorReply{err.Error()})
	}
}

// Person is one line of the list of people.
type Person struct {
	User    uint32 `json:"user"`
	Node    uint32 `json:"node"`
	Name    string `json:"name"`
	Account string `json:"account,omitempty"`
	State   string `json:"state"` // "here", or "away" while a lost connection is waited for
	clientTraffic
}

// clientTraffic is what only somebody who is connected has.
type clientTraffic struct {
	Host     string  `json:"host,omitempty"`
	By       string  `json:"by,omitempty"`    // websocket, webtransport or thin
	Since    float64 `json:"since,omitempty"` // seconds
	BytesIn  int64   `json:"bytes_in,omitempty"`
	BytesOut int64   `json:"bytes_out,omitempty"`
	Waiting  int     `json:"waiting,omitempty"`
	Dropped  int64   `json:"dropped,omitempty"`
}

// servePeople lists those who have a seat here, by their users' numbers.
func (g *Gateway) servePeople(w http.ResponseWriter, _ *http.Request) {
	connected := map[uint32]clientInfo{}
	now := time.Now()
	for _, c := range g.all() {
		if i := c.info(now); i.User != 0 {
			connected[i.User] = i
		}
	}
	list := []Person{}
	for _, n := range g.hub.Nodes() {
		if n.Holding != hub.Person && n.Holding != hub.Away {
			continue
		}
		p := Person{User: uint32(n.Place.User), Node: uint32(n.Place.ID), Name: n.Name, Account: n.Account, State: "away"}
		if i, ok := connected[p.User]; ok && n.Holding == hub.Person {
			p.State = "here"
			p.clientTraffic = clientTraffic{i.Host, i.By, i.Since, i.BytesIn, i.BytesOut, i.Waiting, i.Dropped}
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Person) int { return cmp.Compare(a.User, b.User) })
	answer(w, http.StatusOK, list)
}

// someone is who an order is about, and what they are told.
type someone struct {
	User   uint32 `json:"user"`
	Reason string `json:"reason"`
}

// done is how many an order was about.
type done struct {
	People int `json:"people"`
}

// Kick ends somebody's seat, and reports whether they had one. They may come back, as somebody new.
func (g *Gateway) Kick(u world.User, reason string) bool {
	seat := g.hub.Seated(u)
	if seat != nil {
		g.showOut(seat, endKicked, reason)
	}
	return seat != nil
}

func (g *Gateway) kick(who *someone) (done, error) {
	if !g.Kick(world.User(who.User), who.Reason) {
		return done{}, errNobody
	}
	return done{1}, nil
}

// showOut ends a seat, and tells whoever has it why.
func (g *Gateway) showOut(seat *hub.Seat, e *ending, reason string) {
	if reason != "" {
		e = &ending{e.code, cleanText(reason)}
	}
	now := time.Now()
	conn := g.hub.Conn(seat) // which it has before the client knows of its seat
	for _, c := range g.all() {
		if c.conn() == conn {
			c.dismiss(e, now)
		}
	}
	g.hub.Leave(seat, e.text)
	g.log.Info("shown out by an operator", "user", seat.User(), "name", seat.Name, "because", e.text)
}

func (c *client) seated() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ticket != nil
}

func (c *client) seatIs(seat *hub.Seat) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ticket != nil && c.ticket.seat == seat
}

// words are what an operator has to say, to one or to all.
type words struct {
	Text string `json:"text"`
	User uint32 `json:"user"` // zero for all
}

func (g *Gateway) message(what *words) (done, error) {
	if cleanText(what.Text) == "" {
		return done{}, errUnclear
	}
	told := done{g.Message(what.Text, world.User(what.User))}
	if told.People == 0 && what.User != 0 {
		return told, errNobody
	}
	return told, nil
}

// Message tells a person something, or all if that is user 0, however the world is shared. It returns how many were told.
func (g *Gateway) Message(text string, to world.User) (people int) {
	text = cleanText(text)
	var conn hub.Conn // of that person, who has it before the client knows of its seat
	if seat := g.hub.Seated(to); seat != nil {
		conn = g.hub.Conn(seat)
	}
	for _, c := range g.all() {
		if to != 0 && (conn == nil || c.conn() != conn) || to == 0 && !c.seated() {
			continue
		}
		people++
		if c.thin != nil {
			c.say(thin.Plain(c.thin.format, "notice", "text", text))
		} else {
			c.say(protocol.AppendNotice(nil, text))
		}
	}
	return people
}

// textMax is how many characters operators may say at a time.
const textMax = protocol.ReasonMax

// cleanText makes of a text one that can be shown in a line.
func cleanText(s string) string { return cleanLine(s, textMax) }

// draining is whether newcomers are let in.
type draining struct {
	Drain bool `json:"drain"`
}

// drain lets nobody in any more, or again: those who are in the world stay until they leave.
func (g *Gateway) drain(what *draining) (draining, error) {
	g.shut.Store(what.Drain)
	g.log.Info("an operator has decided about newcomers", "drain", what.Drain)
	return *what, nil
}

// save has the world written to where it is kept.
func (g *Gateway) save(*struct{}) (any, error) {
	if g.config.Save == nil {
		return nil, &mistake{http.StatusConflict, "the world is kept in memory only: see --data"}
	}
	return g.config.Save()
}

// serveObject shows all that is known of one object.
func (g *Gateway) serveObject(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err != nil {
		answer(w, http.StatusBadRequest, errorReply{"an object has a number"})
		return
	}
	for _, o := range g.survey(func(o *world.Object) bool { return o.ID == world.ID(id) }, 1) {
		answer(w, http.StatusOK, o)
		return
	}
	answer(w, http.StatusNotFound, errorReply{"there is no such object, or no node in this process knows of it"})
}

// objectsMax is how many objects are listed at a time.
const objectsMax = 1000

// serveObjects lists objects by their IDs: of a kind, of a user, after an ID.
func (g *Gateway) serveObjects(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var numbers [3]uint64
	for i, key := range []string{"user", "after", "limit"} {
		n, err := strconv.ParseUint(cmp.Or(q.Get(key), "0"), 10, 64)
		if err != nil {
			answer(w, http.StatusBadRequest, errorReply{key + " is a whole number"})
			return
		}
		numbers[i] = n
	}
	user, after, limit := world.User(numbers[0]), world.ID(numbers[1]), int(min(numbers[2], objectsMax))
	if limit == 0 {
		limit = 100
	}
	kind, known := world.KindID(0), q.Get("kind") == ""
	for i, k := range g.hub.World().Schema().Kinds {
		if k.Name == q.Get("kind") {
			kind, known = world.KindID(i), true
		}
	}
	if !known {
		answer(w, http.StatusBadRequest, errorReply{"there is no such kind"})
		return
	}
	all := q.Get("kind") == ""
	answer(w, http.StatusOK, g.survey(func(o *world.Object) bool {
		return o.ID > after && (all || o.Kind == kind) && (user == 0 || o.User == user)
	}, limit))
}
