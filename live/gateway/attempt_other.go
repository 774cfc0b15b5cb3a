//go:build !unix

package gateway

import "net"

// attempt would write to a socket without waiting for it. Here clients are written to from goroutines instead.
type attempt struct{}

func newAttempt(*net.TCPConn) *attempt { return nil }

func (*attempt) write([]byte) (int, error) { panic("gateway: there are no attempts on this system") }

// intake would read from a socket with a buffer only when something has come.
type intake struct{}

func newIntake(*net.TCPConn) *intake { return nil }

func (*intake) read(*arrivals) (int, error) { panic("gateway: there are no intakes on this system") }

func (*intake) poll(*arrivals) bool { panic("gateway: there are no intakes on this system") }
