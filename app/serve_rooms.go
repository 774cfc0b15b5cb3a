//go:build !js

package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"throng/live/gateway"
	"throng/live/hub"
	"throng/live/session"
)

// rooms are the worlds that a server has, each with a gateway of its own. The first has the listeners and lasts as long as the server.
// Others are in a file (--worlds), are created and closed by operators, or are a room's world under another mechanism, for people who
// want to feel the difference: those begin when somebody on the page asks, and end when nobody is there any more.
type rooms struct {
	environment *environment
	ctx         context.Context
	settings    *serving
	log         *slog.Logger
	world       *hub.Hub // the first room's

	building sync.Mutex // held while a room is made, which may take a while

	mu     sync.Mutex
	first  *room
	all    map[string]*room
	closed bool
}

// room is one of them.
type room struct {
	name    string
	session session.Description
	gate    *gateway.Gateway
	handler http.Handler // the gateway's, and the truth
	front   http.Handler // before the gateway's handler
	of      *room        // whose world it is, under another mechanism; nil for a room in its own right
	pressed pressed      // what records it for somebody on the page
	forget  func()       // ends what goes on beside the world
	current *room        // where people play who come in; nil for here
	since   time.Time    // when somebody was last seen there
}

// newRooms returns those of a server, of which the first has no gateway yet: it is made with what gates, front and orders return.
func (e *environment) newRooms(ctx context.Context, s *serving, log *slog.Logger, world *hub.Hub) *rooms {
	first := &room{forget: func() {}}
	if err := json.Unmarshal(world.Description(), &first.session); err != nil {
		panic(err) // it was made here
	}
	first.name = cmp.Or(s.room, first.session.World.Name)
	return &rooms{environment: e, ctx: ctx, settings: s, log: log, world: world, first: first, all: map[string]*room{first.name: first}}
}

// begin has all rooms of the settings begin beside the first, whose gateway it is.
func (r *rooms) begin(first *gateway.Gateway) error {
	r.mu.Lock()
	r.first.gate = first
	r.mu.Unlock()
	for _, s := range r.settings.others {
		if err := r.create(s.room, s); err != nil {
			return fmt.Errorf("room %s: %w", s.room, err)
		}
	}
	return nil
}

// gates are all rooms' gateways, the first one first.
func (r *rooms) gates() []*gateway.Gateway {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := []*gateway.Gateway{}
	for _, name := range slices.Sorted(maps.Keys(r.all)) {
		if x := r.all[name]; x != r.first {
			list = append(list, x.gate)
		}
	}
	if r.first.gate != nil {
		list = slices.Insert(list, 0, r.first.gate)
	}
	return list
}

// front stands before the first room's gateway.
func (r *rooms) front(own http.Handler) http.Handler {
	r.first.handler = r.settings.truthful(r.world, &r.first.pressed, own)
	r.first.front = r.entrance(r.first)
	mux := http.NewServeMux()
	mux.HandleFunc(gateway.RoomPath("{name}")+"/", r.serveVisit)
	if r.settings.local() {
		recordings := http.NewServeMux()
		serveRecordings(recordings, r.settings.recordings)
		mux.Handle("/api/recordings", onlyHere(recordings))
		mux.Handle("/api/recordings/", onlyHere(recordings))
	}
	mux.Handle("/", r.first.front)
	return mux
}

// entrance is the way in to a room, or to where its people play at the moment.
func (r *rooms) entrance(x *room) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/mechanisms", func(w http.ResponseWriter, _ *http.Request) { r.serveMechanisms(w, x) })
	mux.HandleFunc("POST /api/mechanisms/{name}", func(w http.ResponseWriter, q *http.Request) { r.serveChoice(w, q, x) })
	for _, path := range []string{"/api/join", "/api/info", "/api/truth", "/thin"} { // a seat says where its socket is
		mux.HandleFunc(path, func(w http.ResponseWriter, q *http.Request) {
			r.mu.Lock()
			at := x.playing()
			r.mu.Unlock()
			at.handler.ServeHTTP(w, q)
		})
	}
	mux.Handle("/", x.handler)
	return mux
}

// serveVisit serves what is below a room's path.
func (r *rooms) serveVisit(w http.ResponseWriter, q *http.Request) {
	name := q.PathValue("name")
	h := r.find(name)
	if h == nil {
		answerJSON(w, http.StatusNotFound, problem{fmt.Sprintf("there is no room %q here; /api/rooms lists those that there are", name)})
		return
	}
	http.StripPrefix(gateway.RoomPath(name), h).ServeHTTP(w, q)
}

