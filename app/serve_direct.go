//go:build !js

package app

import (
	"fmt"
	"slices"
	"strings"

	"throng/lab/experiment"
	"throng/live/gateway"
)

// iceSchemes are those of the servers by which players' machines find each other.
var iceSchemes = []string{"stun", "stuns", "turn", "turns"}

// checkDirect checks the servers that players' machines are to ask.
func (s *serving) checkDirect() error {
	for _, at := range s.ICE {
		if !isICE(at) {
			return &experiment.UserError{Where: s.from["ice"], Message: fmt.Sprintf("%q is not a STUN or TURN server such as stun:stun.example.org:3478", at)}
		}
	}
	return nil
}

func isICE(at string) bool {
	scheme, host, ok := strings.Cut(at, ":")
	return ok && slices.Contains(iceSchemes, scheme) && host != "" && !strings.ContainsAny(host, "/@ ")
}

// direct is how players' machines may connect to each other; nil if they may not. They learn each other's addresses: without being asked for
// only where all are this machine's.
func (s *serving) direct() *gateway.Direct {
	if s.Direct == "off" || s.Direct == "auto" && !s.local() {
		return nil
	}
	return &gateway.Direct{Servers: s.ICE, Secret: s.ICESecret}
}
