// Package cache keeps what takes long to make in the user's cache, from one run of a program to the next. Keeping is a favour:
// where nothing can be kept, everything is made again.
package cache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folder returns a folder for what belongs to a key, into which it can write.
func Folder(kind string, key ...string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(strings.Join(key, "\x00")))
	dir := filepath.Join(base, "throng", kind, hex.EncodeToString(sum[:8]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	probe, err := os.CreateTemp(dir, "probe") // a folder from earlier may have become read-only
	if err != nil {
		return "", err
	}
	probe.Close()
	err = os.Remove(probe.Name()) // which also makes it the folder that was used last
	prune(filepath.Dir(dir))
	return dir, err
}

// kept is how many folders or results of a kind are kept.
const kept = 16

// Has reports whether the cache seems to have what a function has made of a content.
func Has(kind string, content []byte) bool {
	base, err := os.UserCacheDir()
	if err != nil {
		return false
	}
	_, err = os.Stat(nameOf(filepath.Join(base, "throng", kind), content))
	return err == nil
}

// nameOf is the file of what was made of a content.
func nameOf(dir string, content []byte) string {
	sum := sha256.Sum256(content)
	return filepath.Join(dir, hex.EncodeToString(sum[:]))
}

// Of returns what a function makes of a content, from the cache if it is there and right.
func Of(kind string, content []byte, make func([]byte) []byte, right func(result []byte) bool) []byte {
	base, err := os.UserCacheDir()
	if err != nil {
		return make(content)
	}
	dir := filepath.Join(base, "throng", kind)
	name := nameOf(dir, content)
	if result, err := os.ReadFile(name); err == nil && right(result) {
		return result
	}
	result := make(content)
	if os.MkdirAll(dir, 0o755) == nil {
		keep(dir, name, result)
	}
	return result
}

// keep writes a file such that nobody sees half of it.
func keep(dir, name string, content []byte) {
	partial, err := os.CreateTemp(dir, "partial")
	if err != nil {
		return
	}
	_, err = partial.Write(content)
	if partial.Close() != nil || err != nil || os.Rename(partial.Name(), name) != nil {
		os.Remove(partial.Name())
		return
	}
	prune(dir)
}

// prune removes what was used or written longest ago.
func prune(dir string) {
	entries, _ := os.ReadDir(dir)
	written := func(e os.DirEntry) int64 {
		if info, err := e.Info(); err == nil {
			return info.ModTime().UnixNano()
		}
		return 0
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(written(b), written(a)) })
	for _, old := range entries[min(kept, len(entries)):] {
		os.RemoveAll(filepath.Join(dir, old.Name()))
	}
}