// find is what serves a room, or its world under one mechanism wherever its people play; nil if there is none.
func (r *rooms) find(name string) http.Handler {
	r.mu.Lock()
	defer r.mu.Unlock()
	if x := r.all[name]; x != nil {
		return x.front
	}
	of, mechanism, _ := strings.Cut(name, ".")
	if x := r.all[of]; x != nil && x.session.Mechanism.Name == mechanism {
		return x.handler
	}
	return nil
}

// vacancy says why there cannot be another room. The caller holds the building lock.
func (r *rooms) vacancy(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.settings
	switch held := heapHeld(); {
	case r.closed:
		return hub.ErrClosed
	case r.all[name] != nil:
		return fmt.Errorf("there is a room %q already", name)
	case len(r.all) >= s.Rooms.Most:
		return fmt.Errorf("there are %d rooms, and no more may be (rooms.most): close one", len(r.all))
	case held >= uint64(s.Rooms.Memory):
		return fmt.Errorf("the server holds %d MiB, and no further room may begin from %d MiB on (rooms.memory)", held>>20, s.Rooms.Memory>>20)
	}
	return nil
}

// heapHeld is how many bytes the program's data take.
func heapHeld() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// open begins a room with settings of its own. The caller holds the building lock.
func (r *rooms) open(name string, s *serving, d session.Description, of *room) (*room, error) {
	if err := r.vacancy(name); err != nil {
		return nil, err
	}
	log := r.log.With("room", name)
	monitor, hooks := gateway.NewMonitor(name), newHooked(&r.environment.program.Hooks, log)
	config := hub.Config{
		Description: d, Grace: time.Duration(s.Grace), SeatsMax: s.Seats,
		Acted: monitor.Acted, Event: monitor.Event, Woken: monitor.Woken, Panicked: logPanic(log),
	}
	hooks.watch(&config)
	world, err := hub.Start(config, r.environment.program.Catalog)
	if err != nil {
		return nil, err
	}
	gate, err := gateway.New(gateway.Config{
		Room: name, About: s.About, Variant: of != nil, Beside: r.first.gate, Hub: world, Monitor: monitor, Log: log,
	})
	if err != nil {
		world.Close(context.Background(), err.Error())
		return nil, err
	}
	ctx, forget := context.WithCancel(r.ctx)
	go hooks.run(ctx, gate, world)
	x := &room{name: name, session: d, gate: gate, of: of, forget: forget, since: time.Now()}
	x.handler = r.settings.truthful(world, &x.pressed, gate.Handler())
	if x.front = x.handler; of == nil {
		x.front = r.entrance(x)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[name] = x
	log.Info("a room begins", "world", d.World.Name, "mechanism", d.Mechanism.Name)
	return x, nil
}

// create begins a room in its own right.
func (r *rooms) create(name string, s *serving) error {
	r.building.Lock()
	defer r.building.Unlock()
	_, err := r.open(name, s, s.description(), nil)
	return err
}

// remove takes a room out, and those that show its world under other mechanisms, for their end. The caller holds the lock.
func (r *rooms) remove(x *room) (list []*room) {
	for _, other := range r.all {
		if other == x || other.of == x {
			list = append(list, other)
			delete(r.all, other.name)
		}
	}
	if x.of != nil && x.of.current == x {
		x.of.current = nil // whoever comes in now plays in the room itself
	}
	return list
}

// end ends a room that was taken out: everybody there is told why.
func (r *rooms) end(ctx context.Context, x *room, reason string) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownTime)
	defer cancel()
	x.forget()
	r.settings.stop(&x.pressed)
	err := x.gate.Close(ctx, reason)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // those who did not listen were cut
	}
	return err
}

// close ends all rooms but the first, which ends with its gateway.
func (r *rooms) close(ctx context.Context, reason string) error {
	r.settings.recorded.close()
	r.settings.stop(&r.first.pressed)
	r.building.Lock() // a room that is being made is in the list by then, and no other begins
	defer r.building.Unlock()
	r.mu.Lock()
	r.closed = true
	var list []*room
	for _, x := range r.all {
		if x != r.first {
			list = append(list, x)
		}
	}
	r.mu.Unlock()
	return r.endAll(ctx, list, reason)
}

// endAll ends rooms at the same time.
func (r *rooms) endAll(ctx context.Context, list []*room, reason string) error {
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i, x := range list {
		all.Go(func() { errs[i] = r.end(ctx, x, reason) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// problem is the answer when something cannot be done.
type problem struct {
	Error string `json:"error"`
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
