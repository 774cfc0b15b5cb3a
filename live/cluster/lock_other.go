//go:build !unix

package cluster

import "os"

// lockFile opens a file. Where the system has no locks that end with their process, nothing keeps two from using a folder.
func lockFile(name string) (*os.File, error) { return os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) }
