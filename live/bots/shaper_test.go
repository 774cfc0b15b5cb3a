package bots

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

func TestShapedConnectionsTakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		c := Shaper{Delay: 50 * time.Millisecond, Down: 80_000}.shape(near)
		began := time.Now()
		if _, err := c.Write([]byte("hello")); err != nil || time.Since(began) != 0 {
			t.Errorf("sending took %v: %v", time.Since(began), err)
		}
		got := make([]byte, 5)
		if _, err := io.ReadFull(far, got); err != nil || string(got) != "hello" || time.Since(began) != 50*time.Millisecond {
			t.Errorf("%q arrived after %v: %v", got, time.Since(began), err)
		}

		began = time.Now()
		go far.Write(make([]byte, 20_000)) // two seconds of what it takes
		if _, err := io.ReadFull(c, make([]byte, 20_000)); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < 2*time.Second || took > 2*time.Second+50*time.Millisecond {
			t.Errorf("20 KB over 10 KB/s took %v", took)
		}

		far.Close()
		if _, err := c.Read(got); err != io.EOF {
			t.Errorf("reading from what the other side has closed: %v", err)
		}
		c.Close()
		if _, err := c.Write(got); err != net.ErrClosed {
			t.Errorf("writing to what was closed: %v", err)
		}
	})
}
