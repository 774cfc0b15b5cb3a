//go:build !js

package app

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"

	"throng/live/gateway"
)

// orders are what operators can have done about rooms. docs/operators.md describes them.
func (r *rooms) orders() map[string]http.Handler {
	return map[string]http.Handler{
		"POST /admin/api/rooms":          http.HandlerFunc(r.serveCreate),
		"DELETE /admin/api/rooms/{name}": http.HandlerFunc(r.serveClose),
	}
}

// orderMax is how many bytes an order may have.
const orderMax = 16 << 10

// serveCreate begins a room with the settings in the request: the same as in a file of worlds, and the name.
func (r *rooms) serveCreate(w http.ResponseWriter, q *http.Request) {
	if q.Header.Get("Content-Type") != "application/json" {
		answerJSON(w, http.StatusUnsupportedMediaType, problem{"wants Content-Type: application/json"})
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, q.Body, orderMax))
	if err != nil {
		answerJSON(w, http.StatusRequestEntityTooLarge, problem{fmt.Sprintf("cannot be read, or has more than %d bytes", orderMax)})
		return
	}
	s, err := r.environment.readOrder(r.settings, text)
	if err != nil {
		answerJSON(w, http.StatusBadRequest, problem{err.Error()})
		return
	}
	if err := r.create(s.room, s); err != nil {
		answerJSON(w, http.StatusConflict, problem{err.Error()})
		return
	}
	answerJSON(w, http.StatusCreated, struct {
		Name string `json:"name"`
		Path string `json:"path"`
	}{s.room, gateway.RoomPath(s.room)})
}

// readOrder reads a request for a room. JSON is YAML too.
func (e *environment) readOrder(s *serving, text []byte) (*serving, error) {
	const request = "request"
	documents, err := parseSettings(request, text)
	if err != nil {
		return nil, err
	}
	var said []given
	for _, body := range documents {
		if said, err = flatten(request, "", body, said); err != nil {
			return nil, err
		}
	}
	at := slices.IndexFunc(said, func(g given) bool { return g.path == "name" })
	if at < 0 {
		return nil, fmt.Errorf(`%s: wants a name too, as {"name": "duel", "world": "pong"}`, request)
	}
	name := said[at]
	return e.roomSettings(s, name, slices.Delete(said, at, at+1))
}

// serveClose ends a room: its people are told why.
func (r *rooms) serveClose(w http.ResponseWriter, q *http.Request) {
	name := q.PathValue("name")
	r.building.Lock() // whoever makes a room of its world has done so, or will find it gone
	r.mu.Lock()
	x := r.all[name]
	var list []*room
	if x != nil && x != r.first {
		list = r.remove(x)
	}
	r.mu.Unlock()
	r.building.Unlock()
	switch {
	case x == nil:
		answerJSON(w, http.StatusNotFound, problem{fmt.Sprintf("there is no room %q", name)})
		return
	case x == r.first:
		answerJSON(w, http.StatusConflict, problem{"the first room ends with the server"})
		return
	}
	reason := q.URL.Query().Get("reason")
	if reason == "" {
		reason = "the room was closed"
	}
	people := 0
	for _, x := range list {
		people += x.gate.Clients()
	}
	// It is out of the list, and ends in good order even if whoever gave the order does not wait.
	if err := r.endAll(context.WithoutCancel(q.Context()), list, reason); err != nil {
		r.log.Error("a room did not end in good order", "room", name, "error", err)
	}
	answerJSON(w, http.StatusOK, struct {
		People int `json:"people"`
	}{people})
}
