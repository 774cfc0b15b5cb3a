package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"throng/live/replica"
	"throng/world/wire"
)

// Operators is what operators can ask of this process, by the patterns of requests.
func (k *Cluster) Operators() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /admin/ledger":  k.machine.ledger,
		"GET /admin/cluster": http.HandlerFunc(k.serveStatus),
		"POST /admin/lead":   http.HandlerFunc(k.serveLead),
		"POST /admin/drain":  http.HandlerFunc(k.serveDrain),
	}
}

// Status is how a world's processes stand, as this one knows it.
type Status struct {
	Here      uint32          `json:"here"`   // the process that says so
	Leader    uint32          `json:"leader"` // zero while one is being elected
	Term      uint64          `json:"term"`   // counts elections
	Wanted    int             `json:"wanted"` // how many processes the world began with
	Processes []ProcessStatus `json:"processes"`
}

// ProcessStatus is how one of them stands.
type ProcessStatus struct {
	Number   uint32 `json:"number"`
	Name     string `json:"name"`
	Gateway  string `json:"gateway"`
	Admin    string `json:"admin"`
	Draining bool   `json:"draining"`
	Reached  bool   `json:"reached"` // by the process that says so
	Member   bool   `json:"member"`  // its replica counts towards a majority
	Applied  uint64 `json:"applied"` // entries of the log, a moment ago
	Behind   uint64 `json:"behind"`  // entries that the one that leads has applied and it has not
	Players  int    `json:"players"` // artificial ones that it plays for
	People   int    `json:"people"`  // whose places it holds
}

// Status is how the world's processes stand.
func (k *Cluster) Status() Status {
	s := Status{Here: k.self.number}
	k.group.do(func() {
		core, d := k.group.core, k.machine.directory
		s.Leader, s.Term, s.Wanted = core.Leader().Process(), core.Term(), d.founding.wanted
		members := core.Members()
		for _, p := range d.live() {
			q := ProcessStatus{
				Number: p.number, Name: p.name, Gateway: p.gateway, Admin: p.admin, Draining: p.draining,
				Member: slices.Contains(members, replica.NewMember(p.number, 0)), Players: len(d.artificial(p.number)),
			}
			q.People = len(d.held(p.number)) - q.Players
			if peer := k.mesh.of(p.number); p.number == k.self.number {
				q.Reached, q.Applied = true, core.Applied()
			} else if peer != nil {
				q.Reached, q.Applied = true, peer.applied.Load()
			}
			s.Processes = append(s.Processes, q)
		}
	})
	for _, p := range s.Processes {
		if p.Number == s.Leader {
			for i := range s.Processes {
				s.Processes[i].Behind = p.Applied - min(p.Applied, s.Processes[i].Applied)
			}
		}
	}
	return s
}

func (k *Cluster) serveStatus(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(k.Status())
}

// What an operator may wish of another process than the one that was asked: the body of a frame.
const (
	wishDrain = 1
	wishLead  = 2
)

// passOn has another process do what an operator wishes, if the request names one, and reports whether it is none of this one's business.
func (k *Cluster) passOn(w http.ResponseWriter, r *http.Request, wish byte) bool {
	text := r.URL.Query().Get("process")
	if text == "" {
		return false
	}
	number, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		http.Error(w, fmt.Sprintf("%q is no number of a process", text), http.StatusBadRequest)
		return true
	}
	if uint32(number) == k.self.number {
		return false
	}
	p := k.mesh.of(uint32(number))
	if p == nil {
		http.Error(w, fmt.Sprintf("process %d cannot be reached from here", number), http.StatusNotFound)
		return true
	}
	p.send(kindWish, []byte{wish})
	w.WriteHeader(http.StatusAccepted)
	return true
}

// wished does what an operator wishes who has asked another process.
func (k *Cluster) wished(wish []byte) {
	switch {
	case len(wish) != 1 || !k.running.Load():
	case wish[0] == wishDrain:
		k.drain()
	case wish[0] == wishLead:
		k.work.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), claimTime)
			defer cancel()
			if err := k.Lead(ctx); err != nil {
				k.log.Warn("this process was asked to lead, and does not", "error", err)
			}
		})
	}
}

func (k *Cluster) drain() { k.askOnce.Do(func() { close(k.asked) }) }

// serveDrain has a process leave.
func (k *Cluster) serveDrain(w http.ResponseWriter, r *http.Request) {
	if !k.passOn(w, r, wishDrain) {
		k.drain()
		w.WriteHeader(http.StatusAccepted)
	}
}

// Flush returns when everything that has happened so far is agreed on and, where there is a folder for it, on disk. This process then begins
// to write a snapshot, so that it can be taken up again from there at once.
func (k *Cluster) Flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	nobody := seatID{}
	_, err := k.submit(ctx, append([]byte{commandExpire}, nobody[:]...))
	if err == nil {
		k.group.do(k.group.core.Compact)
	}
	return err
}

// Asked is closed when an operator wants this process to leave.
func (k *Cluster) Asked() <-chan struct{} { return k.asked }

// serveLead has a process lead.
func (k *Cluster) serveLead(w http.ResponseWriter, r *http.Request) {
	if k.passOn(w, r, wishLead) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), claimTime)
	defer cancel()
	if err := k.Lead(ctx); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// Lead has this process lead, as soon as it knows all that the one before does.
func (k *Cluster) Lead(ctx context.Context) error {
	for k.leader() != k.self.number {
		once, cancel := context.WithTimeout(ctx, 10*tickEvery)
		_, err := k.submit(once, wire.AppendUint([]byte{commandLead}, uint64(k.self.number)))
		cancel()
		if ctx.Err() != nil || k.Err() != nil {
			return err
		}
	}
	return nil
}

// transfer has a process lead that has asked for it. It gets no answer but the lead.
func (k *Cluster) transfer(command []byte) {
	r := wire.NewReader(command[1:])
	if m := replica.NewMember(readNumber(&r), 0); k.group.core.Leads() {
		k.group.core.Transfer(m)
	}
}
