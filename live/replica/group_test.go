package replica

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"throng/world/random"
)

// process is one of those that the group lives on.
type process struct {
	number  uint32
	member  Member
	core    *Core // nil while it is down
	ledger  *ledger
	platter *platter // nil if there is no disk
	lives   uint32
	back    int // the step at which it begins again
	paused  int // it does nothing until then
}

// datagram is a message on its way.
type datagram struct {
	from, to Member
	payload  []byte
	at       int
}

// faults says what may go wrong, each as how often in a thousand steps or messages.
type faults struct {
	crash, pause, full, split, change uint64
	loss, repeat, delay               uint64
}

// breakage is a mistake made on purpose, to see that it is found.
type breakage uint8

const (
	sound     breakage = iota
	hasty              // an entry is acknowledged when it is proposed
	forgetful          // a process without a disk comes back under its old number
	liar               // disks say that they have saved what they have not
	fickle             // disks forget votes
)

// group is a whole group with everything around it, driven step by step from a seed.
type group struct {
	random    random.Stream
	faults    faults
	breakage  breakage
	durable   bool
	step      int
	processes []*process
	flying    []datagram
	cut       uint32 // processes on one side of a partition, as bits
	cutUntil  int
	next      uint64
	acked     []uint64
	changes   int

	machine func(p *process) StateMachine // what a process runs; a ledger if nil
	propose func(p *process)              // what a leader proposes in a step; the next number if nil
}

func newGroup(seed uint64, members int, durable bool, f faults, b breakage) *group {
	g := &group{random: random.New(seed, "group"), faults: f, durable: durable}
	g.found(members, b)
	return g
}

// found has the group begin.
func (g *group) found(members int, b breakage) {
	g.breakage = b
	var all []Member
	for i := range members {
		all = append(all, NewMember(uint32(i+1), 0))
	}
	for i := range members {
		p := &process{number: uint32(i + 1), member: all[i]}
		if g.durable {
			p.platter = &platter{lies: b == liar, fickle: b == fickle}
		}
		g.processes = append(g.processes, p)
		g.begin(p, all)
	}
}

// begin starts a process.
func (g *group) begin(p *process, members []Member) {
	p.ledger = &ledger{}
	p.ledger.leaves = func(id uint64) { g.acked = append(g.acked, id) }
	var disk Disk = NoDisk{}
	if p.platter != nil {
		disk = p.platter
		p.platter.full = false
	}
	var machine StateMachine = p.ledger
	snapshot := 300
	if g.machine != nil {
		machine, snapshot = g.machine(p), 50_000
	}
	core, err := New(Config{Self: p.member, Group: members, Seed: g.random.Uint64(), SnapshotBytes: snapshot}, disk, machine)
	if err != nil {
		panic(err)
	}
	p.core, p.lives = core, p.lives+1
}

func (g *group) chance(perMille uint64) bool { return g.random.Below(1000) < perMille }

// advance lets one step pass: things go wrong, messages arrive, time passes, users act.
func (g *group) advance() {
	g.step++
	g.trouble()
	g.deliver()
	for _, p := range g.processes {
		g.revive(p)
		if p.core == nil || p.paused > g.step {
			continue
		}
		p.core.Tick()
		if (g.step+int(p.number))%97 == 0 {
			p.core.Compact()
		}
		if p.core.Leads() {
			g.offer(p)
		}
		g.replace(p)
		g.pump(p)
	}
}

// trouble lets something go wrong.
func (g *group) trouble() {
	if len(g.processes) == 0 {
		return
	}
	p := g.processes[g.random.Below(uint64(len(g.processes)))]
	if g.chance(g.faults.crash) && p.core != nil && (g.durable || g.spared(p)) {
		g.crash(p)
	}
	if g.chance(g.faults.pause) {
		p.paused = g.step + 1 + int(g.random.Below(80))
	}
	if g.chance(g.faults.full) && p.platter != nil {
		p.platter.full = true
	}
	if g.chance(g.faults.split) {
		g.cut, g.cutUntil = uint32(g.random.Uint64()), g.step+1+int(g.random.Below(100))
	}
	if g.step >= g.cutUntil {
		g.cut = 0
	}
}

// spared reports whether a group without disks can do without a process: of its members, and while it changes of those before
// the change as well, more than half must be left that hold what is decided. Newcomers do not count before they are named, nor
// is a change over before those who are left have heard so: until then they want the votes of who was a member before it.
func (g *group) spared(p *process) bool {
	latest := p.core
	for _, q := range g.processes {
		if q.core != nil && q.core.Applied() > latest.Applied() {
			latest = q.core
		}
	}
	holds := func(q *process) bool { return q != p && q.core != nil && q.core.Applied()+5 >= latest.Applied() }
	groups := [][]uint64{latest.members.GetVoters(), latest.members.GetVotersOutgoing()}
	for _, q := range g.processes {
		if holds(q) {
			groups = append(groups, q.core.members.GetVoters(), q.core.members.GetVotersOutgoing())
		}
	}
	for _, voters := range groups {
		left := 0
		for _, q := range g.processes {
			if holds(q) && slices.Contains(voters, uint64(q.member)) {
				left++
			}
		}
		if len(voters) > 0 && left <= len(voters)/2 {
			return false
		}
	}
	return true
}

