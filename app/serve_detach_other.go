//go:build !unix && !js

package app

import "os/exec"

// detach would keep a terminal's Ctrl-C from a child; here both hear of it.
func detach(*exec.Cmd) {}
