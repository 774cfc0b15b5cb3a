package relay

import (
	"bytes"
	"slices"
	"testing"

	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

var schema = mechanismtest.Marbles(3).Schema()

func TestRoundTrip(t *testing.T) {
	for _, want := range []moment{{}, {1, 2}, {1 << 60, tickMax}} {
		r := wire.NewReader(want.append(nil, kindTick))
		if kind, got := r.Byte(), readMoment(&r); kind != kindTick || got != want || r.Done() != nil {
			t.Errorf("%v comes back as %v", want, got)
		}
	}
	r := wire.NewReader(appendJoin(nil, 7, 9))
	if kind, epoch, user := joined(&r); kind != kindJoin || epoch != 7 || user != 9 || r.Done() != nil {
		t.Errorf("user 9 in epoch 7 comes back as user %d in epoch %d", user, epoch)
	}
	want := []News{
		{Object: world.Object{ID: 5, Kind: mechanismtest.Marble, User: 2, Pos: fixed.Vec{X: fixed.One, Y: 3}, Vel: fixed.Vec{Y: -7}}},
		{Object: world.Object{ID: 1 << 50}, Gone: true},
	}
	var buf []byte
	for i := range want {
		buf = want[i].append(buf, schema)
	}
	r = wire.NewReader(buf)
	if got := readNews(&r, schema, nil); r.Done() != nil || !slices.Equal(got, want) {
		t.Errorf("%v comes back as %v", want, got)
	}
}

func joined(r *wire.Reader) (kind byte, epoch uint32, u world.User) {
	kind = r.Byte()
	epoch, u = readJoin(r)
	return kind, epoch, u
}

func FuzzReadNews(f *testing.F) {
	x := News{Object: world.Object{ID: 5, Kind: mechanismtest.Marble, User: 2}}
	f.Add(x.append(nil, schema))
	f.Add([]byte{1, 1, 1, 2})
	f.Fuzz(func(t *testing.T, message []byte) {
		r := wire.NewReader(message)
		news := readNews(&r, schema, nil)
		if r.Done() != nil {
			return
		}
		var again []byte
		for i := range news {
			if o := &news[i].Object; o.ID == 0 || schema.CheckObject(o) != nil {
				t.Fatalf("%x reads as %v", message, news)
			}
			again = news[i].append(again, schema)
		}
		r = wire.NewReader(again)
		if got := readNews(&r, schema, nil); r.Done() != nil || !slices.Equal(got, news) {
			t.Errorf("%x reads as %v, which is written as %x", message, news, again)
		}
		if len(again) > len(message) || len(again) == len(message) && !bytes.Equal(again, message) {
			t.Errorf("%x is written as %x", message, again)
		}
	})
}
