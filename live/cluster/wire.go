package cluster

import (
	"encoding/binary"
	"errors"
	"io"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world/wire"
)

// version is that of everything that processes say to one another. Those of different versions cannot share a world.
const version = 2

// The kinds of frames between processes: a frame is its length in four bytes, one of these, and a body.
const (
	kindRaft     = 1 + iota // a message of the engine
	kindDatagram            // of the mechanism
	kindRequest             // number of the request, and what is wanted
	kindReply               // number of the request, a status, and the answer or a reason
	kindPing                // the sender's time
	kindPong                // the same, and the world's time, if it is known; entries of the log that were applied; how servers keep up
	kindName                // the sender's number among the world's processes
	kindMeet                // addresses of others
	kindEnd                 // the world has ended, and why: those who hear of it may be too few to agree on it
	kindWish                // of an operator, for the receiver
)

const (
	frameHead = 4 + 1

	// frameMax bounds what is read of a peer, which has shown the token: a snapshot is the largest that there is.
	frameMax = 1 << 30

	// textMax bounds names, addresses and reasons.
	textMax = 1 << 10
)

// beginFrame begins a frame behind others; endFrame writes its length.
func beginFrame(dst []byte, kind byte) (frame []byte, at int) {
	at = len(dst)
	return append(dst, 0, 0, 0, 0, kind), at
}

func endFrame(dst []byte, at int) []byte {
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// appendFrame appends a whole frame.
func appendFrame(dst []byte, kind byte, body ...[]byte) []byte {
	dst, at := beginFrame(dst, kind)
	for _, b := range body {
		dst = append(dst, b...)
	}
	return endFrame(dst, at)
}

var errFrame = errors.New("cluster: a frame is impossible")

// readFrame reads a frame into a buffer that is used again. The body holds until the next call.
func readFrame(r io.Reader, buf *[]byte, most int) (kind byte, body []byte, err error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := int(binary.LittleEndian.Uint32(head[:])) - 1
	if n < 0 || n > most {
		return 0, nil, errFrame
	}
	if cap(*buf) < n || cap(*buf) > 1<<20 && n < 1<<16 { // what a snapshot needed is given back
		*buf = make([]byte, max(n, 1<<12))
	}
	body = (*buf)[:n]
	_, err = io.ReadFull(r, body)
	return head[4], body, err
}

// appendDatagram appends a datagram of the mechanism as a frame.
func appendDatagram(dst []byte, m *mechanism.Message) []byte {
	dst, at := beginFrame(dst, kindDatagram)
	dst = append(dst, byte(m.Class))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(m.From))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(m.To))
	return endFrame(append(dst, m.Payload...), at)
}

// readDatagram reads a frame's body. The payload points into it.
func readDatagram(body []byte) (m mechanism.Message, ok bool) {
	const head = 1 + 4 + 4
	if len(body) < head {
		return m, false
	}
	m = mechanism.Message{
		Class: mechanism.Class(body[0]),
		From:  mechanism.NodeID(binary.LittleEndian.Uint32(body[1:])),
		To:    mechanism.NodeID(binary.LittleEndian.Uint32(body[5:])),
	}
	m.Payload = body[head:]
	return m, m.Class <= mechanism.Signal && known(m.From) && known(m.To)
}

// known reports whether there can be a node of that ID.
func known(id mechanism.NodeID) bool { return id != 0 && id <= hub.NodesMax }

func appendText(dst []byte, s string) []byte {
	return wire.AppendBytes(dst, []byte(s[:min(len(s), textMax)]))
}

func readText(r *wire.Reader) string {
	b := r.Bytes()
	if len(b) > textMax {
		r.Fail()
	}
	return string(b)
}

func appendTexts(dst []byte, list []string) []byte {
	dst = wire.AppendUint(dst, uint64(len(list)))
	for _, s := range list {
		dst = appendText(dst, s)
	}
	return dst
}

func readTexts(r *wire.Reader) (list []string) {
	for range r.UintMax(uint64(r.Len())) {
		if list = append(list, readText(r)); r.Failed() {
			return nil
		}
	}
	return list
}
