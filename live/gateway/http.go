package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"throng/live/account"
	"throng/live/hub"
	"throng/live/protocol"
)

// routes lays out what is served.
func (g *Gateway) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/join", g.fromPages(g.serveJoin))
	mux.HandleFunc("GET /api/info", g.fromPages(g.serveInfo))
	mux.HandleFunc("GET /api/rooms", g.fromPages(g.serveRooms))
	mux.HandleFunc("OPTIONS /api/", g.fromPages(func(http.ResponseWriter, *http.Request) {}))
	mux.HandleFunc("GET /ws", g.serveWebSocket)
	mux.HandleFunc("GET /thin", g.serveThin)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) { answerText(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", g.serveReady)
	g.operatorRoutes(mux)
	mux.Handle("/", g.config.Page)
	return mux
}

// serveReady says whether people can join: not before the world has begun, not once the server is going down, and not when a
// part of the world is gone.
func (g *Gateway) serveReady(w http.ResponseWriter, r *http.Request) {
	broken := g.hub.Whole()
	switch {
	case g.draining.Load():
		answerText(w, http.StatusServiceUnavailable, "going down")
	case g.shut.Load():
		answerText(w, http.StatusServiceUnavailable, endDraining.text)
	case g.hub.Now() < 0:
		answerText(w, http.StatusServiceUnavailable, "the world has not begun")
	case broken != nil:
		answerText(w, http.StatusServiceUnavailable, broken.Error())
	default:
		answerText(w, http.StatusOK, "ready")
	}
}

// JoinRequest is what a client says who wants a seat.
type JoinRequest struct {
	Name    string `json:"name"`
	Account string `json:"account,omitempty"` // a token that says whose account it is, where that is asked for
}

// JoinReply is what it gets. The token stands for a seat, which is taken when a connection is opened with it: here or, if there are
// further gateways, at any of them.
type JoinReply struct {
	Token        string        `json:"token"`
	WebSocket    string        `json:"websocket"`
	Gateways     []string      `json:"gateways,omitempty"`
	WebTransport *WebTransport `json:"webtransport,omitempty"`
	Direct       *DirectReply  `json:"direct,omitempty"` // where clients may connect to each other
}

// WebTransport is where a client that can may connect. Certificate is the SHA-256 of the server's certificate in base64, to be
// given to the browser; empty if the certificate is one that browsers trust by themselves.
type WebTransport struct {
	URL         string `json:"url"`
	Certificate string `json:"certificate,omitempty"`
}

// InfoReply describes the world.
type InfoReply struct {
	Room         string          `json:"room,omitempty"` // its name, where there are several
	World        string          `json:"world"`
	Mechanism    string          `json:"mechanism"`
	Protocol     int             `json:"protocol"`
	TickSeconds  float64         `json:"tick_seconds"`
	TimeSeconds  float64         `json:"time_seconds"`
	People       int             `json:"people"`
	Artificial   int             `json:"artificial"`
	Description  json.RawMessage `json:"description"`
	WebTransport *WebTransport   `json:"webtransport,omitempty"`
	Gateways     []string        `json:"gateways,omitempty"`
}

// errorReply is the answer when something cannot be done.
type errorReply struct {
	Error string `json:"error"`
}

const joinMax = 1<<10 + account.SizeMax // bytes in a request to join

func (g *Gateway) serveJoin(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	from := g.sourceOf(r)
	if !g.admission.join(from, now) {
		g.admission.count(refusedJoins)
		w.Header().Set("Retry-After", "60")
		answer(w, http.StatusTooManyRequests, errorReply{"too many have asked for a seat from this address; try again in a minute"})
		return
	}
	var request JoinRequest
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, joinMax))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&request); err != nil {
		answer(w, http.StatusBadRequest, errorReply{`a JSON object such as {"name": "Ada"} is wanted`})
		return
	}
	who, err := g.identify(request.Name, request.Account, from)
	if err != nil {
		g.admission.count(refusedAccount)
		answer(w, http.StatusUnauthorized, errorReply{err.Error()})
		return
	}
	if g.shut.Load() {
		answer(w, http.StatusServiceUnavailable, errorReply{endDraining.text})
		return
	}
	if err := g.hub.Vacant(); err != nil {
		g.refused(err)
		answer(w, refusal(err), errorReply{err.Error()})
		return
	}
	reply := JoinReply{
		WebSocket:    g.socketURL(r),
		WebTransport: g.fastURL(r),
		Gateways:     g.gateways(),
		Direct:       g.directReply(now),
		Token:        g.issue(who, now),
	}
	answer(w, http.StatusOK, reply)
}

