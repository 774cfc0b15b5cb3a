package hostile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"throng/live/socket"
)

// joinThin is what a program says first, in JSON and in MessagePack.
var joinThin = [...]string{`{"type":"join","version":1,"name":"Mallory"}`, "\x82\xa4type\xa4join\xa7version\x01"}

// enterThin joins by the thin protocol, in JSON or in MessagePack.
func (t *Target) enterThin(ctx context.Context, packed, reads bool) net.Conn {
	if packed {
		return t.open(ctx, "GET /thin?format=msgpack"+upgradeRest, reads, frame(socket.Final|socket.Binary, []byte(joinThin[1])))
	}
	return t.open(ctx, "GET /thin"+upgradeRest, reads, frame(socket.Final|socket.Text, []byte(joinThin[0])))
}

// thinWords are what messages are put together of that make nearly sense.
var thinWords = [...]string{
	`{"type":"act","id":%d,"verb":"walk","args":{"vx":%d,"vy":1e308}}`, `{"type":"act","id":%d,"verb":"walk","target":"%d"}`,
	`{"type":"say","text":"%d%d"}`, `{"type":"ping","time":%d.%d}`, `{"type":"ask","rate":%d,"view":"smooth","fields":{"walker":["x"],"n%d":[]}}`,
	`{"type":"join","version":%d,"token":"%d"}`, `{"type":"act","args":[[[[[[%d,%d]]]]]]}`, `[%d,%d]`, `{"type":"ask","fields":{"walker":["x","x","x",%d,%d]}}`,
}

func (t *Target) thinGarbage(ctx context.Context, r *rand.Rand) {
	packed := r.IntN(2) == 0
	conn := t.enterThin(ctx, packed, true)
	if conn == nil {
		return
	}
	defer conn.Close()
	for range 1 + r.IntN(50) {
		head, said := byte(socket.Final|socket.Text), []byte(fmt.Sprintf(thinWords[r.IntN(len(thinWords))], r.IntN(1000), r.Uint64()))
		if packed {
			head, said = socket.Final|socket.Binary, []byte(joinThin[1])
		}
		for range r.IntN(3) {
			said[r.IntN(len(said))] = byte(r.Uint32())
		}
		if _, err := conn.Write(frame(head, said)); err != nil || ctx.Err() != nil {
			return
		}
		pause(ctx, 6*time.Millisecond)
	}
}

// thinGreed asks for something else whenever it may, and takes nothing of it.
func (t *Target) thinGreed(ctx context.Context, r *rand.Rand) {
	conn := t.enterThin(ctx, false, r.IntN(2) == 0)
	if conn == nil {
		return
	}
	defer conn.Close()
	for range 200 {
		fields := []string{`"x"`, `"y"`, `"faces"`, `"doing"`}
		r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		ask := `{"type":"ask","rate":1000,"fields":{"walker":[` + strings.Join(fields[:r.IntN(len(fields)+1)], ",") + `]}}`
		conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		if _, err := conn.Write(frame(socket.Final|socket.Text, []byte(ask))); err != nil || ctx.Err() != nil {
			return
		}
		pause(ctx, 6*time.Millisecond)
	}
}

func (t *Target) thinChurn(ctx context.Context, r *rand.Rand) {
	if conn := t.enterThin(ctx, r.IntN(2) == 0, true); conn != nil {
		pause(ctx, time.Duration(r.IntN(100))*time.Millisecond)
		conn.Close()
	}
}

// replay shows one token over and over, on several connections at once.
func (t *Target) replay(ctx context.Context, r *rand.Rand) {
	token := t.join(ctx)
	if token == "" {
		pause(ctx, 50*time.Millisecond)
		return
	}
	for range 20 {
		for range 4 {
			if conn := t.connect(ctx, true, frame(socket.Final|socket.Binary, hello(token))); conn != nil {
				defer conn.Close()
			}
		}
		pause(ctx, time.Duration(r.IntN(20))*time.Millisecond)
	}
}
