// Package livetest has what the tests of live worlds share: a network within the process, patience with what happens in its
// own time, and logs that can be read while they are written.
package livetest
