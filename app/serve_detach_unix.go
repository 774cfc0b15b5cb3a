//go:build unix

package app

import (
	"os/exec"
	"syscall"
)

// detach keeps a terminal's Ctrl-C from a child: the process that has started it tells it when to end.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
