package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"throng/live/replica"
	"throng/world/wire"
)

// What an answer to a request begins with.
const (
	statusOK      = 0
	statusRefused = 1 // a reason follows
	statusFounded = 2 // to who wants to join: it is one of those that the world begins with
)

// answer is what was answered to a request.
type answer struct {
	status byte
	body   []byte
}

// requests are those that wait for an answer.
type requests struct {
	mu      sync.Mutex
	last    uint64
	waiting map[uint64]chan answer
}

func (q *requests) begin() (id uint64, answered chan answer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.last++
	answered = make(chan answer, 1)
	q.waiting[q.last] = answered
	return q.last, answered
}

func (q *requests) finish(id uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, id)
}

// answer hands an answer to who waits for it, if anybody still does.
func (q *requests) answer(id uint64, a answer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if waiting := q.waiting[id]; waiting != nil {
		select {
		case waiting <- a:
		default:
		}
	}
}

const (
	askAgain = 500 * time.Millisecond // a request that nobody has answered is sent again, then after twice as long, and so on,
	askMost  = 4 * time.Second        // up to this
	lookWho  = 10 * time.Millisecond  // how often it is looked who leads
)

// submit has a command for the directory be carried out, whoever leads, and waits for it. It goes on asking until ctx is done.
func (k *Cluster) submit(ctx context.Context, command []byte) ([]byte, error) {
	a, err := k.ask(ctx, command)
	switch {
	case err != nil:
		return nil, err
	case a.status == statusRefused:
		return nil, refusal(a.body)
	}
	return a.body, nil
}

// refusal is what another process answered instead of doing what it was asked.
type refusal string

func (r refusal) Error() string { return string(r) }

func (k *Cluster) ask(ctx context.Context, command []byte) (answer, error) {
	id, answered := k.requests.begin()
	defer k.requests.finish(id)
	body := append(wire.AppendUint64(nil, id), command...)
	ticker := time.NewTicker(lookWho)
	defer ticker.Stop()
	var asked time.Time
	var whom uint32
	var again time.Duration
	for {
		leader := k.leader()
		if leader != whom {
			again = 0
		}
		if time.Since(asked) >= again {
			asked, whom, again = time.Now(), leader, min(max(askAgain, 2*again), askMost)
			k.sendRequest(leader, id, body)
		}
		select {
		case a := <-answered:
			return a, nil
		case <-ticker.C:
		case <-k.ended:
			return answer{}, k.err
		case <-k.quit:
			return answer{}, errors.New("the process is ending")
		case <-ctx.Done():
			return answer{}, fmt.Errorf("nobody has answered: %w", ctx.Err())
		}
	}
}

// leader is the number of the process that leads, or zero.
func (k *Cluster) leader() uint32 {
	if !k.running.Load() {
		return 0
	}
	return k.group.leader.Load()
}

// sendRequest sends a request to the leader or, while it is not known who that is, to everybody: others than the leader say nothing.
func (k *Cluster) sendRequest(leader uint32, id uint64, body []byte) {
	switch {
	case leader != 0 && leader == k.self.number:
		k.group.command(func() { k.proposeCommand(k.mesh.instance, id, body[8:]) })
	case leader != 0:
		if p := k.mesh.of(leader); p != nil {
			p.send(kindRequest, body)
		}
	default:
		for _, p := range k.mesh.all() {
			p.send(kindRequest, body)
		}
	}
}

// proposeCommand puts a command into the log. It is for the group's goroutine.
func (k *Cluster) proposeCommand(asker, id uint64, command []byte) {
	switch {
	case len(command) == 0 || !k.group.core.Leads(): // whoever gets no answer asks again
	case command[0] == commandOut:
		k.answerOut(asker, id, command)
	case command[0] == commandLead:
		k.transfer(command)
	case command[0] == commandBack && !k.remembered(command):
		k.answerAsker(outcome{asker: asker, request: id, err: errForgotten})
	default:
		_ = k.group.core.Propose(appendCommand(nil, asker, id, command))
	}
}

