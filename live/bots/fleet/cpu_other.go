//go:build !unix

package fleet

import "time"

// CPU is not known on this system.
func CPU() time.Duration { return 0 }
