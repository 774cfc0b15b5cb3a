//go:build !js

package app

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"

	"throng/lab/experiment"
)

const (
	// forOperators begins the line that says where their pages are.
	forOperators = "For operators: "

	// nowhere stands for no listener.
	nowhere = "off"

	// adminTokenMin is how long an admin token must be: the shortest that nobody guesses.
	adminTokenMin = 16
)

// checkOperators refuses settings that would let others than operators see what is theirs.
func (s *serving) checkOperators() error {
	token, at := given{where: s.from["admin-token"]}, given{where: s.from["admin-listen"]}
	switch {
	case s.AdminToken != "" && len(s.AdminToken) < adminTokenMin:
		return token.errorf("an admin token has at least %d characters", adminTokenMin)
	case s.AdminListen == nowhere:
		return nil
	case !isAddress(s.AdminListen):
		return at.errorf("%q is not an address such as 127.0.0.1:8081, nor %s", s.AdminListen, nowhere)
	case s.AdminToken == "" && !isLoopback(s.AdminListen):
		return at.errorf("other machines can reach %s: set an admin token too, or listen on 127.0.0.1", s.AdminListen)
	}
	return nil
}

// isLoopback reports whether only this machine can reach an address to listen on.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// listenOperators opens the operators' listener; nil if there is to be none. Where nobody has chosen the port any other will do.
func (s *serving) listenOperators() (net.Listener, error) {
	if s.AdminListen == nowhere {
		return nil, nil
	}
	l, err := net.Listen("tcp", s.AdminListen)
	if _, chosen := s.from["admin-listen"]; err != nil && (!chosen || os.Getenv(spawned) != "") {
		l, err = net.Listen("tcp", anyPort(s.AdminListen))
	}
	if err != nil {
		return nil, &experiment.UserError{Where: s.from["admin-listen"], Message: cannotListen(s.AdminListen, " for operators", err).Error()}
	}
	return l, nil
}

// operatorsURL is where their pages are; empty for nowhere.
func (s *serving) operatorsURL(l net.Listener) string {
	switch {
	case l == nil:
		return ""
	case s.Cert != "" && !isLoopback(s.AdminListen):
		return "https://" + reachable(l.Addr())
	}
	return "http://" + reachable(l.Addr())
}

// anyPort is an address with any port that is free.
func anyPort(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", address, err)) // settings are checked
	}
	return net.JoinHostPort(host, "0")
}
