package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	"throng/live/protocol"
	"throng/live/socket"
	"throng/mechanism"
)

// Target is where a server is.
type Target struct {
	Address string // host and port
	client  http.Client
}

// NewTarget returns the target at an address.
func NewTarget(address string) *Target {
	return &Target{Address: address, client: http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}}
}

// Attack is one way of doing harm. It goes on until ctx is done; whatever the server does to it is no error.
type Attack struct {
	Name string
	Run  func(ctx context.Context, t *Target, r *rand.Rand)
}

// Attacks are all there are.
var Attacks = []Attack{
	{"tokens that are never used", once((*Target).token)},
	{"connections that say nothing", once((*Target).silence)},
	{"requests that never end", once((*Target).slowRequest)},
	{"hellos without a token", once((*Target).stranger)},
	{"floods of control frames", once((*Target).controlFlood)},
	{"floods of datagrams", once((*Target).datagramFlood)},
	{"garbage after a real hello", once((*Target).garbage)},
	{"clients that read nothing", once((*Target).deaf)},
	{"coming and going", once((*Target).churn)},
	{"one token for many", once((*Target).replay)},
	{"thin garbage", once((*Target).thinGarbage)},
	{"thin clients that want everything and take nothing", once((*Target).thinGreed)},
	{"thin coming and going", once((*Target).thinChurn)},
}

// once makes an attack of what is to be done over and over.
func once(do func(t *Target, ctx context.Context, r *rand.Rand)) func(context.Context, *Target, *rand.Rand) {
	return func(ctx context.Context, t *Target, r *rand.Rand) {
		for ctx.Err() == nil {
			do(t, ctx, r)
		}
	}
}

func (t *Target) token(ctx context.Context, _ *rand.Rand) { t.join(ctx) }

// join asks for a token; it is empty if there is none to be had.
func (t *Target) join(ctx context.Context) string {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+t.Address+"/api/join", strings.NewReader(`{"name": "Mallory"}`))
	if err != nil {
		return ""
	}
	response, err := t.client.Do(request)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	var reply struct{ Token string }
	json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&reply)
	return reply.Token
}

// dial opens a connection, which the caller closes.
func (t *Target) dial(ctx context.Context) net.Conn {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", t.Address)
	if err != nil {
		return nil
	}
	return conn
}

const upgrade = "GET /ws" + upgradeRest

const upgradeRest = " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

// connect opens a WebSocket and says something. What comes back is thrown away, unless the caller does not read.
func (t *Target) connect(ctx context.Context, reads bool, said ...[]byte) net.Conn {
	return t.open(ctx, upgrade, reads, said...)
}

// open does the same by any request.
func (t *Target) open(ctx context.Context, request string, reads bool, said ...[]byte) net.Conn {
	conn := t.dial(ctx)
	if conn == nil {
		return nil
	}
	if _, err := conn.Write(bytes.Join(append([][]byte{[]byte(request)}, said...), nil)); err != nil {
		conn.Close()
		return nil
	}
	if reads {
		go io.Copy(io.Discard, conn)
	}
	return conn
}

// enter opens a WebSocket with a seat.
func (t *Target) enter(ctx context.Context, reads bool) net.Conn {
	token := t.join(ctx)
	if token == "" {
		pause(ctx, 50*time.Millisecond)
		return nil
	}
	return t.connect(ctx, reads, frame(socket.Final|socket.Binary, hello(token)))
}

func hello(token string) []byte {
	return protocol.AppendHello(nil, protocol.Hello{Version: protocol.Version, Fresh: true, Token: []byte(token)})
}

func frame(head byte, payload []byte) []byte {
	return socket.AppendMasked(nil, socket.Frame{Head: head, Payload: payload}, [socket.MaskSize]byte{1, 2, 3, 4})
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func (t *Target) silence(ctx context.Context, _ *rand.Rand) {
	if conn := t.dial(ctx); conn != nil {
		go func() {
			pause(ctx, 3*time.Second)
			conn.Close()
		}()
	}
	pause(ctx, 20*time.Millisecond)
}

func (t *Target) slowRequest(ctx context.Context, r *rand.Rand) {
	conn := t.dial(ctx)
	if conn == nil {
		return
	}
	defer conn.Close()
	for _, c := range []byte(upgrade) {
		if _, err := conn.Write([]byte{c}); err != nil || ctx.Err() != nil {
			return
		}
		pause(ctx, time.Duration(r.IntN(30))*time.Millisecond)
	}
}

func (t *Target) stranger(ctx context.Context, r *rand.Rand) {
	if conn := t.connect(ctx, true, frame(socket.Final|socket.Binary, hello("guess"))); conn != nil {
		pause(ctx, time.Duration(r.IntN(20))*time.Millisecond)
		conn.Close()
	}
}

// flood writes the same until the server has had enough.
func flood(ctx context.Context, conn net.Conn, what []byte) {
	if conn == nil {
		return
	}
	defer conn.Close()
	what = bytes.Repeat(what, 100)
	for ctx.Err() == nil {
		if _, err := conn.Write(what); err != nil {
			return
		}
	}
}

func (t *Target) controlFlood(ctx context.Context, r *rand.Rand) {
	kinds := [][]byte{frame(socket.Final|socket.Ping, []byte("?")), frame(socket.Final|socket.Pong, nil), frame(socket.Continuation, nil)}
	flood(ctx, t.enter(ctx, true), kinds[r.IntN(len(kinds))])
}

func (t *Target) datagramFlood(ctx context.Context, r *rand.Rand) {
	data := protocol.AppendData(nil)
	for range 20 {
		data = protocol.AppendItem(data, 1, mechanism.Class(r.IntN(int(mechanism.Classes))), random(r, 40))
	}
	flood(ctx, t.enter(ctx, true), frame(socket.Final|socket.Binary, data))
}

func random(r *rand.Rand, most int) []byte {
	b := make([]byte, r.IntN(most+1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// garbage stays within its limits: what it says is nonsense, or nearly sense.
func (t *Target) garbage(ctx context.Context, r *rand.Rand) {
	conn := t.enter(ctx, true)
	if conn == nil {
		return
	}
	defer conn.Close()
	for range 1 + r.IntN(100) {
		data := protocol.AppendData(nil)
		for range r.IntN(4) {
			data = protocol.AppendItem(data, mechanism.NodeID(1+r.IntN(3)), mechanism.Class(r.IntN(int(mechanism.Classes))), random(r, 60))
		}
		if _, err := conn.Write(frame(socket.Final|socket.Binary, data)); err != nil || ctx.Err() != nil {
			return
		}
		pause(ctx, 6*time.Millisecond)
	}
}

func (t *Target) deaf(ctx context.Context, _ *rand.Rand) {
	if conn := t.enter(ctx, false); conn != nil {
		pause(ctx, 500*time.Millisecond)
		conn.Close()
	}
}

func (t *Target) churn(ctx context.Context, r *rand.Rand) {
	if conn := t.enter(ctx, true); conn != nil {
		pause(ctx, time.Duration(r.IntN(100))*time.Millisecond)
		if r.IntN(2) == 0 {
			conn.Write(frame(socket.Final|socket.Binary, protocol.AppendBye(nil)))
		}
		conn.Close()
	}
}
