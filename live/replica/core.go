package replica

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"throng/world/random"
)

// Member names a replica: a process, and how often it has begun. See the package comment for why that matters.
type Member uint64

// NewMember is a process in its life of a number.
func NewMember(process, life uint32) Member { return Member(uint64(process)<<32 | uint64(life)) }

// Process is which process a member is.
func (m Member) Process() uint32 { return uint32(m >> 32) }

// Life is how often the process had begun before.
func (m Member) Life() uint32 { return uint32(m) }

func (m Member) String() string { return fmt.Sprintf("%d.%d", m.Process(), m.Life()) }

// StateMachine is what is replicated. It must depend on what it is handed and nothing else.
type StateMachine interface {
	// Apply takes the next entry. What follows from it may leave the process only if leads is set; the entry holds during
	// the call.
	Apply(entry []byte, leads bool)
	// AppendSnapshot writes the whole state.
	AppendSnapshot(dst []byte) []byte
	// Restore puts the machine into a state that was written before, here or elsewhere.
	Restore(snapshot []byte) error
}

// Config is how a replica behaves.
type Config struct {
	Self      Member
	Group     []Member // the members of a group that begins; nil for one who is to be added to a group, or has a disk that knows
	Election  int      // ticks without a word from a leader after which one is elected, at least; up to twice as many
	Heartbeat int      // ticks between a leader's words
	Seed      uint64   // what patience is drawn from

	// SnapshotBytes is after how many bytes of entries a snapshot takes the log's place.
	SnapshotBytes int
	// UncommittedBytes is how much may wait for a majority. Further proposals are refused.
	UncommittedBytes uint64
}

// Defaults for what is zero in a Config.
const (
	defaultElection         = 10
	defaultHeartbeat        = 2
	defaultSnapshotBytes    = 16 << 20
	defaultUncommittedBytes = 64 << 20
	messageBytes            = 1 << 20 // how much of the log goes into a message
	inflightMessages        = 64
)

func (c Config) withDefaults() Config {
	set := func(n *int, to int) {
		if *n == 0 {
			*n = to
		}
	}
	set(&c.Election, defaultElection)
	set(&c.Heartbeat, defaultHeartbeat)
	set(&c.SnapshotBytes, defaultSnapshotBytes)
	if c.UncommittedBytes == 0 {
		c.UncommittedBytes = defaultUncommittedBytes
	}
	return c
}

// What a proposal may be refused for.
var (
	ErrNotLeading = errors.New("replica: another member leads, or nobody")
	ErrBusy       = errors.New("replica: too much waits for a majority")
)

// Core is one replica. It is for one goroutine.
type Core struct {
	config  Config
	raw     *raft.RawNode
	log     *raft.MemoryStorage // what the engine reads; the disk has the same
	disk    Disk
	machine StateMachine
	members *pb.ConfState

	applied  uint64
	logBytes int  // of entries since the last snapshot
	overdue  bool // a snapshot was asked for
	leads    bool
	leader   Member
	term     uint64

	patience random.Stream
	silence  int // ticks since a leader was heard of, or a vote was cast
	most     int // ticks of silence after which an election is called
	hasty    int // elections that are still to be called without patience
	sent     []sentSnapshot
	buf      []byte
}

// New returns a replica with what its disk holds.
func New(c Config, disk Disk, machine StateMachine) (*Core, error) {
	c = c.withDefaults()
	r := &Core{config: c, disk: disk, machine: machine, log: raft.NewMemoryStorage(), patience: random.New(c.Seed, "election", uint64(c.Self))}
	if err := r.load(); err != nil {
		return nil, err
	}
	raw, err := raft.NewRawNode(&raft.Config{
		ID: uint64(c.Self), ElectionTick: c.Election, HeartbeatTick: c.Heartbeat,
		Storage: r.log, Applied: r.applied,
		MaxSizePerMsg: messageBytes, MaxCommittedSizePerReady: math.MaxUint64, MaxInflightMsgs: inflightMessages,
		MaxUncommittedEntriesSize: c.UncommittedBytes,
		CheckQuorum:               true, PreVote: true, DisableProposalForwarding: true, StepDownOnRemoval: true,
		Logger: silent{},
	})
	if err != nil {
		return nil, err
	}
	r.raw = raw
	r.calm()
	return r, nil
}

// load takes over what is on the disk. A disk that holds nothing is given the group that begins.
func (r *Core) load() error {
	hard, snapshot, entries, err := r.disk.Load()
	if err != nil {
		return err
	}
	if raft.IsEmptySnap(snapshot) && len(r.config.Group) > 0 {
		snapshot = r.founding()
		if err := r.disk.Save(nil, nil, snapshot); err != nil {
			return err
		}
	}
	r.members = &pb.ConfState{}
	if !raft.IsEmptySnap(snapshot) {
		if err := r.log.ApplySnapshot(snapshot); err != nil {
			return err
		}
		if err := r.machine.Restore(snapshot.Data); err != nil {
			return fmt.Errorf("the snapshot up to entry %d cannot be used: %w", snapshot.GetMetadata().GetIndex(), err)
		}
		r.members, r.applied = snapshot.GetMetadata().GetConfState(), snapshot.GetMetadata().GetIndex()
	}
	if hard != nil {
		if err := r.log.SetHardState(hard); err != nil {
			return err
		}
	}
	return r.log.Append(entries)
}

