package protocol

import (
	"unicode/utf8"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Version is the version of the protocol. Both sides must speak the same.
const Version = 1

// Kind is what a frame is.
type Kind byte

// The kinds of frames.
const (
	KindHello   Kind = 1 + iota // client: who I am
	KindWelcome                 // server: who you are and what the world is
	KindData                    // both: datagrams of the mechanism
	KindPing                    // client: what time is it?
	KindPong                    // server: this time
	KindBye                     // client: I am leaving for good
	KindGoodbye                 // server: you are out, for a reason
	KindNotice                  // server: something that operators have to say
)

// KindOf returns what a frame is; zero for an empty one. Unknown kinds are returned as they are.
func KindOf(frame []byte) Kind {
	if len(frame) == 0 {
		return 0
	}
	return Kind(frame[0])
}

// TokenMax and ReasonMax are how long the texts in frames may be.
const (
	TokenMax  = 256
	ReasonMax = 256
)

// Hello opens a connection. Fresh says that the client has no node, since it has never been here or its page was loaded
// anew. A client that only lost its connection goes on with the node that it has, unless the welcome's epoch is another one:
// then the seat was used by somebody else in between, and the client joins the run anew.
type Hello struct {
	Version uint64
	Fresh   bool
	Token   []byte
}

// AppendHello appends a hello.
func AppendHello(dst []byte, h Hello) []byte {
	dst = append(dst, byte(KindHello))
	dst = wire.AppendUint(dst, h.Version)
	dst = append(dst, flag(h.Fresh))
	return wire.AppendBytes(dst, h.Token)
}

// ReadHello reads a hello. Of one in another version only Version is set.
func ReadHello(frame []byte) (Hello, error) {
	r := open(frame, KindHello)
	h := Hello{Version: r.Uint()}
	if !r.Failed() && h.Version != Version {
		return h, nil
	}
	h.Fresh = r.UintMax(1) == 1
	h.Token = r.Bytes()
	if len(h.Token) > TokenMax {
		r.Fail()
	}
	return h, r.Done()
}

// Welcome is the server's answer to a hello.
type Welcome struct {
	Node        mechanism.NodeID
	User        world.User
	Epoch       uint32     // for the node's session; see mechanism.Session
	Time        world.Time // the world's time when this was written
	Tick        world.Time // how long the world's ticks are
	Role        []byte     // of the node's place
	Description []byte     // a session.Description as JSON
}

// AppendWelcome appends a welcome.
func AppendWelcome(dst []byte, w *Welcome) []byte {
	dst = append(dst, byte(KindWelcome))
	dst = wire.AppendUint(dst, uint64(w.Node))
	dst = wire.AppendUint(dst, uint64(w.User))
	dst = wire.AppendUint(dst, uint64(w.Epoch))
	dst = wire.AppendInt(dst, int64(w.Time))
	dst = wire.AppendInt(dst, int64(w.Tick))
	dst = wire.AppendBytes(dst, w.Role)
	return wire.AppendBytes(dst, w.Description)
}

// ReadWelcome reads a welcome.
func ReadWelcome(frame []byte) (Welcome, error) {
	r := open(frame, KindWelcome)
	w := Welcome{
		Node:        mechanism.NodeID(r.UintMax(1<<32 - 1)),
		User:        world.User(r.UintMax(1<<32 - 1)),
		Epoch:       uint32(r.UintMax(1<<32 - 1)),
		Time:        world.Time(r.Int()),
		Tick:        world.Time(r.Int()),
		Role:        r.Bytes(),
		Description: r.Bytes(),
	}
	return w, r.Done()
}

// Place is the place of the node that the client runs.
func (w *Welcome) Place() mechanism.Place {
	return mechanism.Place{ID: w.Node, Role: string(w.Role), User: w.User}
}

// AppendPing appends a ping with the client's time.
func AppendPing(dst []byte, client world.Time) []byte {
	return wire.AppendInt(append(dst, byte(KindPing)), int64(client))
}

// ReadPing reads a ping.
func ReadPing(frame []byte) (client world.Time, err error) {
	r := open(frame, KindPing)
	client = world.Time(r.Int())
	return client, r.Done()
}

// AppendPong appends the answer to a ping: its time and the server's.
func AppendPong(dst []byte, client, server world.Time) []byte {
	dst = wire.AppendInt(append(dst, byte(KindPong)), int64(client))
	return wire.AppendInt(dst, int64(server))
}

// ReadPong reads a pong.
func ReadPong(frame []byte) (client, server world.Time, err error) {
	r := open(frame, KindPong)
	client, server = world.Time(r.Int()), world.Time(r.Int())
	return client, server, r.Done()
}

// AppendBye appends a client's farewell.
func AppendBye(dst []byte) []byte { return append(dst, byte(KindBye)) }

// ReadBye checks a client's farewell.
func ReadBye(frame []byte) error {
	r := open(frame, KindBye)
	return r.Done()
}

// AppendGoodbye appends the server's farewell. A reason beyond ReasonMax is cut.
func AppendGoodbye(dst []byte, reason string) []byte { return appendText(dst, KindGoodbye, reason) }

// ReadGoodbye reads the server's farewell.
func ReadGoodbye(frame []byte) (reason []byte, err error) { return readText(frame, KindGoodbye) }

// AppendNotice appends what operators have to say. A text beyond ReasonMax is cut.
func AppendNotice(dst []byte, text string) []byte { return appendText(dst, KindNotice, text) }

// ReadNotice reads it.
func ReadNotice(frame []byte) (text []byte, err error) { return readText(frame, KindNotice) }

// appendText appends a frame that is a text.
func appendText(dst []byte, kind Kind, text string) []byte {
	if len(text) > ReasonMax {
		end := ReasonMax
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return append(append(dst, byte(kind)), text...)
}

func readText(frame []byte, kind Kind) (text []byte, err error) {
	r := open(frame, kind)
	if text = r.Rest(); len(text) > ReasonMax {
		r.Fail()
	}
	return text, r.Done()
}

// open begins to read a frame that should be of this kind.
func open(frame []byte, want Kind) wire.Reader {
	r := wire.NewReader(frame)
	if Kind(r.Byte()) != want {
		r.Fail()
	}
	return r
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