// errForgotten is the answer to a process that has come back too late.
var errForgotten = errors.New("the others have gone on without this process, and another has taken its place: what it had on its disk was removed, and it can join anew")

// remembered reports whether a process that wants to come back is still one of those that agree.
func (k *Cluster) remembered(command []byte) bool {
	r := wire.NewReader(command[1:])
	p := readProcess(&r)
	return r.Done() == nil && slices.Contains(k.group.core.Members(), replica.NewMember(p.number, 0))
}

// answerOut answers a process that wants to know whether it is out of the group.
func (k *Cluster) answerOut(asker, id uint64, command []byte) {
	r := wire.NewReader(command[1:])
	m := replica.NewMember(readNumber(&r), 0)
	if core := k.group.core; m.Process() != k.self.number && !core.Changing() && !slices.Contains(core.Members(), m) {
		k.answerAsker(outcome{asker: asker, request: id})
	}
}

// requested takes a request of another process.
func (k *Cluster) requested(p *peer, body []byte) {
	if len(body) < 8 {
		return
	}
	r := wire.NewReader(body)
	id, command := r.Uint64(), append([]byte(nil), r.Rest()...)
	switch {
	case k.running.Load():
		k.group.command(func() { k.proposeCommand(p.instance, id, command) })
	case k.gathering != nil:
		if status, reply, ok := k.gathering.request(p.instance, command); ok {
			p.reply(id, status, reply)
		}
	}
}

func (p *peer) reply(id uint64, status byte, body []byte) {
	p.send(kindReply, wire.AppendUint64(nil, id), []byte{status}, body)
}

// replied takes an answer of another process.
func (k *Cluster) replied(body []byte) {
	if len(body) < 9 {
		return
	}
	r := wire.NewReader(body)
	k.requests.answer(r.Uint64(), answer{r.Byte(), append([]byte(nil), r.Rest()...)})
}

// askToJoin asks to be let in. It returns the world, which of its processes this one is, and whether it is one of those that it
// begins with.
func (k *Cluster) askToJoin(ctx context.Context) (number uint32, f founding, founded bool, err error) {
	a, err := k.ask(ctx, appendProcess([]byte{commandJoin}, &k.self))
	switch {
	case err != nil:
		return 0, f, false, err
	case a.status == statusRefused:
		return 0, f, false, fmt.Errorf("the world lets this process not in: %s", a.body)
	}
	r := wire.NewReader(a.body)
	number = readNumber(&r)
	f, err = readFounding(&r)
	return number, f, a.status == statusFounded, err
}

// gathering is a world that waits for those that it begins with.
type gathering struct {
	mu       sync.Mutex
	founding founding
	complete chan struct{} // closed when all are there
}

func newGathering(f founding, self process) *gathering {
	g := &gathering{founding: f, complete: make(chan struct{})}
	g.founding.processes = []process{self}
	g.look()
	return g
}

// look sees whether all are there. The caller holds the lock.
func (g *gathering) look() {
	if len(g.founding.processes) == g.founding.wanted {
		close(g.complete)
	}
}

// request takes a process in, and answers once all are there; until then it will ask again.
func (g *gathering) request(instance uint64, command []byte) (status byte, reply []byte, ok bool) {
	r := wire.NewReader(command)
	if r.Byte() != commandJoin {
		return 0, nil, false
	}
	p := readProcess(&r)
	if r.Done() != nil || p.instance != instance {
		return 0, nil, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, known := range g.founding.processes {
		if known.instance == instance {
			return g.answer(known.number)
		}
	}
	if len(g.founding.processes) == g.founding.wanted {
		return statusRefused, []byte("the world is about to begin with as many processes as it waits for; try again in a moment"), true
	}
	p.number = uint32(len(g.founding.processes) + 1)
	g.founding.processes = append(g.founding.processes, p)
	g.look()
	return g.answer(p.number)
}

func (g *gathering) answer(number uint32) (status byte, reply []byte, ok bool) {
	if len(g.founding.processes) < g.founding.wanted {
		return 0, nil, false
	}
	return statusFounded, g.founding.append(wire.AppendUint(nil, uint64(number))), true
}