// Leader is who leads as far as is known here, or zero.
func (r *Core) Leader() Member { return r.leader }

// Leads reports whether this replica leads. It may have been replaced without knowing; then nothing it is proposed comes to pass.
func (r *Core) Leads() bool { return r.leads }

// Term counts the elections that this replica knows of.
func (r *Core) Term() uint64 { return r.term }

// Applied is the number of the last entry that was applied.
func (r *Core) Applied() uint64 { return r.applied }

// Tick lets time pass.
func (r *Core) Tick() {
	if r.leads {
		r.raw.Tick()
		r.giveUpSnapshots()
		return
	}
	// Tick would call elections at times drawn from a global source; this lets the same time pass without.
	r.raw.TickQuiesced()
	if r.silence++; r.silence >= r.most {
		r.calm()
		_ = r.raw.Campaign() // refused where it makes no sense
	}
}

// calm begins the wait for a leader anew.
func (r *Core) calm() {
	r.silence = 0
	if r.hasty > 0 {
		r.hasty--
		r.most = hurry + int(r.patience.Below(hurry))
		return
	}
	r.most = r.config.Election + int(r.patience.Below(uint64(r.config.Election)))
}

const (
	hastyElections = 4 // that are called without patience after a leader's death
	hurry          = 3 // ticks between them, at least; up to twice as many
)

// Campaign has the replica stand for election now.
func (r *Core) Campaign() { _ = r.raw.Campaign() }

// Mourn is told that the process of a member is known to have died. If it led, nobody need wait for a word from it: an election
// is called at once by the replica of rank zero among the survivors, and by others a few ticks later, should that come to nothing.
func (r *Core) Mourn(m Member, rank int) {
	r.raw.ReportUnreachable(uint64(m))
	if r.leader != m || r.leads {
		return
	}
	if err := r.raw.ForgetLeader(); err != nil {
		return // it is a candidate already
	}
	r.leader = 0
	r.hasty = hastyElections
	r.silence, r.most = 0, 1+hurry*rank
}

// Receive takes a message of a peer.
func (r *Core) Receive(message []byte) error {
	var m pb.Message
	if err := proto.Unmarshal(message, &m); err != nil {
		return fmt.Errorf("replica: %w", err)
	}
	if m.GetTo() != uint64(r.config.Self) {
		return nil // for one who had our place before
	}
	switch m.GetType() {
	case pb.MsgApp, pb.MsgHeartbeat, pb.MsgSnap:
		if m.GetTerm() >= r.term {
			r.calm()
		}
	case pb.MsgProp, pb.MsgHup, pb.MsgBeat, pb.MsgUnreachable, pb.MsgSnapStatus, pb.MsgCheckQuorum:
		return nil // not for the network
	}
	if err := r.raw.Step(&m); err != nil && !errors.Is(err, raft.ErrStepPeerNotFound) && !errors.Is(err, raft.ErrProposalDropped) {
		return err
	}
	return nil
}

// Propose asks for an entry to be applied everywhere. It is copied. Whether it comes to pass shows when it is applied.
func (r *Core) Propose(entry []byte) error { return r.ProposeParts(entry) }

// ProposeParts proposes an entry that is given in parts.
func (r *Core) ProposeParts(parts ...[]byte) error {
	if !r.leads {
		return ErrNotLeading
	}
	if err := r.raw.Propose(slices.Concat(parts...)); err != nil {
		return ErrBusy
	}
	return nil
}

// Change asks for members to be added and removed, in one step.
func (r *Core) Change(add, remove []Member) error {
	if !r.leads {
		return ErrNotLeading
	}
	change := &pb.ConfChangeV2{}
	for _, m := range add {
		change.Changes = append(change.Changes, &pb.ConfChangeSingle{Type: pb.ConfChangeAddNode.Enum(), NodeId: new(uint64(m))})
	}
	for _, m := range remove {
		change.Changes = append(change.Changes, &pb.ConfChangeSingle{Type: pb.ConfChangeRemoveNode.Enum(), NodeId: new(uint64(m))})
	}
	return r.raw.ProposeConfChange(change)
}

// Members are the members as of the last entry applied here.
func (r *Core) Members() []Member {
	var all []Member
	for _, v := range r.members.GetVoters() {
		all = append(all, Member(v))
	}
	return all
}

// Changing reports whether a change of the group is under way: a further one has to wait.
func (r *Core) Changing() bool { return len(r.members.GetVotersOutgoing()) > 0 }

// Compact has the next Pump take a snapshot, however short the log is: what is in it may take long to carry out again.
func (r *Core) Compact() { r.overdue = true }

// Transfer has another member lead, if it is up to date.
func (r *Core) Transfer(to Member) { r.raw.TransferLeader(uint64(to)) }

// Unreachable says that messages to a peer are known not to arrive.
func (r *Core) Unreachable(m Member) { r.raw.ReportUnreachable(uint64(m)) }