// identify finds out who wants to join: where accounts count whoever the token says, called as it says or else as they like.
func (g *Gateway) identify(name, token string, from source) (account.Account, error) {
	var who account.Account
	if g.config.Accounts != nil {
		var err error
		if who, err = g.config.Accounts.Verify(token); err != nil {
			return who, err
		}
	}
	if b := g.bans.find(who.ID, from.addr, time.Now()); b != nil {
		return who, b.err()
	}
	if who.Name = cleanName(who.Name); who.Name == "" {
		who.Name = cleanName(name)
	}
	return who, nil
}

func refusal(err error) int {
	if errors.Is(err, hub.ErrFull) || errors.Is(err, hub.ErrBusy) || errors.Is(err, hub.ErrClosed) || errors.Is(err, hub.ErrBroken) {
		return http.StatusServiceUnavailable
	}
	return http.StatusConflict
}

// nameMax is how many characters of a name are kept.
const nameMax = 32

// cleanName makes of what somebody calls themselves something that can be shown.
func cleanName(s string) string { return cleanLine(s, nameMax) }

// cleanLine makes a line of a text, of so many characters at most.
func cleanLine(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if r == utf8.RuneError || !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > most {
		s = strings.TrimSpace(string(runes[:most]))
	}
	return s
}

func (g *Gateway) serveInfo(w http.ResponseWriter, r *http.Request) {
	counters := g.recentCounters(time.Now())
	answer(w, http.StatusOK, InfoReply{
		Room:         g.config.Room,
		World:        g.session.World.Name,
		Mechanism:    g.session.Mechanism.Name,
		Protocol:     protocol.Version,
		TickSeconds:  time.Duration(g.hub.World().Schema().Tick).Seconds(),
		TimeSeconds:  time.Duration(g.hub.Now()).Seconds(),
		People:       counters.People,
		Artificial:   counters.Artificial,
		Description:  g.hub.Description(),
		WebTransport: g.fastURL(r),
		Gateways:     g.gateways(),
	})
}

// infoAge is how old the numbers in an InfoReply may be: anybody may ask, and counting takes a look at every node.
const infoAge = time.Second

func (g *Gateway) recentCounters(now time.Time) hub.Counters {
	g.counted.Lock()
	defer g.counted.Unlock()
	if now.Sub(g.counted.at) >= infoAge {
		g.counted.counters, g.counted.at = g.hub.Counters(), now
	}
	return g.counted.counters
}

// socketURL is where a client opens its WebSocket, as seen from where it asked.
func (g *Gateway) socketURL(r *http.Request) string {
	scheme := "ws"
	if g.secure(r) {
		scheme = "wss"
	}
	return scheme + "://" + r.Host + RoomPath(g.config.Room) + "/ws"
}

// secure reports whether the page that a request is for came over HTTPS. WebTransport is encrypted even where the page is not.
func (g *Gateway) secure(r *http.Request) bool {
	return r.TLS != nil && g.config.Certificate != nil || g.config.BehindProxy && r.Header.Get("X-Forwarded-Proto") == "https"
}

// mayConnect decides whether a connection may be opened, and counts it; the request is answered if not.
func (g *Gateway) mayConnect(w http.ResponseWriter, r *http.Request, from source) bool {
	switch {
	case g.draining.Load():
		answerText(w, http.StatusServiceUnavailable, endShutdown.text)
	case !g.fromPage(r):
		answerText(w, http.StatusForbidden, "pages from elsewhere may not connect here")
	case g.bans.find("", from.addr, time.Now()) != nil:
		answerText(w, http.StatusForbidden, endBanned.text)
	case !g.admission.enter(from):
		answerText(w, http.StatusServiceUnavailable, "too many connections, in all or from this address")
	default:
		return true
	}
	return false
}

// fromPage reports whether a request comes from our own page, from one that is allowed to, or from no page at all.
func (g *Gateway) fromPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(g.config.Origins, "*") || slices.Contains(g.config.Origins, origin) || slices.Contains(g.origins(), origin) {
		return true
	}
	u, err := url.Parse(origin)
	// What came over plain HTTP somebody may have changed on the way: it is not our own page where that is HTTPS.
	return err == nil && strings.EqualFold(u.Host, r.Host) && (u.Scheme == "https" || u.Scheme == "http" && !g.secure(r))
}

// fromPages refuses what comes from pages that are not allowed, and tells browsers about those that are.
func (g *Gateway) fromPages(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Origin")
		if !g.fromPage(r) {
			answer(w, http.StatusForbidden, errorReply{"pages from elsewhere may not connect here"})
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
		}
		serve(w, r)
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func answerText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write([]byte(text + "\n"))
}
