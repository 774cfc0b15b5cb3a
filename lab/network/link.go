package network

import "throng/world"

// LinkConfig is the access of every host to the network.
type LinkConfig struct {
	Up    int64 `param:"up" unit:"bit/s" default:"0" range:"0..1000Gbit/s" help:"bandwidth from a host to the network; 0 is unlimited"`
	Down  int64 `param:"down" unit:"bit/s" default:"0" range:"0..1000Gbit/s" help:"bandwidth from the network to a host; 0 is unlimited"`
	Queue int64 `param:"queue" unit:"B" default:"64KiB" range:"0..1GiB" help:"what may wait for each direction; packets that do not fit are dropped"`
}

// Links returns both directions of one host's access.
func (c LinkConfig) Links() (up, down Link) {
	return Link{BitsPerSecond: c.Up, QueueBytes: c.Queue}, Link{BitsPerSecond: c.Down, QueueBytes: c.Queue}
}

// Link is one direction of a host's access: packets leave it one after the other at a given bandwidth, and wait in a queue of
// limited size. The zero Link is unlimited.
type Link struct {
	BitsPerSecond int64 // 0 is unlimited
	QueueBytes    int64 // what may wait, the unsent rest of the packet in transmission included

	most int64      // what is left of the bandwidth for the time being; 0 if all is
	idle world.Time // when everything accepted so far will have left

	offered world.Time // what it takes to transmit all that ever came, what was dropped included
}

// Limit leaves no more than so many bits per second of the link's bandwidth from now on, or all of it again if most is zero. What
// waits goes on at the new bandwidth.
func (l *Link) Limit(now world.Time, most int64) {
	waiting := l.Waiting(now)
	l.most = most
	if l.idle = now; l.bandwidth() > 0 {
		l.idle += scaleUp(world.Time(waiting), bitNanoseconds, l.bandwidth())
	}
}

// bandwidth is what the link has now, in bits per second; 0 is unlimited.
func (l *Link) bandwidth() int64 {
	if l.most > 0 && (l.BitsPerSecond == 0 || l.most < l.BitsPerSecond) {
		return l.most
	}
	return l.BitsPerSecond
}

// bitNanoseconds turns bytes at one bit per second into nanoseconds.
const bitNanoseconds = 8 * int64(world.Second)

// Depart returns when a packet that comes now will have left in full. It is not ok if the packet is dropped because the queue
// has no room for all of it. Time does not run backwards between calls.
func (l *Link) Depart(now world.Time, size int) (leave world.Time, ok bool) {
	bandwidth := l.bandwidth()
	if bandwidth == 0 {
		return now, true
	}
	transmission := scaleUp(world.Time(size), bitNanoseconds, bandwidth)
	l.offered += transmission
	if waiting := l.Waiting(now); waiting > 0 && waiting+int64(size) > l.QueueBytes {
		return 0, false
	}
	l.idle = max(l.idle, now) + transmission
	return l.idle, true
}

// Offered returns how long it takes to transmit all packets that have come so far, those included that were dropped. Over a span
// of time, more than that time is more than the link carries.
func (l *Link) Offered() world.Time { return l.offered }

// Takes is how long so many bytes take by themselves.
func (l *Link) Takes(size int) world.Time {
	if l.bandwidth() == 0 {
		return 0
	}
	return scaleUp(world.Time(size), bitNanoseconds, l.bandwidth())
}

// Waiting returns how many bytes have been accepted and have not left yet.
func (l *Link) Waiting(now world.Time) int64 {
	bandwidth := l.bandwidth()
	if l.idle <= now || bandwidth == 0 {
		return 0
	}
	return int64(scaleUp(l.idle-now, bandwidth, bitNanoseconds))
}