func (g *group) crash(p *process) {
	p.core, p.ledger = nil, nil
	if p.platter != nil {
		p.platter.writing = nil
	}
	p.back = g.step + 1 + int(g.random.Below(60))
}

// revive has a process begin again.
func (g *group) revive(p *process) {
	if p.core != nil || p.back > g.step {
		return
	}
	if !g.durable && g.breakage != forgetful {
		p.member = NewMember(p.number, p.lives)
	}
	g.begin(p, nil)
}

// replace has the leader take in a process that is back under another number, in place of its former one.
func (g *group) replace(p *process) {
	if !p.core.Leads() || p.core.Changing() {
		return
	}
	members := p.core.Members()
	for _, q := range g.processes {
		if q.core == nil || slices.Contains(members, q.member) {
			continue
		}
		var former []Member
		for _, m := range members {
			if m.Process() == q.number {
				former = append(former, m)
			}
		}
		if p.core.Change([]Member{q.member}, former) == nil {
			g.changes++
		}
		return
	}
	if g.chance(g.faults.change) && g.durable && len(members) > 3 {
		_ = p.core.Change(nil, []Member{members[g.random.Below(uint64(len(members)))]}) // it is taken in again at once
	}
}

// offer proposes something.
func (g *group) offer(p *process) {
	if g.propose != nil {
		g.propose(p)
		return
	}
	if g.random.Below(2) != 0 {
		return
	}
	g.next++
	if p.core.Propose(binary.LittleEndian.AppendUint64(nil, g.next)) == nil && g.breakage == hasty {
		g.acked = append(g.acked, g.next)
	}
}

func (g *group) pump(p *process) {
	err := p.core.Pump(func(to Member, message []byte) { g.post(p.member, to, message) })
	if err != nil {
		if !errors.Is(err, errFull) {
			panic(err)
		}
		g.crash(p)
	}
}

func (g *group) post(from, to Member, message []byte) {
	copies := 1
	if g.chance(g.faults.loss) {
		copies = 0
	} else if g.chance(g.faults.repeat) {
		copies = 2
	}
	for range copies {
		at := g.step + 1
		if g.chance(g.faults.delay) {
			at += int(g.random.Below(30))
		}
		g.flying = append(g.flying, datagram{from, to, slices.Clone(message), at})
	}
}

func (g *group) apart(a, b Member) bool {
	return g.cut>>(a.Process()%32)&1 != g.cut>>(b.Process()%32)&1
}

func (g *group) deliver() {
	var due []datagram
	g.flying = slices.DeleteFunc(g.flying, func(d datagram) bool {
		if d.at <= g.step {
			due = append(due, d)
		}
		return d.at <= g.step
	})
	for _, d := range due {
		for _, p := range g.processes {
			if p.member != d.to || p.core == nil || p.paused > g.step || g.apart(d.from, d.to) {
				continue
			}
			if err := p.core.Receive(d.payload); err != nil {
				panic(err)
			}
			g.pump(p)
		}
	}
}

// heal ends all trouble and lets the group come to rest.
func (g *group) heal() error {
	g.faults, g.cut = faults{}, 0
	for _, p := range g.processes {
		p.paused = 0
		if p.platter != nil {
			p.platter.full = false
		}
	}
	acked := len(g.acked)
	for range 2000 {
		g.advance()
		if len(g.acked) > acked+20 && g.agreed() {
			return g.verify()
		}
	}
	if len(g.acked) <= acked+20 {
		return fmt.Errorf("no progress after the trouble: %d entries acknowledged", len(g.acked)-acked)
	}
	return errors.New("replicas do not come to agree")
}

// agreed reports whether all hold the same.
func (g *group) agreed() bool {
	for _, p := range g.processes {
		if p.core == nil || p.core.Applied() != g.processes[0].core.Applied() {
			return false
		}
	}
	return true
}

// verify looks for everything that was acknowledged, and for what was carried out twice.
func (g *group) verify() error {
	first := g.processes[0].ledger
	for _, p := range g.processes[1:] {
		if p.ledger.hash() != first.hash() {
			return fmt.Errorf("replicas differ after the same entry")
		}
	}
	times := map[uint64]int{}
	for _, id := range first.entries {
		if times[id]++; times[id] > 1 {
			return fmt.Errorf("entry %d was carried out twice", id)
		}
	}
	for _, id := range g.acked {
		if times[id] == 0 {
			return fmt.Errorf("entry %d was acknowledged and is lost", id)
		}
	}
	return nil
}
