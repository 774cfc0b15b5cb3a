package gateway

import (
	"sync"
	"time"
)

// bucket allows so many units per second on average, and a second's worth at once.
type bucket struct {
	level float64 // what may be taken now
	last  time.Time
}

// take reports whether n units may be taken now at the given rate.
func (b *bucket) take(now time.Time, n, rate float64) bool {
	if b.last.IsZero() {
		b.level = rate
	} else {
		b.level = min(rate, b.level+now.Sub(b.last).Seconds()*rate)
	}
	b.last = now
	if b.level < n {
		return false
	}
	b.level -= n
	return true
}

// doormen keep count of connections and joins by address.
type doormen struct {
	mu    sync.Mutex
	hosts map[string]*doorman
	open  int
	swept time.Time
}

type doorman struct {
	open  int
	joins bucket
}

func newDoormen() *doormen { return &doormen{hosts: map[string]*doorman{}} }

func (d *doormen) of(host string, now time.Time) *doorman {
	if now.Sub(d.swept) > 2*time.Minute {
		d.swept = now
		for k, v := range d.hosts {
			if v.open == 0 && now.Sub(v.joins.last) > time.Minute {
				delete(d.hosts, k)
			}
		}
	}
	m := d.hosts[host]
	if m == nil {
		m = &doorman{}
		d.hosts[host] = m
	}
	return m
}

// join reports whether somebody from a host may ask for a seat now.
func (d *doormen) join(host string, now time.Time, perMinute int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := &d.of(host, now).joins
	// In units of a minute, so that a minute's worth may come at once.
	if b.last.IsZero() {
		b.level = float64(perMinute)
	} else {
		b.level = min(float64(perMinute), b.level+now.Sub(b.last).Minutes()*float64(perMinute))
	}
	b.last = now
	if b.level < 1 {
		return false
	}
	b.level--
	return true
}

// enter counts a connection in, unless there are too many.
func (d *doormen) enter(host string, now time.Time, max, maxPerHost int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.of(host, now)
	if d.open >= max || m.open >= maxPerHost {
		return false
	}
	d.open++
	m.open++
	return true
}

// leave counts a connection out.
func (d *doormen) leave(host string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
	if m := d.hosts[host]; m != nil {
		m.open--
	}
}
