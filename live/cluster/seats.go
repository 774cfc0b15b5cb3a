package cluster

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

const (
	// tokenLife is how long after a client has asked for a token it may take a seat with it.
	tokenLife = 30 * world.Second

	// claimTime is how long it may take until a seat is known to be somebody's, while others elect who leads.
	claimTime = 10 * time.Second

	signatureSize = 16
)

// ErrStranger is the answer to a token that is not the world's, or that has expired with its seat.
var ErrStranger = errors.New("the token is unknown or no longer valid")

// Seats gives people their seats, in all processes alike: a token is signed with the world's key, and the directory knows whose seat
// it is. Whoever loses a process comes back through any other, as the same user.
type Seats struct {
	cluster *Cluster

	mu     sync.Mutex
	byID   map[seatID]*hub.Seat
	byNode map[mechanism.NodeID]seatID
}

func newSeats(k *Cluster) *Seats {
	return &Seats{cluster: k, byID: map[seatID]*hub.Seat{}, byNode: map[mechanism.NodeID]seatID{}}
}

// Seats are the seats of the world.
func (k *Cluster) Seats() *Seats { return k.seats }

// Gateways are where people can come in, of all processes.
func (s *Seats) Gateways() []string { return s.cluster.gateways() }

// Origins are where people could ever come in: pages from there go on elsewhere.
func (s *Seats) Origins() (list []string) {
	k := s.cluster
	k.group.do(func() {
		list = slices.Clone(k.machine.directory.former)
		for _, p := range k.machine.directory.live() {
			if p.gateway != "" {
				list = append(list, p.gateway)
			}
		}
	})
	return list
}

func (s *Seats) sign(body []byte) []byte {
	mac := hmac.New(sha256.New, s.cluster.machine.directory.founding.key)
	mac.Write(body)
	return mac.Sum(nil)[:signatureSize]
}

// Issue returns a token for a seat that is taken when somebody shows it: a name for the seat, random or the account's own, when it was
// issued, what the person is called and whose account it is.
func (s *Seats) Issue(name, account string) string {
	body := make([]byte, len(seatID{}), 64)
	if account == "" {
		rand.Read(body)
	} else {
		id := s.seatOf(account)
		copy(body, id[:])
	}
	body = binary.LittleEndian.AppendUint64(body, uint64(s.cluster.clock.Now()))
	body = append(body, name...)
	if account != "" {
		body = append(append(body, accountMark), account...)
	}
	return base64.RawURLEncoding.EncodeToString(append(body, s.sign(body)...))
}

// accountMark stands in a token between a name, which has no such byte, and an account.
const accountMark = 0

// seatOf is the name of an account's seat. It is no signature of a token: those are made with another key.
func (s *Seats) seatOf(account string) (id seatID) {
	mac := hmac.New(sha256.New, append(slices.Clone(s.cluster.machine.directory.founding.key), "accounts"...))
	mac.Write([]byte(account))
	copy(id[:], mac.Sum(nil))
	return id
}

// read reads a token, if it is one of this world's.
func (s *Seats) read(token []byte) (id seatID, issued world.Time, who hub.Visitor, ok bool) {
	text := make([]byte, base64.RawURLEncoding.DecodedLen(len(token)))
	n, err := base64.RawURLEncoding.Decode(text, token)
	head := len(id) + 8
	if err != nil || n < head+signatureSize {
		return id, 0, who, false
	}
	body, signature := text[:n-signatureSize], text[n-signatureSize:n]
	if !hmac.Equal(signature, s.sign(body)) {
		return id, 0, who, false
	}
	copy(id[:], body)
	who.Name, who.Account, _ = strings.Cut(string(body[head:]), string(rune(accountMark)))
	return id, world.Time(binary.LittleEndian.Uint64(body[len(id):])), who, true
}

// Claim gives the seat of a token to a connection. Whoever hears of it later has heard of it for good: it is not lost with this
// process. It may wait while processes elect who leads.
func (s *Seats) Claim(token []byte, c hub.Conn, fresh bool) (*hub.Seat, uint32, error) {
	id, issued, who, ok := s.read(token)
	if !ok {
		return nil, 0, ErrStranger
	}
	h := s.cluster.hub.Load()
	seat, err := s.find(h, id, issued, who)
	if err != nil {
		return nil, 0, err
	}
	epoch, err := h.Attach(seat, c, fresh)
	if err != nil {
		return nil, 0, err
	}
	s.mu.Lock()
	s.byID[id], s.byNode[seat.Place().ID] = seat, id
	s.mu.Unlock()
	place := seat.Place()
	want := hold{node: place.ID, user: place.User, epoch: epoch, process: s.cluster.self.number, seat: id, name: who.Name}
	ctx, cancel := context.WithTimeout(context.Background(), claimTime)
	defer cancel()
	if _, err := s.cluster.submit(ctx, appendHold([]byte{commandTake}, &want)); err != nil {
		h.Leave(seat, err.Error())
		return nil, 0, err
	}
	return seat, epoch, nil
}

// find finds the seat of a token: here, or in the directory, or a new one.
func (s *Seats) find(h *hub.Hub, id seatID, issued world.Time, who hub.Visitor) (*hub.Seat, error) {
	s.mu.Lock()
	seat := s.byID[id]
	s.mu.Unlock()
	if seat != nil && !seat.Gone() {
		return seat, nil
	}
	if held, ok := s.cluster.held(id); ok && held.process != s.cluster.self.number {
		return h.Resume(who, hub.Duty{Node: held.node, User: held.user, Epoch: held.epoch})
	}
	if s.cluster.clock.Now()-issued > tokenLife {
		return nil, ErrStranger
	}
	return h.Seat(who)
}

// present is for hub.Config: a place that nobody has here any more is nobody's, unless this process hands everything over. It is
// called under the hub's lock.
func (k *Cluster) present(id mechanism.NodeID, here bool) {
	if here || k.leaving.Load() {
		return
	}
	s := k.seats
	s.mu.Lock()
	seat, ok := s.byNode[id]
	s.mu.Unlock()
	if ok {
		go s.end(id, seat)
	}
}

// end has the directory forget a seat, unless somebody else has it by now.
func (s *Seats) end(id mechanism.NodeID, seat seatID) {
	s.mu.Lock()
	if s.byNode[id] == seat {
		delete(s.byNode, id)
	}
	delete(s.byID, seat)
	s.mu.Unlock()
	k := s.cluster
	ctx, cancel := context.WithTimeout(context.Background(), claimTime)
	defer cancel()
	command := wire.AppendUint([]byte{commandLeave}, uint64(k.self.number))
	command = append(wire.AppendUint(command, uint64(id)), seat[:]...)
	if _, err := k.submit(ctx, command); err != nil {
		k.log.Debug("a seat could not be given back", "error", err)
	}
}

// Sweep gives back the seats of those who have left places that artificial players have taken again.
func (s *Seats) Sweep() {
	s.mu.Lock()
	gone := map[mechanism.NodeID]seatID{}
	for node, id := range s.byNode {
		if seat := s.byID[id]; seat != nil && seat.Gone() {
			gone[node] = id
		}
	}
	s.mu.Unlock()
	for node, id := range gone {
		go s.end(node, id)
	}
}
