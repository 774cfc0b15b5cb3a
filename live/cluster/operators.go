package cluster

import (
	"context"
	"net/http"

	"throng/live/replica"
	"throng/world/wire"
)

// Operators is what operators can ask of this process, by the patterns of requests.
func (k *Cluster) Operators() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /admin/ledger": k.machine.ledger,
		"POST /admin/lead":  http.HandlerFunc(k.serveLead),
		"POST /admin/drain": http.HandlerFunc(k.serveDrain),
	}
}

// serveDrain has this process leave.
func (k *Cluster) serveDrain(w http.ResponseWriter, _ *http.Request) {
	k.askOnce.Do(func() { close(k.asked) })
	w.WriteHeader(http.StatusAccepted)
}

// Asked is closed when an operator wants this process to leave.
func (k *Cluster) Asked() <-chan struct{} { return k.asked }

// serveLead has this process lead.
func (k *Cluster) serveLead(w http.ResponseWriter, r *http.Request) {
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
